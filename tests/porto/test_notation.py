"""The notation: canonical names, abbreviations, and the three ways a text can be wrong.

A text can be unreadable, ambiguous, or a move that the rules refuse: three different answers.
"""

from __future__ import annotations

from itertools import combinations, permutations

import pytest

from porto_cli.core import AmbiguousMoveError, InvalidMoveError
from porto_cli.games.porto.engine import (
    CARDS,
    COLORS,
    EMPTY,
    HOUSES,
    NOWHERE,
    PRIVATE_NAMES,
    PUBLIC_NAMES,
    card_names,
    parse_card,
    parse_color,
    parse_house,
    parse_private,
    parse_public,
)
from porto_cli.games.porto.engine.cards import Claim, Draw, Keep
from porto_cli.games.porto.engine.play import PASS, Build, violations
from porto_cli.games.porto.engine.state import CONTRACTS, Built, State
from porto_cli.games.porto.notation import format_move, parse_move
from tests.porto.playing import Kind
from tests.shares import for_each


def row(*names: str) -> bytes:
    return bytes(EMPTY if name == "none" else CARDS.index(name) for name in names)


@pytest.fixture
def table() -> State:
    """Three players; blue-1 lies in the spaces 2 and 4, space 5 is empty."""
    state = Kind(3).begin(lambda *_: 0)
    state.phase = "act"
    state.cards = row("red-2", "blue-1", "green-3", "blue-1", "none")
    state.hands = (row("blue-1", "red-3"), b"", b"")
    state.contracts = bytes(
        [PUBLIC_NAMES.index(name) for name in ("3-blue-floors", "blue+red", "green-house")]
        + [EMPTY]
    )
    return state


def test_every_name_reads_as_itself_in_any_case():
    for names, parse in (
        (CARDS, parse_card),
        (HOUSES, parse_house),
        (COLORS, parse_color),
        (PUBLIC_NAMES, parse_public),
        (PRIVATE_NAMES, parse_private),
    ):
        for number, name in enumerate(names):
            assert parse(name) == parse(name.upper()) == parse(name.lower()) == number


def test_cards_may_be_cut_to_a_letter_and_a_value():
    for number, name in enumerate(CARDS):
        color, value = name.split("-")
        for cut in range(1, len(color) + 1):
            for short in (f"{color[:cut]}-{value}", f"{color[:cut]}{value}"):
                assert parse_card(short) == parse_card(short.upper()) == number


SHORT = {
    "b+r": "blue+red",
    "r+b": "blue+red",
    "RED+blue": "blue+red",
    "bl+re": "blue+red",
    "3-b-f": "3-blue-floors",
    "1-g-floor": "1-green-floor",
    "g-h": "green-house",
    "y+y": "yellow+yellow",
    "2-g": "2-green-floors",
    "1-b": "1-blue-floor",
    "3-BL": "3-blue-floors",
    "2-green": "2-green-floors",
    "h-b": "houses-blue",
    "trios-y+b+g": "trios-blue+green+yellow",
    "pa-r+g": "pairs-green+red",
    "pal": "palette",
    "p": "palette",
    "s": "side",
    "e-p": "ends-purple",
    "pairs-g+p": "pairs-green+purple",
    "trios-green+red": "trios-green+red+yellow",
}
"""Parts that are cut, colors in any order, and beginnings of one name alone."""


@for_each(("short", "name"), SHORT.items())
def test_a_contract_may_be_called_by_what_only_its_name_can_mean(short, name):
    if name in PUBLIC_NAMES:
        assert PUBLIC_NAMES[parse_public(short)] == name
    else:
        assert PRIVATE_NAMES[parse_private(short)] == name


def test_the_shortest_unambiguous_forms_are_unambiguous():
    """Each part cut to one letter, colors in every order: one meaning, or a clear question."""
    for names, parse in ((PUBLIC_NAMES, parse_public), (PRIVATE_NAMES, parse_private)):
        for name in names:
            parts = [part.split("+") for part in name.split("-")]
            for order in permutations(parts[-1]):
                short = "-".join(
                    [part[0][0] for part in parts[:-1]] + ["+".join(word[0] for word in order)]
                )
                assert name in meaning(names, parse, short)


def meaning(names, parse, short: str) -> str:
    """Return what a short form means, or the question that it is answered with."""
    try:
        return names[parse(short)]
    except AmbiguousMoveError as error:
        return str(error)


