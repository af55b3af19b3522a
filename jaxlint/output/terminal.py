"""Text that is safe and well aligned on a terminal."""

from __future__ import annotations

import re
from typing import ClassVar

# control characters, marks that reorder text, separators that some terminals break lines at, lone surrogates
_UNSAFE = r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufeff]"
REPLACEMENT = "\ufffd"


def clean(text: str) -> str:
    """`text` on one line, with nothing that a terminal would obey: such characters show as an escape."""
    if text.isascii() and text.isprintable():
        return text
    return re.sub(_UNSAFE, lambda match: _escape(match.group()), text)


def _escape(char: str) -> str:
    if char in "\n\r\t":
        return " "
    number = ord(char)
    if 0xDC80 <= number <= 0xDCFF:  # a byte of a file name that is not UTF-8
        number -= 0xDC00
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}"


def as_unicode(name: str) -> str:
    """A file name that strict readers of JSON accept: a byte in it that is not UTF-8 shows as an escape."""
    return name if name.isascii() else re.sub(r"[\ud800-\udfff]", lambda match: _escape(match.group()), name)


def clean_line(text: str) -> str:
    """As `clean`, but each character stays one character, so that columns still fit. Tabs are left alone."""
    if text.isascii() and text.isprintable():
        return text
    return re.sub(_UNSAFE, lambda match: "\t" if match.group() == "\t" else REPLACEMENT, text)


def width(text: str) -> int:
    """How many columns `text` takes on a terminal."""
    if text.isascii():
        return len(text)
    return sum(_width(char) for char in text)


def _width(char: str) -> int:
    import unicodedata  # a large table, for text that is not ASCII

    if unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


class Paint:
    """Wraps text in colour, or leaves it alone."""

    _CODES: ClassVar[dict[str, str]] = {
        "error": "1;31",
        "warning": "1;33",
        "advice": "1;36",
        "bold": "1",
        "dim": "2",
        "frame": "1;34",
    }

    def __init__(self, on: bool) -> None:
        self.on = on

    def __call__(self, style: str, text: str) -> str:
        return f"\x1b[{self._CODES[style]}m{text}\x1b[0m" if self.on else text
