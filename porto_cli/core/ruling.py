"""The rulings: what holds at the table, behind each id that a message or a scenario cites.

The texts are data (``rulings.toml``), so that they can be translated without touching code.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

_FILE = Path(__file__).parents[1] / "games" / "porto" / "rulings.toml"
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


def search(query: str) -> tuple[list[Ruling], list[Ruling]]:
    """Return the rulings about the words of a query, and those that only mention them.

    Every word has to be found, in any order: for the first list in the id or the title of a
    ruling, for the second one anywhere in it. A word is found where a word begins with it, its
    ending aside (roofs, scoring, completed); the terms of the printed rulebooks stand for those
    used here (adjacent for neighbor). A part of an id, such as ``P-BUILD``, finds a family.
    """
    words = query.split()
    ids = [word.upper() for word in words if _like_an_id(word)]
    terms = _terms(" ".join(word for word in words if not _like_an_id(word)))
    about: list[Ruling] = []
    mention: list[Ruling] = []
    if not ids and not terms:
        return about, mention
    for one in all_rulings():
        if not all(one.id.startswith(beginning) for beginning in ids):
            continue
        if _has_all(f"{one.id} {one.title}", terms):
            about.append(one)
        elif _has_all(f"{one.id} {one.title} {one.text} {one.note}", terms):
            mention.append(one)
    return about, mention


def _like_an_id(word: str) -> bool:
    return word[:2].upper() in {known[:2] for known in _rulings()}


_Term = tuple[str, ...]
"""What a word or a phrase of a query is looked for as: one of these has to be found."""


def _terms(query: str) -> list[_Term]:
    """Return what to look for. Phrases such as 'score marker' are recognized as a whole."""
    words = _words(query)
    ignored = set(_words(_file()["search"]["ignored"]))
    synonyms = _synonyms()
    longest = max(len(phrase.split()) for phrase in synonyms)
    terms: list[_Term] = []
    while words:
        sizes = range(min(longest, len(words)), 0, -1)
        size = next((size for size in sizes if _singular(words[:size]) in synonyms), 0)
        if size or words[0] not in ignored:
            others = synonyms.get(_singular(words[:size]), ())
            terms.append((" ".join(map(_stem, words[: size or 1])), *others))
        words = words[size or 1 :]
    return terms or [(_stem(word),) for word in _words(query)]


@cache
def _synonyms() -> dict[str, _Term]:
    """Return what to look for besides a phrase, by the words of the phrase."""
    return {
        _singular(_words(phrase)): tuple(" ".join(_words(other)) for other in others)
        for phrase, others in _file()["search"]["synonyms"].items()
    }


def _singular(words: list[str]) -> str:
    """Return a phrase in which a plural is the same as the singular."""
    return " ".join(word.removesuffix("s") for word in words)


def _has_all(text: str, terms: list[_Term]) -> bool:
    words = f" {' '.join(_words(text))}"
    return all(any(f" {wanted}" in words for wanted in term) for term in terms)


def _words(text: str) -> list[str]:
    """Return the words of a text in lower case, without accents and punctuation."""
    from unicodedata import combining, normalize

    plain = (char for char in normalize("NFKD", text.lower()) if not combining(char))
    return "".join(char if char.isalnum() else " " for char in plain).split()


_ENDINGS = ("ing", "ed", "es", "s", "e")
_SHORTEST_STEM = 3


def _stem(word: str) -> str:
    """Return a word without its ending, so that 'scored' and 'scores' are found as 'scor…'."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
            return word.removesuffix(ending)
    return word


def near(rule_id: str) -> list[str]:
    """Return the ids that somebody who typed this one may have meant, the likeliest first."""
    from difflib import get_close_matches

    return get_close_matches(rule_id.upper(), _rulings(), n=_MOST_SUGGESTIONS)


@cache
def _file() -> dict[str, Any]:
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
