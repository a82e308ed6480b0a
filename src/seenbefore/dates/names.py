"""Month and time zone names that may stand in a date, as plain tables."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

# One line per month. English first, then other languages seen in feeds; no spelling means two months.
_MONTH_SPELLINGS = """
january jan januar janvier janv januari enero ene gennaio gen janeiro leden stycznia
february feb februar février fevrier févr fevr fév fev februari febrero febbraio fevereiro lutego
march mar märz maerz mär mrz mars maart mrt marzo março marco marca
april apr avril avr abril abr aprile kwietnia
may mai mei mayo maggio mag maio maj maja
june jun juni juin junio giugno giu junho czerwca
july jul juli juillet juil julio luglio lug julho lipca
august aug août aout augustus agosto ago augusti sierpnia
september sep sept septembre septiembre settembre set setembro september wrzesnia września
october oct oktober okt octobre octubre ottobre ott outubro out października
november nov novembre noviembre novembro listopada
december dec dezember dez décembre decembre déc december diciembre dic dicembre dezembro grudnia
"""

MONTHS: Mapping[str, int] = MappingProxyType(
    {
        name: number
        for number, line in enumerate(_MONTH_SPELLINGS.strip().splitlines(), start=1)
        for name in line.split()
    }
)

# Minutes east of UTC. The zones of RFC 822, then abbreviations with one meaning in practice. IST
# (India, Ireland, Israel) and other shared ones are left out, and so are the military letters, which
# RFC 2822 declares unreliable.
ZONES: Mapping[str, int] = MappingProxyType(
    {
        "z": 0,
        "ut": 0,
        "utc": 0,
        "gmt": 0,
        "est": -300,
        "edt": -240,
        "cst": -360,
        "cdt": -300,
        "mst": -420,
        "mdt": -360,
        "pst": -480,
        "pdt": -420,
        "akst": -540,
        "akdt": -480,
        "hst": -600,
        "wet": 0,
        "west": 60,
        "bst": 60,
        "cet": 60,
        "cest": 120,
        "mez": 60,
        "mesz": 120,
        "eet": 120,
        "eest": 180,
        "msk": 180,
        "hkt": 480,
        "sgt": 480,
        "awst": 480,
        "jst": 540,
        "kst": 540,
        "aest": 600,
        "aedt": 660,
        "nzst": 720,
        "nzdt": 780,
    }
)
