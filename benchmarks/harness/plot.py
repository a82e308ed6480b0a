"""Plots for the documentation, as SVG: text stays text, and the same figures give the same file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import StrMethodFormatter

_BLUE, _ORANGE, _GRAY = "#1f6fb2", "#c8611a", "#777777"
_THOUSANDS: Final = StrMethodFormatter("{x:,.0f}")
_STYLE: Final = {
    "svg.fonttype": "none",
    "svg.hashsalt": "seenbefore",
    "font.family": "sans-serif",
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#dddddd",
    "axes.axisbelow": True,
}


def draw_scale(figures: Mapping[str, Any], path: Path) -> None:
    """Draw time, memory and file size over the number of records."""
    sizes: Sequence[Mapping[str, float]] = figures["sizes"]
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(8.4, 6.2), layout="constrained")
        panels = figure.subplots(2, 2)
        _line(panels[0, 0], sizes, "unchanged_us", "time per unchanged item", "microseconds")
        limit = 2 * sizes[0]["unchanged_us"]
        panels[0, 0].axhline(limit, color=_GRAY, linestyle="--", linewidth=1)
        panels[0, 0].annotate("limit: twice the first", (sizes[0]["records"], limit), va="bottom", color=_GRAY)
        panels[0, 0].set_ylim(0, limit * 1.2)
        _line(panels[0, 1], sizes, "new_us", "time per new item", "microseconds")
        _line(panels[1, 0], sizes, "peak_mib", "greatest memory of the process", "MiB")
        _line(panels[1, 1], sizes, "file_mib", "size of the database file", "MiB", logarithmic=True)
        _save(figure, path)


def draw_ingest(figures: Mapping[str, Any], path: Path) -> None:
    """Draw entries per second of both libraries, first and again."""
    runs: Mapping[str, Mapping[str, Mapping[str, float]]] = figures["runs"]
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(8.4, 2.6), layout="constrained")
        panels = figure.subplots(1, 2)
        for panel, (run, title) in zip(
            panels, {"first": "first run", "again": "again, nothing new"}.items(), strict=True
        ):
            names = list(runs)[::-1]
            rates = [runs[name][run]["items_per_second"] for name in names]
            bars = panel.barh(names, rates, color=[_BLUE if name == "seenbefore" else _ORANGE for name in names])
            panel.bar_label(bars, [f"{rate:,.0f}" for rate in rates], padding=3)
            panel.set_xlim(0, max(rates) * 1.2)
            panel.set_title(title, loc="left")
            panel.set_xlabel("entries per second")
            panel.xaxis.set_major_formatter(_THOUSANDS)
            panel.grid(visible=False, axis="y")
        _save(figure, path)


def _line(
    panel: Axes, sizes: Sequence[Mapping[str, float]], name: str, title: str, unit: str, *, logarithmic: bool = False
) -> None:
    records = [size["records"] for size in sizes]
    values = [size[name] for size in sizes]
    if f"{name}_least" in sizes[0]:
        below = [value - size[f"{name}_least"] for value, size in zip(values, sizes, strict=True)]
        above = [size[f"{name}_most"] - value for value, size in zip(values, sizes, strict=True)]
        panel.errorbar(records, values, yerr=[below, above], color=_BLUE, marker="o", capsize=4)
    else:
        panel.plot(records, values, color=_BLUE, marker="o")
    panel.set_xscale("log")
    panel.set_xticks(records, [f"{record:,.0f}" for record in records])
    panel.minorticks_off()
    if logarithmic:
        panel.set_yscale("log")
        panel.yaxis.set_major_formatter(_THOUSANDS)
    else:
        panel.set_ylim(bottom=0)
    panel.set_title(title, loc="left")
    panel.set_xlabel("records stored")
    panel.set_ylabel(unit)


def _save(figure: Figure, path: Path) -> None:
    figure.savefig(path, format="svg", metadata={"Date": None})
    # Trailing blanks would be the only ones in the repository.
    lines = (line.rstrip() for line in path.read_text(encoding="utf-8").splitlines())
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
