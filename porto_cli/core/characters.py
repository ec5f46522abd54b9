"""Characters: which must not stand in a file, and what the others are.

Nothing here asks the Unicode tables of the Python that runs it, because they grow with every
version: what is a valid record today has to be one everywhere and for ever, with the same
fingerprint.
"""

from __future__ import annotations

import re
from functools import cache

BREAKS = "\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029"
"""Characters that end a line for some programs and not for others: what follows looks like a part
of a comment here and like a turn there."""
_BARE_RETURN = r"\r(?!\n)"
STEERING = (
    "\0-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f"
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\ufffe\uffff"
)
"""Characters that erase, color, ring or turn the direction of what follows; half characters; and
what is none. What Unicode has said of these it has promised not to change."""

VARIATION_SELECTORS = "\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef"
"""Invisible marks that choose the shape of the character before them, like ❤ in red."""
_BLANKS = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
"""Printable characters that show nothing, the lowest one first: below it no character hides, so
that for a Latin name no pattern has to be compiled."""

_LATIN_END = "\u0370"
"""Before it stand the Latin letters, about which all versions of Unicode agree."""


def find_forbidden(text: str, *, lines: bool = True) -> int | None:
    """Return the place of the first character that must not stand in a text, or None.

    In ``lines`` a carriage return may stand before a line feed.
    """
    if text.replace("\r\n" if lines else "\n", "\n").replace("\n", "").isprintable():
        return None  # What is forbidden is printable in no version of Unicode.
    found = re.search(rf"{_BARE_RETURN if lines else BREAKS[0]}|[{BREAKS[1:]}{STEERING}]", text)
    return found.start() if found else None


def ends_a_line(char: str) -> bool:
    """Tell whether a forbidden character is one that ends a line for some programs."""
    return re.match(f"[{BREAKS}]", char) is not None


def is_printable(text: str) -> bool:
    """Tell whether a text has only characters that Unicode 14 knows and that can be printed."""
    if max(text, default="") < _LATIN_END:
        return text.isprintable()
    return "\0" not in as_latin(text)


def find_invisible(text: str) -> int | None:
    """Return the place of the first character that shows nothing, or is newer than Unicode 14."""
    unprintable = as_latin(text).find("\0") if not is_printable(text) else -1
    found = None
    if max(text, default="") >= _BLANKS[0]:
        found = re.search(f"[{_BLANKS}]|^[{VARIATION_SELECTORS}]", text)
    places = [place for place in (unprintable, found.start() if found else -1) if place >= 0]
    return min(places, default=None)


def without_selectors(text: str) -> str:
    """Return a text without the invisible marks that choose the shape of a character."""
    return text if text.isascii() else re.sub(f"[{VARIATION_SELECTORS}]", "", text)


def as_latin(text: str) -> str:
    """Return a text with stand-ins for what is not Latin, by which patterns can judge it.

    A letter becomes ``ß``, a decimal digit ``0``, another printable character ``¶``, and anything
    else NUL.
    """
    return "".join(
        _stand_in(char) if char >= _LATIN_END else char if char.isprintable() else "\0"
        for char in text
    )


_STAND_INS = {"w": "ß", "d": "0", "p": "¶", "x": "\0"}


def _stand_in(char: str) -> str:
    from bisect import bisect

    starts, kinds = _table()
    return _STAND_INS[kinds[bisect(starts, ord(char)) - 1]]


@cache
def _table() -> tuple[list[int], str]:
    """Return the first character of each run of characters of one kind, and the kinds."""
    starts = []
    start = ord(_LATIN_END)
    runs = _UNICODE_14.split()
    for run in runs:
        starts.append(start)
        start += int(run[1:], 16)
    return starts, "".join(run[0] for run in runs)


