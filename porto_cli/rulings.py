"""The rulings: what holds at the table, behind each id that a message or a scenario cites.

The texts are data (``rulings.toml``), so that they can be translated without touching code.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

_FILE = Path(__file__).with_suffix(".toml")
_MOST_SUGGESTIONS = 3


class Ruling(NamedTuple):
    """One ruling. ``note`` says where the rulebooks are silent or differ, and is often empty."""

    id: str
    title: str
    text: str
    note: str


class CardSection(NamedTuple):
    """A part of the reference card: its heading, and lines of a label and a text."""

    title: str
    lines: tuple[tuple[str, str], ...]


def ruling(rule_id: str) -> Ruling:
    """Return the ruling of an id, in upper or lower case. Raises KeyError if there is none."""
    return _rulings()[rule_id.upper()]


def all_rulings() -> tuple[Ruling, ...]:
    """Return all rulings in the order of the rules."""
    return tuple(_rulings().values())


def reference_card() -> tuple[CardSection, ...]:
    """Return the rules in brief."""
    return tuple(
        CardSection(title, tuple((label, _flowing(text)) for label, text in lines.items()))
        for title, lines in _file()["card"].items()
    )


def search(word: str) -> tuple[list[Ruling], list[Ruling]]:
    """Return the rulings about a word, and those that only mention it.

    A ruling is about a word that begins a part of its id or a word of its title; an ``s`` at
    the end makes no difference.
    """
    wanted = word.lower().removesuffix("s")
    about = []
    mention = []
    for one in all_rulings():
        if one.id.startswith(word.upper()) or _has(f"{one.id} {one.title}", wanted):
            about.append(one)
        elif _has(f"{one.text} {one.note}", wanted):
            mention.append(one)
    return about, mention


def _has(text: str, wanted: str) -> bool:
    words = "".join(char if char.isalnum() else " " for char in text.lower())
    return f" {wanted}" in f" {' '.join(words.split())}"


def near(rule_id: str) -> list[str]:
    """Return the ids that somebody who typed this one may have meant, the likeliest first."""
    from difflib import get_close_matches

    return get_close_matches(rule_id.upper(), _rulings(), n=_MOST_SUGGESTIONS)


@cache
def _file() -> dict[str, dict[str, dict[str, str]]]:
    import tomllib

    return tomllib.loads(_FILE.read_text("utf-8"))


@cache
def _rulings() -> dict[str, Ruling]:
    return {
        rule_id: Ruling(
            rule_id, entry["title"], _flowing(entry["text"]), _flowing(entry.get("note", ""))
        )
        for rule_id, entry in _file()["rulings"].items()
    }


def _flowing(text: str) -> str:
    return " ".join(text.split())
