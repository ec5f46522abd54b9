"""What is installed: players from other packages, and the files that come with games.

Other packages register players as entry points:

    [project.entry-points."porto.players"]
    "nim.perfect" = "porto_nim_players:perfect"

The name of a player begins with the name of its game (see :mod:`porto_cli.games`); the object is
the same as for ``FILE.py:FUNCTION``, see :mod:`porto_cli.players.named`. The metadata of installed
packages is read only when a player is named that does not come with the program, and a package is
loaded only when its player is used.

A game can have these files in ``Game.folder``; none is required.

``rulings.toml``  rulings, and the card of ``porto rules --game``; rulings of all games are here
``scenarios/``    what ``porto scenario`` runs; the games of the box share a folder
``lessons.toml``  how to play, two sentences about each kind of question, and a lesson
``manual.txt``    the beginning of ``porto help --game``
``schema.json``   definitions for the game's JSON documents
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Any, NamedTuple

from porto_cli.core import flowing
from porto_cli.core.characters import plain_words
from porto_cli.games import BOX, DEFAULT, GAMES, entry_points_of, folder_of, game_of
from porto_cli.seam import CardSection
from porto_cli.settings import settings

PLAYERS_GROUP = "porto.players"


@cache
def player_entries(game_id: str) -> Mapping[str, str]:
    """Return the players of a game from other packages: ``MODULE:FUNCTION`` by name."""
    game = f"{game_id}."
    return {
        one.name.removeprefix(game): one.value
        for one in entry_points_of(PLAYERS_GROUP)
        if one.name.startswith(game)
    }


def player_names(game_id: str) -> frozenset[str]:
    """Return the names of the players of a game from other packages and the user's settings.

    Raises InvalidFileError, FileError for settings that cannot be read.
    """
    return frozenset((*player_entries(game_id), *settings().players))


# -- Rulings: the rules whose ids messages and scenarios cite


class Ruling(NamedTuple):
    """A ruling. ``note`` says where the rulebooks are silent or differ; it is often empty."""

    id: str
    title: str
    text: str
    note: str


_Term = tuple[str, ...]
"""A word or phrase of a query with its synonyms, one of which has to be found."""


class Rulings:
    """The rulings of one or more files, in order, with a reference card and a search.

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
        """Return the reference card."""
        return tuple(
            CardSection(title, tuple((label, flowing(text)) for label, text in lines.items()))
            for title, lines in self._tables["card"].items()
        )

    def effects(self) -> dict[str, str]:
        """Return what things in the box do, one line each, by their names."""
        return self._tables["effects"]

    def search(self, query: str) -> tuple[list[Ruling], list[Ruling]]:
        """Return the rulings about the words of a query, and those that only mention them.

        Every word has to be found, in any order: for the first list in the id or the title of a
        ruling, for the second one anywhere in it. Words match by their beginnings, ignoring
        endings (roofs, scoring, completed); terms of the printed rulebooks also find the ones used
        here (adjacent for neighbor). A part of an id, such as ``P-BUILD``, finds all ids that begin
        with it.
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
        """Return the terms of a query. A phrase such as 'score marker' is one term."""
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
    """Return a phrase in which plurals look like singulars."""
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


# -- The files that come with games.

_HERE = Path(__file__).parent
_SHARED, _PLAIN = _HERE / "rulings.toml", _HERE / "rulings_plain.toml"

DOCUMENTS = ("show", "moves", "report", "log", "standings", "simulation")
"""The documents that differ from game to game."""


@cache
def rulings_of(game_id: str) -> Rulings:
    """Return the rulings of a game, including those that all games share. Raises KeyError if there
    is no such game.
    """
    own = _folder(game_id) / "rulings.toml"
    if game_id in BOX:
        return Rulings(own, _SHARED)
    return Rulings(*[own] * own.exists(), _PLAIN, _SHARED)


def game_of_ruling(rule_id: str) -> str | None:
    """Return the game of a ruling, given its id or a part of it, by ``GameMeta.rulings``; ``None``
    if there is none.

    Rulings about records begin with R and are among the rulings of every game.
    """
    head, dash, _ = rule_id.upper().partition("-")
    if not dash or head == "R":
        return None
    metas = (meta for games in (BOX, GAMES) for meta in games.values())
    return next((meta.id for meta in metas if head in meta.rulings), None)


def ruling(rule_id: str) -> Ruling:
    """Return the ruling of an id, whichever game it is from. Raises KeyError if there is none."""
    found = rulings_of(game_of_ruling(rule_id) or DEFAULT)
    return found[rule_id] if rule_id.upper() in found.by_id else Rulings(_PLAIN)[rule_id]


def _folder(game_id: str) -> Path:
    """Return the folder of a game, without loading a game of the box."""
    if game_id in BOX:
        return folder_of(BOX[game_id].entry.partition(":")[0])
    return game_of(game_id).folder


def _text_of(game_id: str, name: str) -> str:
    """Return the text of a file that comes with a game; empty if there is no such file."""
    file = _folder(game_id) / name
    return file.read_text("utf-8") if file.exists() else ""


@cache
def scenario_folders() -> Mapping[Path, str]:
    """Return the folders of the scenarios that come with the program and with other packages, each
    with the prefix of its file names in reports.
    """
    found = {shipped_folder(): ""}
    for game_id in GAMES:
        own = _folder(game_id) / "scenarios"
        if game_id not in BOX and any(own.rglob("*.yaml")):
            found[own] = f"{game_id}/"
    return found


def shipped_folder() -> Path:
    """Return the folder of the scenarios that come with the program.

    They are part of the installed package; in a checkout they are beside it.
    """
    inside = _HERE / "scenarios"
    return inside if inside.is_dir() else _HERE.parent / "scenarios"


def manual_of(game_id: str) -> str:
    """Return the paragraphs of a game's manual; empty if there is none."""
    return _text_of(game_id, "manual.txt").strip()


