"""Words that people type, and words told to them."""

from __future__ import annotations

from collections.abc import Iterable


def whole_number(word: str) -> int:
    """Return the number that a word of digits is; -1 for any other word, and for a huge number."""
    return int(word) if word.isascii() and word.isdigit() and len(word) < 6 else -1


def enumerated(words: Iterable[str], conjunction: str = "and") -> str:
    """Return words as an enumeration: ``a, b and c``."""
    *most, last = words
    return f"{', '.join(most)} {conjunction} {last}" if most else last