# The kinds of all characters from U+0370 on in Unicode 14.0: letters and what counts as such in a
# word (w), decimal digits (d), other printable ones (p), all else (x); how many in a row.
_UNICODE_14 = """
w5 p1 w2 x2 w4 p1 w1 x4 p2 w1 p1 w3 x1 w1 x1 w14 x1 w53 p1 w8b p8 wa6 x1 w26 x2 w1 p6 w29 p2 x2
p3 x1 p37 x8 w1b x4 w4 p2 x11 p16 x1 p3 w2b p15 da p4 w2 p1 w63 p1 w1 p7 x1 p7 w2 p7 w2 da w3 p2
w1 pe x2 w1 p1 w1e p1b x2 w59 pb w1 xe da w21 p9 w2 p4 w1 x2 p3 w16 p4 w1 p9 w1 p3 w1 p5 x2 pf
x1 w19 p3 x2 p1 x1 wb x5 w18 p1 w6 x9 p8 w2a p18 x1 p21 w36 p3 w1 p12 w1 p7 wa p4 da p1 w10 p3
x1 w8 x2 w2 x2 w16 x1 w7 x1 w1 x3 w4 x2 p1 w1 p7 x2 p2 x2 p3 w1 x8 p1 x4 w2 x1 w3 p2 x2 da w2 p2
w6 p2 w1 p2 x2 p3 x1 w6 x4 w2 x2 w16 x1 w7 x1 w2 x1 w2 x1 w2 x2 p1 x1 p5 x4 p2 x2 p3 x3 p1 x7 w4
x1 w1 x7 da p2 w3 p2 xa p3 x1 w9 x1 w3 x1 w16 x1 w7 x1 w2 x1 w5 x2 p1 w1 p8 x1 p3 x1 p3 x2 w1 xf
w2 p2 x2 da p2 x7 w1 p6 x1 p3 x1 w8 x2 w2 x2 w16 x1 w7 x1 w2 x1 w5 x2 p1 w1 p7 x2 p2 x2 p3 x7 p3
x4 w2 x1 w3 p2 x2 da p1 w7 xa p1 w1 x1 w6 x3 w3 x1 w4 x3 w2 x1 w1 x1 w2 x3 w2 x3 w3 x3 wc x4 p5
x3 p3 x1 p4 x2 w1 x6 p1 xe da w3 p8 x5 p5 w8 x1 w3 x1 w17 x1 w10 x2 p1 w1 p7 x1 p3 x1 p4 x7 p2
x1 w3 x2 w1 x2 w2 p2 x2 da x7 p1 w7 p1 w1 p4 w8 x1 w3 x1 w17 x1 wa x1 w5 x2 p1 w1 p7 x1 p3 x1 p4
x7 p2 x6 w2 x1 w2 p2 x2 da x1 w2 xd p4 w9 x1 w3 x1 w29 p2 w1 p7 x1 p3 x1 p4 w1 p1 x4 w3 p1 wa p2
x2 da w9 p1 w6 x1 p3 x1 w12 x3 w18 x1 w9 x1 w1 x2 w7 x3 p1 x4 p6 x1 p1 x1 p8 x6 da x2 p3 xc w30
p1 w2 p7 x4 p1 w7 p9 da p2 x25 w2 x1 w1 x1 w5 x1 w18 x1 w1 x1 wa p1 w2 p9 w1 x2 w5 x1 w1 x1 p6
x2 da x2 w4 x20 w1 p1f da wa pc w8 x1 w24 x4 p17 w5 pb x1 p24 x1 pf x1 pd x25 w2b p14 w1 da p6
w6 p4 w4 p3 w1 p3 w2 p7 w3 p4 wd pc w1 p1 da p6 w26 x1 w1 x5 w1 x2 w2b p1 w14d x1 w4 x2 w7 x1 w1
x1 w4 x2 w29 x1 w4 x2 w21 x1 w4 x2 w7 x1 w1 x1 w4 x2 wf x1 w39 x1 w4 x2 w43 x2 pc w14 x3 w10 pa
x6 w56 x2 w6 x2 p1 w26c p2 w11 x1 w1a p2 x3 w4b p3 wb x7 w12 p4 x9 w13 p5 x9 w12 p2 xc wd x1 w3
x1 p2 xc w34 p23 w1 p4 w1 p1 x2 da x6 wa x6 pe x1 p1 da x6 w59 x7 w5 p2 w22 p1 w1 x5 w46 xa w1f
x1 pc x4 pc x4 p1 x3 p2 da w1e x2 w5 xb w2c x4 w1a x6 da w1 x3 p22 w17 p5 x2 p2 w35 pa x1 p1d x2
p1 da x6 da x6 p7 w1 p6 x2 p1f x31 p5 w2f p11 w8 x3 da p25 x1 p3 w1e pd w2 da w2c pe x8 p4 w24
p14 x3 p5 da x3 w3 da w24 p2 w9 x7 w2b x2 w3 p8 x8 p19 w4 p1 w6 p1 w2 p3 w1 x5 wc0 p40 w116 x2
w6 x2 w26 x2 w6 x2 w8 x1 w1 x1 w1 x1 w1 x1 w1f x2 w35 x1 w7 p1 w1 p3 w3 x1 w7 p3 w4 x2 w6 x1 p3
wd p3 x2 w3 x1 w7 p2 x11 p18 x8 p2f x11 w2 x2 w6 p5 wb p5 x1 wd x3 p21 xf p21 xf p2 w1 p4 w1 p2
wa p1 w1 p3 w5 p6 w1 p1 w1 p1 w1 p1 w4 p1 wb p2 w4 p5 w5 p4 w1 p1 w3a p2 x4 p297 x19 pb x15 w3c
p4e w16 p276 w1e p3e0 x2 p20 x1 p69 we5 p6 w4 p3 w2 x5 p4 w1 p2 w26 x1 w1 x5 w1 x2 w38 x7 w1 p1
xe p1 w17 x9 w7 x1 w7 x1 w7 x1 w7 x1 w7 x1 w7 x1 w7 x1 w7 x1 p4f w1 p2e x22 p1a x1 p59 xc pd6
x1a pc x5 p4 w3 p19 w9 p7 w5 p2 w5 p3 x1 w56 x2 p4 w3 p1 w5a p1 w4 x5 w2b x1 w5e x1 p2 w4 pa w20
p24 xc w10 p1f x1 wa p1e w8 p1 wf p20 wa p27 wf p140 w19c0 p40 w568d x3 p37 x9 w2e p2 w10d p3
w10 da w2 x14 w2f p10 w1f p2 w50 p8 x8 p17 w9 p2 w67 p2 w40 x5 w2 x1 w1 x1 w5 x18 w10 p1 w3 p1
w4 p1 w17 pa x3 w6 p4 x6 w34 p4 x8 p2 w32 p12 x8 p2 da x6 p12 w6 p3 w1 p1 w2 p1 da w1c pa w17 pd
xb p1 w1d x3 p4 w2f p1b x1 w1 da x4 p2 w5 p1 wa da w5 x1 w29 pe x9 w3 p1 w8 p2 x2 da x2 p4 w17
p3 w1 p3 w32 p1 w1 p3 w2 p2 w5 p2 w1 p1 w1 x18 w3 p2 wb p7 w3 p2 xa w6 x2 w6 x2 w6 x9 w7 x1 w7
x1 w2b p1 we p2 x4 w73 pb x2 da x6 w2ba4 xc w17 x4 w31 x2104 w16e x2 w6a x26 w7 xc w5 x5 w1 p1
wa p1 wd x1 w5 x1 w1 x1 w2 x1 w2 x1 w6c p11 x10 w16b p12 w40 x2 w36 x7 p1 x20 wc p1e x6 p33 x1
p13 x1 p4 x4 w5 x1 w87 x4 pf da p7 w1a p6 w1a pb w59 x3 w6 x2 w6 x2 w6 x2 w3 x3 p7 x1 p7 xd p2
x2 wc x1 w1a x1 w13 x1 w2 x1 wf x2 we x22 w7b x5 p3 x4 w2d x3 p9 w39 p11 w2 p3 x1 pd x3 p1 x2f
p2e x82 w1d x3 w31 xf p1 w1b x4 w24 x9 w1e x5 w26 p5 x5 w1e x1 p1 w24 x4 w8 p1 w5 x2a w9e x2 da
x6 w24 x4 w24 x4 w28 x8 w34 xb p1 wb x1 wf x1 w7 x1 w2 x1 wb x1 wf x1 w7 x1 w2 x43 w137 x9 w16
xa w8 x18 w6 x1 w2a x1 w9 x45 w6 x2 w1 x1 w2c x1 w2 x3 w1 x2 w17 x1 p1 w1f p2 w26 x8 w9 x30 w13
x1 w2 x5 w21 x3 p1 w1a x5 p1 x40 w38 x4 w14 x2 w2f p3 x1 p2 x5 p4 w4 x1 w3 x1 w1d x2 p3 x4 p1 w9
x7 p9 x7 w1f p1 w20 x20 w8 p1 w1c p2 x4 w5 p7 x9 w36 x3 p7 w16 x2 w1b x5 w1a x7 p4 xc w7 x50 w49
x37 w33 xd w33 x7 w2a p4 x8 da x126 w1f x1 w2a x1 p3 x2 w2 x4e w28 x8 w16 pb w4 p5 x16 w12 p8
x26 w1c x14 w17 x9 p3 w35 p16 x4 w14 da p1 w2 p2 w1 x9 p4 w2d pd x1 p5 xd w19 x7 da x6 p3 w24 pe
x1 da p4 w1 p2 w1 x8 w23 p3 w1 x9 p3 w30 pe w4 pb da w1 p1 w1 p3 x1 w14 xb w12 x1 w19 p13 x41 w7
x1 w1 x1 w4 x1 wf x1 wa p1 x6 w2f pc x5 da x6 p4 x1 w8 x2 w2 x2 w16 x1 w7 x1 w2 x1 w5 x1 p2 w1
p7 x2 p2 x2 p3 x2 w1 x6 p1 x5 w5 p2 x2 p7 x3 p5 x8b w35 p12 w4 p5 da p2 x1 p2 w3 x1e w30 p14 w2
p1 w1 x8 da xa6 w2f p7 x2 p20 w4 p2 x22 w30 p14 w1 xb da x6 pd x13 w2b pd w1 p1 x6 da x36 w1b x2
pf x4 da w2 p4 w7 xb9 w2c p10 x64 w40 da w9 xc w8 x2 w1 x2 w8 x1 w2 x1 w18 p6 x1 p2 x2 p4 w1 p1
w1 p5 x9 da x46 w8 x2 w27 p7 x2 p7 w1 p1 w1 p1 x1b w1 pa w28 p7 w1 pd x8 w1 pb w2e p13 w1 p5 xd
w49 x107 w9 x1 w25 p8 x1 p8 w1 p5 xa da w13 x3 p2 w1e x2 p16 x1 pe x49 w7 x1 w2 x1 w26 p6 x3 p1
x1 p2 x1 p7 w1 p1 x8 da x6 w6 x1 w2 x1 w20 p5 x1 p2 x1 p5 w1 x7 da x136 w13 p6 xb7 w1 xf w15 p1d
xd p1 w39a x66 w6f x1 p5 xb wc4 xa4c w61 p2 xd w42f xfd1 w247 x21b9 w239 x7 w1f x1 da x4 p2 w4f
x1 da x6 w1e x2 p6 xa w30 p10 w4 p2 xa da x1 w7 x1 w15 x5 w13 x2b0 w57 p4 x65 w4b x4 p1 w1 p37
x7 p4 wd x40 w2 p1 w1 p1 xb p2 xe w17f8 x8 w4d6 x2a w9 x22e7 w4 x1 w7 x1 w2 x1 w123 x2d w3 x11
w4 x8 w18c x904 w6b x5 wd x3 w9 x7 wa x2 p4 x1260 p2e x2 p17 x9 p74 x3c pf6 xa p27 x2 p4a x8 p70
x15 p46 x9a w14 xc p57 x9 w19 x87 w55 x1 w47 x1 w2 x2 w1 x2 w2 x2 w4 x1 wc x1 w1 x1 w7 x1 w41 x1
w4 x2 w8 x1 w7 x1 w1c x1 w4 x1 w5 x1 w1 x3 w7 x1 w154 x2 w19 p1 w19 p1 w1f p1 w19 p1 w1f p1 w19
p1 w1f p1 w19 p1 w1f p1 w19 p1 w8 x2 d32 p28c xf p5 x1 pf x450 w1f xe1 p7 x1 p11 x2 p7 x1 p2 x1
p5 xd5 w2d x3 p7 w7 x2 da x4 w1 p1 x140 w1e p1 x11 w2c p4 da x5 p1 x4e0 w7 x1 w4 x1 w2 x1 wf x1
wc5 x2 w9 p7 x29 w44 p7 w1 x4 da x4 p2 x311 w3b p1 w3 p1 w4 x4c w2d p1 wf xc2 w4 x1 w1b x1 w2 x1
w1 x2 w1 x1 wa x1 w4 x1 w1 x1 w1 x6 w1 x4 w1 x1 w1 x1 w1 x1 w3 x1 w2 x1 w1 x2 w1 x1 w1 x1 w1 x1
w1 x1 w1 x1 w2 x1 w1 x2 w4 x1 w7 x1 w4 x1 w4 x1 w1 x1 wa x1 w11 x5 w3 x1 w5 x1 w11 x34 p2 x10e
p2c x4 p64 xc pf x2 pf x1 pf x1 p25 xa wd pa1 x38 p1d xd p2c x4 p9 x7 p2 xe p6 x9a p3d8 x5 p10
x3 pd x3 p74 xc p59 x7 pc x4 p1 xf pc x4 p38 x8 pa x6 p28 x8 p1e x2 p2 x4e p154 xc pe x2 p5 x3
p5 x3 p7 x9 p1d x3 pb x5 p6 xa pa x6 p8 x8 p7 x9 p93 x1 p37 x25 da x406 wa6e0 x20 w1039 x7 wde
x2 w1682 xe w1d31 xc1f w21e x5e2 w134b xaedb5 pf0 x2fe10
"""
