"""Words that people type."""

from __future__ import annotations


def whole_number(word: str) -> int:
    """Return the number that a word of digits is; -1 for any other word, and for a huge number."""
    return int(word) if word.isascii() and word.isdigit() and len(word) < 6 else -1
