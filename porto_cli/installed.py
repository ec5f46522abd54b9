"""What is installed: players of other packages, and the files that come with games.

Other packages register players as entry points:

    [project.entry-points."porto.players"]
    "nim.perfect" = "porto_nim_players:perfect"

The name of a player begins with that of its game (see :mod:`porto_cli.games`); its object is what
``FILE.py:FUNCTION`` names as well, see :mod:`porto_cli.players.named`. The metadata of installed
packages is read only when a player is named that is not in the box, and a package is loaded when
its player is asked for.

Each game has files of its own in ``Game.folder``; none of them is needed.

``rulings.toml``  rulings, and the card of ``porto rules --game``; those of all games are here
``scenarios/``    what ``porto scenario`` runs; those of the box have a folder together
``lessons.toml``  how it is taught: how to play, two sentences about each kind of question, a lesson
``manual.txt``    what ``porto help --game`` prints first
``schema.json``   what the JSON documents of the game are made of
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from porto_cli.core.rulings import Ruling, Rulings
from porto_cli.game import folder_of
from porto_cli.games import BOX, DEFAULT, GAMES, entry_points_of, game_of
from porto_cli.settings import settings

PLAYERS_GROUP = "porto.players"


@cache
def player_entries(game_id: str) -> Mapping[str, str]:
    """Return the players of a game that other packages have: names, and ``MODULE:FUNCTION``."""
    game = f"{game_id}."
    return {
        one.name.removeprefix(game): one.value
        for one in entry_points_of(PLAYERS_GROUP)
        if one.name.startswith(game)
    }


def player_names(game_id: str) -> frozenset[str]:
    """Return the players of a game that other packages have, and those of the user's settings.

    Raises InvalidFileError, FileError for settings that cannot be read.
    """
    return frozenset((*player_entries(game_id), *settings().players))


# -- The files that come with games.

_HERE = Path(__file__).parent
_SHARED, _PLAIN = _HERE / "rulings.toml", _HERE / "rulings_plain.toml"

DOCUMENTS = ("show", "moves", "report", "log", "standings", "simulation")
"""The documents that differ from game to game."""


@cache
def rulings_of(game_id: str) -> Rulings:
    """Return the rulings of a game, and those that all games share. Raises KeyError if there is no
    such game.
    """
    own = _folder(game_id) / "rulings.toml"
    if game_id in BOX:
        return Rulings(own, _SHARED)
    return Rulings(*[own] * own.exists(), _PLAIN, _SHARED)


def game_of_ruling(rule_id: str) -> str | None:
    """Return the game whose rulings begin like this id, or like this part of one.

    That follows from ``GameMeta.rulings``. What is about the record, not about a game, begins with
    R and is found in the rulings of every game.
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
    """Return the folder of a game; the rules of one of the box are not loaded for that."""
    if game_id in BOX:
        return folder_of(BOX[game_id].entry.partition(":")[0])
    return game_of(game_id).folder


def _text_of(game_id: str, name: str) -> str:
    """Return the text of a file that comes with a game; empty if it has none of this name."""
    file = _folder(game_id) / name
    return file.read_text("utf-8") if file.exists() else ""


@cache
def scenario_folders() -> Mapping[Path, str]:
    """Return the folders of the scenarios that come with the program and with other packages, and
    what the names of the files of each begin with when they are reported.
    """
    found = {shipped_folder(): ""}
    for game_id in GAMES:
        own = _folder(game_id) / "scenarios"
        if game_id not in BOX and any(own.rglob("*.yaml")):
            found[own] = f"{game_id}/"
    return found


def shipped_folder() -> Path:
    """Return the folder of the scenarios that come with the program.

    They are part of the installed package; in a checkout they lie beside it.
    """
    inside = _HERE / "scenarios"
    return inside if inside.is_dir() else _HERE.parent / "scenarios"


def manual_of(game_id: str) -> str:
    """Return the manual of a game: paragraphs; empty if there is none."""
    return _text_of(game_id, "manual.txt").strip()


# A TOML file is any tree of values.
@cache
def lessons_of(game_id: str) -> Mapping[str, Any]:
    """Return what teaches a game, see docs/adding-a-game.md; empty if there is nothing."""
    return tomllib.loads(_text_of(game_id, "lessons.toml"))


# A JSON schema is any tree of JSON values.
def json_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of the documents; each has a definition in ``$defs``.

    These are ``show``, ``moves``, ``try``, ``hint``, ``log``, ``verify``, ``rules``, ``scenario``,
    ``simulate``, ``games``, ``key`` and ``me``, called like their commands, ``report`` of the
    commands that make a move, ``standings`` of ``porto score``, ``analysis`` of ``porto analyze``,
    ``simulation`` of a line of ``porto simulate``, ``addresses`` of ``porto address``, and
    ``error``. What games show differs: ``show`` is ``porto-show`` or ``puerto-rico-show``, and
    ``plain-show`` for a game of another package that does not define a ``show`` of its own in
    its ``schema.json``.
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
    """Return the definitions of a game.

    The names of those of other packages begin with that of the game; definitions
    with other names are left out.
    """
    schema = json.loads(_text_of(game_id, "schema.json") or "{}")
    own = schema.get("$defs", {}) | game_of(game_id).definitions()
    return {key: own[key] for key in own if game_id in BOX or key.startswith(f"{game_id}-")}
