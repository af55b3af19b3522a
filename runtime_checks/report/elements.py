"""A few words to build HTML with. Text and attributes are escaped when the tree is written, never by hand."""

from __future__ import annotations

import re
from xml.etree import ElementTree

Element = ElementTree.Element
# characters that HTML does not allow at all
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def clean(text: str) -> str:
    """`text` with what HTML cannot hold shown as an escape."""
    return _CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), text)


def element(tag: str, /, *children: Element | str, **attributes: str) -> Element:
    """An element. `class_` and `data_x` become `class` and `data-x`; strings among the children are text."""
    made = Element(tag, {key.rstrip("_").replace("_", "-"): clean(value) for key, value in attributes.items()})
    add(made, *children)
    return made


def add(parent: Element, *children: Element | str) -> None:
    """Append children to an element."""
    for child in children:
        if not isinstance(child, str):
            parent.append(child)
        elif len(parent):
            parent[-1].tail = (parent[-1].tail or "") + clean(child)
        else:
            parent.text = (parent.text or "") + clean(child)


def document(title: str, style: str, *body: Element) -> str:
    """A whole page in one file. It loads nothing and runs no script, and its policy forbids both."""
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", **{"http-equiv": "Content-Security-Policy", "content": policy}),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("title", title),
        element("style", style),
    )
    page = element("html", head, element("body", *body), lang="en")
    return "<!DOCTYPE html>\n" + ElementTree.tostring(page, encoding="unicode", method="html") + "\n"
