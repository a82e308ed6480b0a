"""The text or markup inside an element, as the publisher wrote it, without namespace noise."""

from __future__ import annotations

from html import escape
from typing import Final

from lxml import etree

_VOID: Final = frozenset({"area", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"})


def inner_text(element: etree._Element) -> str:
    """Return the text of an element, or its children as HTML when it has any.

    >>> from lxml import etree
    >>> inner_text(etree.fromstring("<title> 1 &lt; 2 </title>"))
    '1 < 2'
    >>> inner_text(etree.fromstring("<div xmlns='http://www.w3.org/1999/xhtml'>1 &lt; <b>2</b><br/></div>"))
    '1 &lt; <b>2</b><br/>'

    White space around the value belongs to the layout of the XML and is left out.
    """
    if len(element):
        return _inner_markup(element).strip()
    text = element.text
    return text.strip() if text else ""


def inner_body(element: etree._Element) -> str:
    """Return the content of an Atom text: for ``type="xhtml"`` what stands inside its one ``div``.

    >>> from lxml import etree
    >>> inner_body(etree.fromstring("<c type='xhtml'> <div><p>a</p></div></c>"))
    '<p>a</p>'
    >>> inner_body(etree.fromstring("<c type='html'>&lt;p>a&lt;/p></c>"))
    '<p>a</p>'
    """
    if len(element) == 1 and "xhtml" in (element.get("type") or ""):
        only = element[0]
        if isinstance(only.tag, str) and only.tag.rpartition("}")[2] == "div":
            return inner_text(only) if len(only) else escape(inner_text(only), quote=False)
    return inner_text(element)


def _inner_markup(element: etree._Element) -> str:
    parts = [escape(element.text or "", quote=False)]
    for event, node in etree.iterwalk(element, events=("start", "end")):
        if node is element or not isinstance(node.tag, str):
            continue
        name = node.tag.rpartition("}")[2]
        void = name in _VOID and not len(node) and not node.text
        if event == "start":
            attributes = "".join(
                f' {str(key).rpartition("}")[2]}="{escape(str(value))}"' for key, value in node.attrib.items()
            )
            parts.append(f"<{name}{attributes}{'/' if void else ''}>{escape(node.text or '', quote=False)}")
        else:
            parts.append(f"{'' if void else f'</{name}>'}{escape(node.tail or '', quote=False)}")
    return "".join(parts)
