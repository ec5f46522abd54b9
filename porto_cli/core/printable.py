"""Text of others made visible: nothing in it steers the terminal or ends the line."""

from __future__ import annotations

import re

NOT_PRINTABLE = (
    "["
    "\x00-\x1f\x7f-\x9f"  # controls: they erase, color, ring, or end the line
    "\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"  # they steer the direction, or hide
    "\ud800-\udfff"  # bytes of a file name that are not UTF-8, as Python keeps them
    "\ufeff\ufff9-\ufffb\ufffe\uffff"  # no characters, or none that stand on the screen
    "\U000e0000-\U000e007f"
    "]"
)
"""The characters that are not shown as they are. Not what Python calls so: that differs between
its versions, and holds blanks and joiners that names in some scripts are written with."""
_FIRST_BYTE, _LAST_BYTE = 0xDC80, 0xDCFF
"""How Python keeps the bytes 0x80 to 0xFF of a file name that is not UTF-8."""


def printable(text: str) -> str:
    r"""Return a text as messages show it: ``\x1b`` for Escape, ``\xff`` for a byte not UTF-8.

    What stands on the screen stays as it is, the backslash too.
    """
    # Mostly there is nothing to do, and then nothing is compiled.
    return text if text.isprintable() else re.sub(NOT_PRINTABLE, _escaped, text)


def _escaped(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code == 0x0A:
        return r"\n"
    if _FIRST_BYTE <= code <= _LAST_BYTE:
        code -= 0xDC00
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
