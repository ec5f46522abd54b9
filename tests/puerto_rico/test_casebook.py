"""The casebook of Puerto Rico: what its cases are about, and that they are compared."""

from __future__ import annotations

import re

import pytest

from porto_cli.core.yaml import InvalidFileError
from porto_cli.games.puerto_rico.engine import BUILDINGS, ROLES
from porto_cli.games.puerto_rico.engine.moves import EARN_REASONS, SCORE_REASONS, Stored, TookTile
from porto_cli.games.puerto_rico.engine.state import PHASES
from porto_cli.games.puerto_rico.position import RECKON_NAMES
from porto_cli.scenario import (
    run,
    scenario_of_text,
)
from tests.conformance.test_casebook import cases, files_of
from tests.puerto_rico.tables import play, table
from tests.shares import for_each


def test_every_building_role_and_phase_has_its_cases() -> None:
    words = set(
        re.findall(
            r"[a-z0-9-]+", " ".join(file.read_text("utf-8") for file in files_of("puerto-rico"))
        )
    )
    assert {building.name for building in BUILDINGS} <= words
    assert {*ROLES, *PHASES} <= words
    assert {*SCORE_REASONS, *EARN_REASONS, *RECKON_NAMES} <= words


def test_every_number_of_players_and_every_option_has_its_cases() -> None:
    configs = [case.start.state.config for _, case in cases("puerto-rico")]
    assert {config.seats for config in configs} == {2, 3, 4, 5}
    assert {config.buildings for config in configs} == {"base", "draft", "random"}
    assert {config.rulebook for config in configs} == {"printed", "guide"}


def test_every_way_to_end_has_its_cases() -> None:
    ends = {reason for _, case in cases("puerto-rico") for reason in run(case).after.end_triggered}
    assert ends == {"colonists", "city", "vp"}


def test_events_say_what_happened_without_a_choice() -> None:
    """What a player did is not ``auto``, what followed by itself is."""
    for text, auto in (("take face-down", [False]), ("take corn", [False]), ("pass", [])):
        state = table(3, "settler", row="corn 2 sugar 2", a={"full": "hacienda"})
        tiles = [event for event in play(state, text).events if isinstance(event, TookTile)]
        assert [tile.auto for tile in tiles] == auto
    barrels = table(3, a={"goods": "corn 3"}, b={"goods": "sugar"})
    barrels.cargo_goods, barrels.cargo_barrels = bytes([4, 3, 1]), bytes([4, 5, 6])
    stored = [e for e in play(barrels, "role captain").events if isinstance(e, Stored)]
    assert [event.auto for event in stored] == [True, True, True]


# -- that the cases are compared

HEAD = """porto: 1
game: puerto-rico
scenario: A sale
players: [Inês, Joana]
position: {phase: trader, goods: {Inês: coffee}}
cases:
"""

WRONG = [
    ("- play: sell corn", "play sell corn: it is legal, not PR-TRADER-1"),
    ("- play: sell coffee\n  scores: {Inês: {shipping: 1}}", "scores Inês shipping: 1, not 0"),
    ("- play: sell coffee\n  earns: {Inês: {sale: 4}}", "earns Inês trader: 0, not 1"),
    ("- play: sell coffee\n  earns: {Inês: {sale: 4, trader: 1, role: 1}}", "role: 1, not 0"),
    ("- play: sell coffee\n  earns: {}", "earns Inês sale: 0, not 4"),
    ("- play: sell coffee\n  then: {goods: {Inês: coffee}}", "goods Inês: coffee, not none"),
    ("- then: {to-move: Joana}", "to-move: Joana, not Inês"),
    ("- legal: [pass]", "legal, but not listed: none, not sell coffee"),
    ("- legal: [pass, sell coffee, sell corn]", "listed, but not legal: none, not sell corn"),
    ("- legal-count: 3", "legal-count: 3, not 2"),
    ("- legal-count: 123456789", "legal-count: 123456789, not 2"),
    ("- refuse: pass\n  because: [PR-TURN-1]", "refuse pass: PR-TURN-1, not it is legal"),
    ("- refuse: sell corn\n  because: [PR-TRADER-1, PR-TRADER-2]", "TRADER-2, not PR-TRADER-1"),
    ("- unreadable: sell corn", "unreadable sell corn: no move at all, not a move"),
    ("- reckon: {Inês: {total: 1}}", "reckon Inês total: 1, not 0"),
    ("- reckon: {Inês: {residence: 4}}", "reckon Inês residence: 4, not 0"),
]


@for_each(("case", "difference"), WRONG)
def test_a_case_that_is_wrong_is_found_out(case: str, difference: str) -> None:
    (wrong,) = scenario_of_text(f"{HEAD}{case}\n", "wrong.yaml").cases
    found = "\n".join(f"{what}: {one}, not {other}" for what, one, other in run(wrong).differences)
    assert difference in found


UNREADABLE = [
    (
        "- {legal: [pass], if: {phase: mayor, ship: 0, goods: {Inês: none}, san-juan: {Inês: 8}, "
        "island: {Inês: corn indigo sugar tobacco quarry 2}, "
        "city: {Inês: sugar-mill tobacco-storage coffee-roaster}}}",
        "legal moves, too many to list; use 'legal-count'",
    ),
    ("- legal-count: 1234567890", "a whole number from 0 to 999999999"),
    ("- played: pass", "The key 'played' is unknown here"),
    ("- play: pas", "'pas' is not a move"),
    ("- {play: pass, scores: {Rita: {shipping: 1}}}", "There is no player 'Rita'"),
    ("- {play: pass, scores: {Inês: {sale: 1}}}", "The key 'sale' is unknown here"),
    ("- {play: pass, earns: {Inês: {sale: many}}}", "a whole number from -999 to 999"),
    ("- {play: pass, earns: {Inês: {sale: --1}}}", "a whole number from -999 to 999"),
    ("- {play: pass, earns: [4]}", "should contain keys with values"),
    ("- {play: pass, then: {comes-up: [corn]}}", "The key 'comes-up' is unknown here"),
    ("- reckon: {Inês: {small-market: 1}}", "The key 'small-market' is unknown here"),
    ("- {play: pass, if: {goods: {Inês: [corn]}}}", "a single text"),
    (
        "- {play: [take face-down], if: {phase: settler, city: {Inês: hacienda}, "
        "colonists: {Inês: hacienda}, tiles: corn 3, comes-up: [corn, corn, corn, corn]}}",
        "than are face down (3)",
    ),
    (
        "- {play: take corn, if: {phase: settler, to-move: Joana, goods: {Inês: none}, "
        "island: {Inês: indigo, Joana: coffee 4}, tiles: corn sugar, tile-discards: "
        "corn 6 indigo 8 sugar 7 tobacco 6, comes-up: [coffee, coffee]}}",
        "coffee cannot come up when take corn is played: it is not face down.",
    ),
]


@for_each(("case", "message"), UNREADABLE)
def test_a_case_that_cannot_be_read_is_an_error(case: str, message: str) -> None:
    with pytest.raises(InvalidFileError, match=re.escape(message)):
        run(scenario_of_text(f"{HEAD}{case}\n", "wrong.yaml").cases[0])
