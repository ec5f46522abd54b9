"""Keys of a record that only Puerto Rico has: options, setup, what came up, and the result."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from porto_cli.core import InvalidMoveError
from porto_cli.core.chance import NothingTypedError, NotInPileError
from porto_cli.core.yaml import Node, flow, scalar
from porto_cli.games.puerto_rico.engine import (
    BASE_KINDS,
    HOUSE_RULES,
    PLACES,
    RANDOM,
    TILES,
    set_of,
)
from porto_cli.games.puerto_rico.engine.effects import STREAM, final_scores
from porto_cli.games.puerto_rico.engine.moves import Event, come_up
from porto_cli.games.puerto_rico.engine.play import Deal, kinds_allowed
from porto_cli.games.puerto_rico.engine.play import deal as deal
from porto_cli.games.puerto_rico.engine.state import Config, State
from porto_cli.games.puerto_rico.notation import (
    PLANTATION_NAMES,
    find,
    find_building,
    format_bundle,
    format_kinds,
    parse_bundle,
)
from porto_cli.kinds import Kind, parsed, read_all, word

KINDS_IN_A_GAME = BASE_KINDS.bit_count()
"""Violet kinds in a game (PR-SETUP-7)."""


# The options are keywords of Config, each of a type of its own.
def new_config(players: Sequence[str], **options: Any) -> Config:
    """Return a configuration; the options are those of the ``HOUSE_RULES``.

    Raises ValueError.
    """
    return Config(tuple(players), **options)


_OPTIONS = {rule.name: word(*rule.choices) for rule in HOUSE_RULES}


def read_config(root: Node, players: tuple[str, ...]) -> Config:
    """Return the configuration of the key ``options``. Raises InvalidFileError."""
    options = read_all(_OPTIONS, root["options"]) if "options" in root else {}
    return Config(players, **options)


def config_lines(config: Config) -> list[str]:
    """Return the canonical line of ``options``."""
    written = {
        rule.name: value
        for rule in HOUSE_RULES
        if (value := config.options[rule.name]) != rule.usual or rule.always
    }
    return [f"options: {flow(written)}"]


def deal_kinds(config: Config) -> dict[str, Kind]:
    """Return what is under ``setup``: kinds that were drawn (PR-RANDOM-1), and the first row."""
    row = parsed(
        lambda words: read_row(words, config),
        lambda tiles: format_bundle(tiles, PLANTATION_NAMES),
    )
    drawn = {"buildings": parsed(read_kinds, format_kinds)} if config.buildings == RANDOM else {}
    return {**drawn, "tiles": row}


def deal_of(config: Config, values: Mapping[str, Any]) -> Deal:
    """Return the deal that has these values under ``setup``."""
    return Deal(values.get("buildings", config.kinds), values["tiles"])


def read_row(text: str, config: Config) -> bytes:
    """Return the row of a new game: how many plantations of each kind. Raises InvalidMoveError."""
    row = parse_bundle(text.split(), PLANTATION_NAMES)
    if sum(row) != config.row:
        these = f"With {config.seats} players {config.row} plantations lie face up at the start"
        raise InvalidMoveError(f"{these}, not {sum(row)}.")
    for tile, number in enumerate(row):
        here = config.plantations[tile] - config.box.starting_tiles.count(tile)
        if number > here:
            raise InvalidMoveError(
                f"There are only {here} plantations of {PLACES[tile]} that can come up."
            )
    return row


def read_kinds(text: str) -> int:
    """Return the 17 violet kinds of a game, named in any order. Raises InvalidMoveError."""
    chosen = 0
    for building in text.split():
        place = find_building(building)
        kind = set_of([place])
        if not kinds_allowed(chosen) & kind:
            raise InvalidMoveError(
                f"{PLACES[place]} cannot be in the game as well: it is named twice, is "
                "not violet, all kinds of its cost are there, or it excludes one that is."
            )
        chosen |= kind
    if chosen.bit_count() != KINDS_IN_A_GAME:
        raise InvalidMoveError(
            f"{KINDS_IN_A_GAME} kinds of violet buildings are in a game, not {chosen.bit_count()}."
        )
    return chosen


def deal_values(config: Config, deal: Deal) -> dict[str, Any]:
    """Return what a deal has under the keys of ``setup``."""
    drawn = {"buildings": deal.kinds} if config.buildings == RANDOM else {}
    return {**drawn, "tiles": deal.tiles}


def result_entries(state: State) -> list[tuple[str, str]]:
    """Return the entries of a result: the totals, first place first, and all VP chips."""
    counted = sorted(final_scores(state), key=lambda one: one.place)
    players = state.config.players
    return [
        ("result", flow({scalar(players[one.seat]): str(one.total) for one in counted})),
        ("vp", " ".join(str(player.vp) for player in state.players)),
    ]


def chance_entries(before: State, events: Iterable[Event]) -> list[tuple[str, str]]:
    """Return what came up after a decision: the tile of the Hacienda, and the new row."""
    return [(key, format_bundle(tiles, PLANTATION_NAMES)) for key, tiles in come_up(events)]


def read_chance(key: str, text: str) -> tuple[str, bytes] | None:
    """Return the tiles of an entry, in no order; ``None`` for the key of anything else.

    Raises InvalidMoveError.
    """
    if key == "tile":
        return STREAM, bytes([find(text, PLANTATION_NAMES)])
    if key != "tiles":
        return None
    row = parse_bundle(text.split(), PLANTATION_NAMES)
    return STREAM, bytes(tile for tile, number in enumerate(row) for _ in range(number))


def chance_fault(error: NothingTypedError | NotInPileError) -> str:
    """Return which tiles an item lacks, or which of its tiles cannot come up."""
    if isinstance(error, NotInPileError):
        tile = TILES[error.thing]
        return f"{tile} cannot come up: all of it is face up, on an island, or discarded."
    return (
        "The turn has to say which plantations came up ('tile: …' for the Hacienda, 'tiles: "
        "…' for the new row)."
    )