@for_each(
    ("parse", "word", "says"),
    [
        (
            parse_public,
            "b",
            "mean blue+blue, blue+green, blue+purple, blue+red, blue+yellow ",
        ),
        (parse_public, "blue+", "Did you mean blue+blue, "),
        (parse_public, "2", "2-red-floors or 2-yellow-floors?"),
        (parse_private, "trios-blue+green", "Did you mean trios-blue+green+purple, "),
        (
            parse_private,
            "pairs",
            "pairs-purple+yellow or pairs-red+yellow?",
        ),
    ],
)
def test_what_several_names_begin_with_is_ambiguous(parse, word, says):
    with pytest.raises(AmbiguousMoveError) as error:
        parse(word)
    assert says in str(error.value)


@for_each(
    ("parse", "word", "says"),
    [
        (parse_card, "", "blue-3 or b3"),
        (parse_card, "3", "Did you mean blue-3, green-3, purple-3"),
        (parse_card, "b4", "a value from 1 to 3"),
        (parse_card, "-3", "purple, red or yellow, and a value"),
        (parse_card, "black-3", "There is no card 'black-3'"),
        (parse_card, "blue-3@1", "There is no card"),
        (parse_card, "b\u00b2", "There is no card"),
        (parse_house, "L8", "L1 to L7"),
        (parse_house, "", "R1 to R7"),
        (parse_house, "4", "'4' is not a house"),
        (parse_color, "black", "blue, green, purple, red or yellow"),
        (parse_color, "", "is not a color"),
        (parse_public, "blue+black", "Did you mean blue+blue?"),
        (parse_public, "3-f", "3-blue-floors, blue-house or blue+red"),
        (parse_private, "castle", "houses-blue, pairs-blue+red or palette"),
        (parse_private, "trios-green+yellow", "is not a private contract"),
        (parse_private, "", "is not a private contract"),
    ],
)
def test_an_unreadable_word_is_answered_with_what_would_be_right(parse, word, says):
    with pytest.raises(InvalidMoveError, match=r".") as error:
        parse(word)
    assert says in str(error.value)
    assert not isinstance(error.value, AmbiguousMoveError)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "a move begins with keep, draw"),
        ("   ", "a move begins with"),
        ("take blue-1", "'take' is not a move"),
        ("draw blue-4", "There is no card"),
        ("draw blue-1@6", "spaces 1 to 5"),
        ("draw blue-1@", "blue-1@5"),
        ("draw blue-1@\u0664", "spaces 1 to 5"),
        ("build red-3", "build red-3 blue-1 L4 token L6"),
        ("build red-3 blue-1", "A build names"),
        ("build red-3 blue-1 L4 L6", "A build names"),
        ("build red-3 blue-1 L4 roof L6", "'roof' is not 'token': build red-3 blue-1 L4 token L6."),
        ("build red-3 blue-1 L9", "not a house"),
        ("build red-3 blue-1 L4 token M1", "not a house"),
        ("contract", "contract none"),
        ("contract 5", "spaces 1 to 4"),
        ("contract castle", "not a public contract"),
        ("keep 6 1 2", "numbered 1 to 5"),
        ("keep castle", "not a private contract"),
        ("pass now", "single word"),
        ("undo", "takes back"),
    ],
)
def test_an_unreadable_move_is_answered_with_what_would_be_right(table, text, says):
    with pytest.raises(InvalidMoveError) as error:
        parse_move(text, table)
    assert says in str(error.value)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("draw", "P-DRAW-1"),
        ("draw yellow-3", "P-DRAW-1"),
        ("draw red-2 red-2", "P-DRAW-1"),
        ("draw blue-1@3", "P-DRAW-1"),
        ("draw blue-1 red-2 blue-1", "P-DRAW-1"),
        ("build yellow-1 red-3 L3", "P-BUILD-1"),
        ("build blue-1 red-3 L1", "P-SETUP-1"),
        ("build blue-1 red-3 L3", "P-TOKEN-1"),
        ("contract 1", "P-PUBLIC-1"),
        ("pass", "P-PASS-1"),
        ("keep 1 2 3", "P-SETUP-5"),
    ],
)
def test_a_readable_move_against_the_rules_is_refused_by_the_rules(table, text, rule):
    table.kept = (b"\x00\x01\x02", b"", b"")
    found = violations(table, parse_move(text, table))
    assert rule in [violation.rule for violation in found]