# A TOML file is any tree of values.
@cache
def lessons_of(game_id: str) -> Mapping[str, Any]:
    """Return the lessons of a game, see docs/adding-a-game.md; empty if there are none."""
    return tomllib.loads(_text_of(game_id, "lessons.toml"))


def is_lesson(game_id: str, seed: object) -> bool:
    """Return whether a game with this seed is a lesson: its deal is known, and so is its play."""
    lesson = lessons_of(game_id).get("lesson")
    return lesson is not None and seed == lesson["seed"]


@cache
def questions_of(game_id: str) -> Mapping[str, str]:
    """Return what is said about each kind of question, in any game and in this one."""
    own = tomllib.loads((_HERE / "questions.toml").read_text("utf-8"))
    return {**own, **lessons_of(game_id).get("questions", {})}


def meanings_of_words() -> dict[str, Sequence[str]]:
    """Return the command lines that words mean which are no commands, each with a sentence, or an
    empty one if the words are just other names for it.
    """
    return tomllib.loads((_HERE / "meanings.toml").read_text("utf-8"))


# A JSON schema is any tree of JSON values.
def json_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of the documents; each has a definition in ``$defs``.

    These are ``show``, ``moves``, ``try``, ``hint``, ``log``, ``verify``, ``rules``, ``scenario``,
    ``simulate``, ``games``, ``key`` and ``me``, named after their commands, ``report`` of the
    commands that make a move, ``standings`` of ``porto score``, ``analysis`` of ``porto analyze``,
    ``simulation`` of a line of ``porto simulate``, ``addresses`` of ``porto address``, and
    ``error``. Some differ from game to game: ``show`` is ``porto-show`` or ``puerto-rico-show``,
    and ``plain-show`` for a game from another package whose ``schema.json`` defines no ``show``.
    """
    shipped = (_HERE / "schemas" / "porto-1.schema.json").read_text("utf-8")
    schema: dict[str, Any] = json.loads(shipped)
    shared = schema["$defs"]
    of_games = {game_id: definitions_of(game_id) for game_id in GAMES}
    for game_id, own in of_games.items():
        shared |= own
        facts = own.get(f"{game_id}-facts", {"properties": {}})
        shared["verified"]["oneOf"][0]["properties"] |= facts["properties"]
    shared["game_id"]["enum"] = list(of_games)
    for name in DOCUMENTS:
        plain = [one for one, own in of_games.items() if f"{one}-{name}" not in own]
        names = [one for one in of_games if one not in plain] + ["plain"] * bool(plain)
        shared[name]["anyOf"] = [{"$ref": f"#/$defs/{one}-{name}"} for one in names]
        properties = shared[f"plain-{name}"]["properties"]
        if "game" in properties:
            properties["game"]["enum"] = plain
    return schema


def definitions_of(game_id: str) -> dict[str, Any]:
    """Return the JSON Schema definitions of a game.

    In other packages their names have to begin with the name of the game; others are left out.
    """
    schema = json.loads(_text_of(game_id, "schema.json") or "{}")
    own = schema.get("$defs", {}) | game_of(game_id).definitions()
    return {key: own[key] for key in own if game_id in BOX or key.startswith(f"{game_id}-")}
