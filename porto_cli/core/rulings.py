"""Rulings: the rules behind the ids that messages and scenarios cite.

The texts are data (``rulings.toml``), so that they can be changed without changing code.
"""

from __future__ import annotations

import tomllib
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from porto_cli.core import flowing, plain_words

_MOST_SUGGESTIONS = 3


class Ruling(NamedTuple):
    """One ruling. ``note`` says where the rulebooks are silent or differ; it is often empty."""

    id: str
    title: str
    text: str
    note: str


class CardSection(NamedTuple):
    """A section of the reference card: its heading, and lines of a label and a text."""

    title: str
    lines: tuple[tuple[str, str], ...]


_Term = tuple[str, ...]
"""A word or phrase of a query with its synonyms: one of these has to be found."""


class Rulings:
    """The rulings of one or several files, in order, with a reference card and a search.

    A file has the tables ``rulings``, ``card``, ``effects`` and ``search``, all optional. The files
    are read when first needed.
    """

    def __init__(self, *files: Path) -> None:
        self.files = files

    @cached_property
    def _tables(self) -> dict[str, dict[str, Any]]:
        names = ("rulings", "card", "effects", "search")
        tables: dict[str, dict[str, Any]] = {name: {} for name in names}
        for file in self.files:
            for name, table in tomllib.loads(file.read_text("utf-8")).items():
                tables[name] |= table
        return tables

    @cached_property
    def by_id(self) -> dict[str, Ruling]:
        """All rulings by their ids, in the order of the rules."""
        return {
            rule_id: Ruling(
                rule_id, entry["title"], flowing(entry["text"]), flowing(entry.get("note", ""))
            )
            for rule_id, entry in self._tables["rulings"].items()
        }

    def __getitem__(self, rule_id: str) -> Ruling:
        """Return the ruling of an id, in upper or lower case. Raises KeyError if there is none."""
        return self.by_id[rule_id.upper()]

    def all(self) -> tuple[Ruling, ...]:
        """Return all rulings in the order of the rules."""
        return tuple(self.by_id.values())

    def card(self) -> tuple[CardSection, ...]:
        """Return the rules in brief."""
        return tuple(
            CardSection(title, tuple((label, flowing(text)) for label, text in lines.items()))
            for title, lines in self._tables["card"].items()
        )

    def effects(self) -> dict[str, str]:
        """Return what things in the box do, each in a line, by their names."""
        return self._tables["effects"]

    def near(self, rule_id: str) -> list[str]:
        """Return ids similar to one that was mistyped, the likeliest first."""
        return get_close_matches(rule_id.upper(), self.by_id, n=_MOST_SUGGESTIONS)

    def search(self, query: str) -> tuple[list[Ruling], list[Ruling]]:
        """Return the rulings about the words of a query, and those that only mention them.

        Every word has to be found, in any order: for the first list in the id or the title of a
        ruling, for the second one anywhere in it. Words match by their beginnings, ignoring
        endings (roofs, scoring, completed); terms of the printed rulebooks also find those used
        here (adjacent for neighbor). A part of an id, such as ``P-BUILD``, finds a family.
        """
        words = query.split()
        ids = [word.upper() for word in words if self._is_like_an_id(word)]
        terms = self._terms(" ".join(word for word in words if not self._is_like_an_id(word)))
        about: list[Ruling] = []
        mention: list[Ruling] = []
        if not ids and not terms:
            return about, mention
        for one in self.all():
            if not all(one.id.startswith(beginning) for beginning in ids):
                continue
            if _has_all(f"{one.id} {one.title}", terms):
                about.append(one)
            elif _has_all(f"{one.id} {one.title} {one.text} {one.note}", terms):
                mention.append(one)
        return about, mention

    def _is_like_an_id(self, word: str) -> bool:
        head, dash, _ = word.upper().partition("-")
        return bool(dash) and any(known.startswith(head + dash) for known in self.by_id)

    def _terms(self, query: str) -> list[_Term]:
        """Return the terms of a query. Phrases such as 'score marker' are recognized as a whole."""
        words = plain_words(query)
        ignored = set(plain_words(self._tables["search"].get("ignored", "")))
        synonyms = self._synonyms
        longest = max((len(phrase.split()) for phrase in synonyms), default=0)
        terms: list[_Term] = []
        while words:
            sizes = range(min(longest, len(words)), 0, -1)
            size = next((size for size in sizes if _singular(words[:size]) in synonyms), 0)
            if size or words[0] not in ignored:
                others = synonyms.get(_singular(words[:size]), ())
                terms.append((" ".join(map(_stem, words[: size or 1])), *others))
            words = words[size or 1 :]
        return terms or [(_stem(word),) for word in plain_words(query)]

    @cached_property
    def _synonyms(self) -> dict[str, _Term]:
        """The synonyms of each phrase, by its words."""
        return {
            _singular(plain_words(phrase)): tuple(" ".join(plain_words(other)) for other in others)
            for phrase, others in self.synonyms().items()
        }

    @property
    def examples(self) -> tuple[str, str]:
        """The id of a frequently asked ruling, and two words worth searching for."""
        rule_id, words = self._tables["search"]["examples"]
        return rule_id, words

    def synonyms(self) -> dict[str, list[str]]:
        """Return the synonyms of each word or phrase."""
        synonyms: dict[str, list[str]] = self._tables["search"].get("synonyms", {})
        return synonyms


def _singular(words: list[str]) -> str:
    """Return a phrase in which a plural is the same as the singular."""
    return " ".join(word.removesuffix("s") for word in words)


def _has_all(text: str, terms: list[_Term]) -> bool:
    words = f" {' '.join(plain_words(text))}"
    return all(any(f" {wanted}" in words for wanted in term) for term in terms)


_ENDINGS = ("ing", "ed", "es", "s", "e")
_SHORTEST_STEM = 3


def _stem(word: str) -> str:
    """Return a word without its ending, so that 'scored' and 'scores' both match 'scor…'."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
            return word.removesuffix(ending)
    return word