@pytest.mark.parametrize(
    ("text", "move", "canonical"),
    [
        ("draw blue-1", Draw((1,)), "draw blue-1"),
        ("DRAW  B1   r2", Draw((0, 1)), "draw red-2 blue-1"),
        ("draw b1 b1", Draw((1, 3)), "draw blue-1 blue-1"),
        ("draw b1@4", Draw((3,)), "draw blue-1@4"),
        ("draw b1@2", Draw((1,)), "draw blue-1"),
        ("draw b1 b1@2", Draw((1, 3)), "draw blue-1 blue-1"),
        ("draw b1@4 b1", Draw((1, 3)), "draw blue-1 blue-1"),
        ("build r3 b1 l4", Build(11, 0, 3), "build red-3 blue-1 L4"),
        ("Build r3 b1 l4 TOKEN r2", Build(11, 0, 3, 8), "build red-3 blue-1 L4 token R2"),
        ("contract 2 1", Claim((0, 1)), "contract 3-blue-floors blue+red"),
        ("contract r+b", Claim((1,)), "contract blue+red"),
        ("contract NONE", Claim(()), "contract none"),
        ("keep 5 1 3", Keep((0, 2, 4)), "keep 1 3 5"),
        ("Pass", PASS, "pass"),
    ],
)
def test_moves_are_read_generously_and_written_in_one_way(table, text, move, canonical):
    assert parse_move(text, table) == move
    assert format_move(move, table) == canonical
    assert parse_move(canonical, table) == move


def test_private_contracts_are_kept_by_number_or_name_two_of_a_kind_included(table):
    palette, side = PRIVATE_NAMES.index("palette"), PRIVATE_NAMES.index("side")
    table.dealt = (bytes([palette, 0, side, palette, 5]), *table.dealt[1:])
    assert parse_move("keep palette palette side", table) == Keep((0, 2, 3))
    assert parse_move("keep 1 palette side", table) == Keep((0, 2, 3))
    assert parse_move("keep palette 1 side", table) == Keep((0, 2, 3))
    assert parse_move("keep 4 palette side", table) == Keep((0, 2, 3))
    move = parse_move("keep palette palette palette", table)
    assert move == Keep((0, 3), (palette,))


def test_another_players_deal_is_read_by_the_own_numbers(table):
    first, second = (
        " ".join(PRIVATE_NAMES[contract] for contract in table.dealt[seat][:3]) for seat in (0, 1)
    )
    assert parse_move(f"keep {second}", table, 1) == Keep((0, 1, 2))
    assert parse_move(f"keep {first}", table, 1) != Keep((0, 1, 2))


def test_at_a_real_table_private_contracts_are_kept_by_name():
    state = Kind(2, table=True).begin(lambda *_: 0)
    names = sorted(PRIVATE_NAMES.index(name) for name in ("side", "palette", "ends-red"))
    move = parse_move("keep side palette ends-red", state)
    assert move == Keep((), tuple(names))
    assert format_move(move, state) == "keep ends-red palette side"
    with pytest.raises(InvalidMoveError, match="by their names"):
        parse_move("keep 1 2 3", state)


def test_the_face_up_cards_have_names_empty_spaces_too(table):
    assert card_names(table.cards) == ["red-2", "blue-1", "green-3", "blue-1", "none"]


def test_every_draw_of_a_row_with_twins_has_a_text_of_its_own(table):
    table.cards = row("blue-1", "blue-1", "red-1", "blue-1", "red-1")
    draws = [Draw(spaces) for size in (1, 2, 3) for spaces in combinations(range(5), size)]
    texts = [format_move(draw, table) for draw in draws]
    assert len(set(texts)) == len(draws)
    for draw, text in zip(draws, texts, strict=True):
        assert parse_move(text, table) == draw


def test_a_token_that_stays_has_no_roof_in_the_text(table):
    assert format_move(Build(0, 0, 0, NOWHERE), table) == "build blue-1 blue-1 L1"


def test_a_contract_is_found_where_it_lies(table):
    table.phase = CONTRACTS
    table.built = Built(11, 0, 3, 3, False)
    table.claimable = (0, 1)
    assert parse_move("contract 3-b-f b+r", table) == Claim((0, 1))
    assert parse_move("contract g-h", table) == Claim((2,))
    assert parse_move("contract red+red", table) == Claim((), (PUBLIC_NAMES.index("red+red"),))


def test_an_empty_space_for_a_contract_is_called_by_its_number(table):
    """Illegal, but a move that was read has a text in any case."""
    claim = parse_move("contract 4 blue+red", table)
    assert claim == Claim((1, 3))
    assert format_move(claim, table) == "contract blue+red 4"
    assert parse_move("contract blue+red 4", table) == claim


def test_anything_but_a_move_has_no_text(table):
    with pytest.raises(TypeError):
        format_move("draw", table)  # type: ignore[arg-type]
