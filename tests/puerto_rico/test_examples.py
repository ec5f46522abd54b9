"""What comes up with the seed of the examples in the manual."""

from __future__ import annotations

import pytest

from porto_cli import new_game
from porto_cli.core.chance import choose, seeded_chance
from porto_cli.games.puerto_rico.engine.play import apply
from porto_cli.games.puerto_rico.engine.setup import (
    begin,
    deal,
    deal_kinds,
    deal_tiles,
)
from porto_cli.games.puerto_rico.engine.state import Config
from porto_cli.games.puerto_rico.notation import (
    PLANTATION_NAMES,
    format_bundle,
    format_kinds,
    parse_move,
)
from porto_cli.games.puerto_rico.record_keys import chance_entries
from tests.shares import for_each

# -- chance


@for_each(
    ("stream", "index", "count", "choice"),
    [
        ("tiles", 0, 47, 32),
        ("tiles", 4, 43, 13),
        ("buildings", 1, 4, 3),
        ("buildings", 2, 3, 2),
        ("first", 0, 3, 0),
    ],
)
def test_the_vectors_of_the_streams(stream, index, count, choice):
    assert choose("arecibo", stream, index, count) == choice


def config(players: int, buildings: str = "base") -> Config:
    return Config(tuple("ABCDE"[:players]), buildings=buildings)


@pytest.mark.parametrize(
    ("players", "row"),
    [
        (2, "sugar 3"),
        (3, "corn sugar 3"),
        (4, "corn 2 sugar 2 tobacco"),
        (5, "corn 2 indigo 2 sugar coffee"),
    ],
)
def test_the_rows_of_arecibo(players, row):
    tiles = deal_tiles(config(players), seeded_chance("arecibo"))
    assert format_bundle(tiles, PLANTATION_NAMES) == row


def test_the_tiles_of_arecibo_come_up_in_order():
    asked = []

    def chance(stream: str, index: int, pile: bytes) -> int:
        position = seeded_chance("arecibo")(stream, index, pile)
        asked.append((stream, index, len(pile), position))
        return position

    deal_tiles(config(3), chance)
    assert asked[0] == ("tiles", 0, 47, 32)
    assert [index for _, index, _, _ in asked] == [0, 1, 2, 3]


def test_the_random_buildings_of_arecibo():
    kinds = deal_kinds(config(4, "random"), seeded_chance("arecibo"))
    assert format_kinds(kinds) == (
        "aqueduct hacienda construction-hut storehouse hospice large-market church small-wharf "
        "factory specialty-factory library wharf guild-hall residence fortress customs-house "
        "cloister"
    )


def test_the_first_governor_of_arecibo():
    match = new_game(["Inês", "Joana", "Afonso"], game="puerto-rico", seed="arecibo")
    assert match.players[0] == "Inês"


def test_the_record_of_the_page():
    game = config(3)
    chance = seeded_chance("arecibo")
    state = begin(game, deal(game, chance))
    entries = []
    for text in ("role settler", "take quarry", "take corn", "take sugar"):
        before = state
        state, events = apply(before, parse_move(text), chance)
        entries += chance_entries(before, events)
    assert entries == [("tiles", "corn 2 indigo coffee")]
    assert (state.phase, state.seat) == ("role", 1)
