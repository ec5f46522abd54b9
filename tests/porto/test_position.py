"""Positions: what is left out, what cannot be, and the way from a state to a file and back."""

from __future__ import annotations

import pytest

from porto_cli.core.yaml import InvalidFileError, read
from porto_cli.fields import Position
from porto_cli.games.porto.editions import DEFAULT, shipped
from porto_cli.games.porto.engine import CARDS, EMPTY, PRIVATE, PUBLIC
from porto_cli.games.porto.engine.cards import Draw
from porto_cli.games.porto.engine.play import apply
from porto_cli.games.porto.engine.state import ACT, KEEP, OVER, Config, State
from porto_cli.games.porto.position import read_position
from tests.shares import for_each

NAMES = ("Inês", "Joana", "Afonso", "Duarte")


def position(text: str = "{}", players: int = 2, unchecked: bool = False, **game) -> Position:
    node = read(f"position:\n  {text}" if "{" not in text[:1] else f"position: {text}", "file.yaml")
    timer = game.pop("timer", 28) if players == 1 else 0
    table = Config(shipped(DEFAULT), NAMES[:players], timer=timer, **game)
    inside = node["position"]
    return read_position(inside, table, unchecked=unchecked)


def names(cards: bytes) -> list[str]:
    return [CARDS[card] for card in cards]


def test_what_is_left_out_is_a_fresh_setup_without_tokens() -> None:
    state = position().state
    assert (state.phase, state.seat, state.turn, state.round) == (ACT, 0, 0, 1)
    assert not any(state.floors)
    assert not any(state.ground_tokens)
    assert not any(state.roof_tokens)
    assert state.hands == (b"", b"")
    assert state.scores == (0, 0)
    assert (len(state.cards), state.deck_left, state.discards) == (5, 45, b"")
    assert (len(state.contracts), len(state.contract_deck)) == (4, 31)
    assert EMPTY not in state.cards + state.contracts
    assert state.free_roofs.bit_count() == 10


def test_what_is_left_to_chance_is_the_same_every_time() -> None:
    state = position().state
    assert names(state.cards) == ["green-1", "yellow-1", "green-1", "red-3", "red-1"]
    assert [PUBLIC[one].name for one in state.contracts] == [
        "red+red",
        "purple-house",
        "green+green",
        "2-red-floors",
    ]


def test_face_up_cards_are_not_dealt_from_what_comes_up() -> None:
    state = position("comes-up: [blue-3, blue-3, red-3, red-3, green-3, green-3]").state
    assert not {"blue-3", "red-3", "green-3"} & set(names(state.cards))


def draw_one(state: State, chance) -> tuple[State, str]:
    """Draw the card in space 1 and return what comes up in its place."""
    state, _ = apply(state, Draw((0,)), chance)
    return state, CARDS[state.cards[0]]


def test_what_comes_up_does_so_through_a_reshuffle() -> None:
    start = position("""cards: [blue-1, blue-1, blue-1, red-2, red-2]
  deck: 2
  comes-up: [green-1, yellow-1, purple-3, green-1]""")
    state, came_up = start.state, []
    assert state.deck_left == 2
    assert len(state.discards) == 43
    for _ in range(4):
        state, card = draw_one(state, start.chance)
        came_up.append(card)
    assert came_up == ["green-1", "yellow-1", "purple-3", "green-1"]
    assert state.discards == b""
    assert state.deck_left == 41


def test_the_timer_comes_up_from_the_top_and_nothing_else_takes_its_cards() -> None:
    text = """round: 12
  timer: [red-3, red-3, blue-1, blue-1, green-2, green-2]
  ground-tokens: {L3: 1}"""
    start = position(text, players=1)
    state = start.state
    assert state.timer_left == len(state.timer_deck) == 6
    state, _ = apply(state, Draw((0,)), start.chance)
    assert names(state.turned) == ["red-3", "red-3"]


def test_of_an_unknown_timer_the_top_can_be_known() -> None:
    for seed_card in ("red-3", "purple-1"):
        start = position(f"timer: [{seed_card}, blue-3]\n  comes-up: [green-3]", players=1)
        assert start.state.timer_deck == b""
        assert start.state.deck_left == 50 - 5 - 28
        state, _ = apply(start.state, Draw((0,)), start.chance)
        assert names(state.turned) == [seed_card, "blue-3"]


def test_private_contracts_that_are_left_out_are_not_played() -> None:
    state = position().state
    assert not state.config.private_contracts
    assert position("phase: keep").state.phase == KEEP


def test_a_deal_is_completed_by_chance() -> None:
    state = position(
        """dealt: {Inês: [mirror-red, palette, ends-blue, ends-red, ends-green]}"""
    ).state
    assert state.phase == KEEP
    assert [len(dealt) for dealt in state.dealt] == [5, 5]
    assert not set(state.dealt[0]) & set(state.dealt[1])
    assert PRIVATE[state.dealt[0][0]].name == "mirror-red"


def test_complete_stands_for_the_height_of_the_house() -> None:
    state = position("houses: {L3: blue complete, L4: red 5, R1: green 4}").state
    assert (state.floors[2], state.floors[3], state.floors[7]) == (6, 5, 4)
    assert state.roofs == 2


# What is not a position: text, number of players, and what the message says.
MISTAKES = [
    ("houses: {L9: blue 2}", 2, "'L9' is not a house"),
    ("houses: {L1: blue 2}", 2, "The house L1 is not used with 2 players."),
    ("houses: {L4: blue 2, l4: blue 3}", 2, "'l4' is listed a second time."),
    ("houses: {L4: 2 blue}", 2, "like 'blue 2'"),
    ("houses: {L4: pink 2}", 2, "like 'blue 2'"),
    ("roof: {L4: 2}", 2, "The key 'roof' is unknown here"),
    ("hands: {Duarte: [red-1]}", 2, "There is no player 'Duarte'"),
    ("hands: {Inês: [red-4]}", 2, "There is no card 'red-4'"),
    ("cards: [red-1, red-1]", 2, "'cards' needs 5 names ('none' for an empty space), not 2"),
    ("contracts: [none, none]", 2, "'contracts' needs 4 names"),
    ("contracts: [4-blue-floors, none, none, none]", 2, "'4-blue-floors' is not a public"),
    ("scores: {Inês: -2}", 2, "a whole number from 0"),
    ("to-move: nobody", 2, "There is no player 'nobody'"),
    ("phase: build", 2, "one of keep, act, contracts, timer, over"),
    ("turned: [red-1, red-1]", 2, "Only a solo game has a timer."),
    ("timer: [red-1]", 2, "Only a solo game has a timer."),
    ("turned: [red-1]", 1, "The timer turns up two cards."),
    ("phase: timer", 1, "'turned' requires phase 'timer', and vice versa."),
    ("phase: contracts", 2, "'built' requires phase 'contracts', and vice versa."),
    ("round: 15", 1, "A timer of 28 cards lasts 14 rounds."),
    ("end-triggered: 3", 1, "Roofs do not end a solo game."),
    ("deck: 46", 2, "45 are left in the deck, not 46"),
    ("deck: 3\n  discards: []", 2, "45 are left in the deck, not 3"),
    ("round: 14\n  timer: [red-1, red-1, red-1]", 1, "2 timer cards are left, not 3"),
    (
        "comes-up: [red-3]\n  hands: {Inês: [red-3, red-3]}",
        2,
        "More red-3 come up (1) than are face down (0).",
    ),
    (
        "contracts-come-up: [blue-house]\n  contracts-gone: [blue-house]\n  fulfilled: {Inês: 1}",
        2,
        "More blue-house come up (1) than are face down (0).",
    ),
    ("built: draw red-1", 2, "the build that was just made"),
]


@for_each(("text", "players", "message"), MISTAKES)
def test_a_mistake_is_refused_even_where_anything_may_be(
    text: str, players: int, message: str
) -> None:
    with pytest.raises(InvalidFileError) as caught:
        position(text, players, unchecked=True)
    assert message in str(caught.value)
    assert caught.value.place.line >= 1


# What no game could lead to: text, number of players, and what the message says.
IMPOSSIBLE = [
    ("houses: {L4: blue 6}", 2, "L4 has room for 5 floors, not 6."),
    ("houses: {L4: blue 1, L5: blue 1}", 2, "L4 and L5 are neighbors"),
    (
        "houses: {L3: blue 1, L5: blue 1, L7: blue 1, R1: blue 1}",
        2,
        "This game has 3 blue ground floors, but this position needs 4.",
    ),
    ("houses: {L4: blue 1}\n  ground-tokens: {L4: 1}", 2, "L4 already has a ground floor"),
    ("houses: {L4: blue 5}\n  roof-tokens: {L4: 1}", 2, "L4 is complete"),
    ("roof-tokens: {L4: 1}", 2, "only 0 houses are started"),
    ("ground-tokens: {L3: 4, L4: 4, L5: 4}", 2, "has 2 tokens of 4 VP"),
    (
        "hands: {Inês: [red-3, red-3, red-3]}",
        2,
        "This game has 2 red-3, but this position needs 3.",
    ),
    ("cards: [red-3, red-3, red-3, red-1, red-1]", 2, "has 2 red-3"),
    (
        "contracts: [blue-house, blue-house, red-house, green-house]",
        2,
        "This game has 1 blue-house, but",
    ),
    ("contracts-gone: [blue-house]", 2, "fulfilled 0 public contracts, but 1 are gone"),
    ("contract-deck: 3", 2, "fulfilled 0 public contracts, but 28 are gone"),
    ("cards: [none, red-1, red-1, red-1, red-1]", 2, "Space 1 is empty, but 46 could fill it."),
    (
        "contracts: [blue-house, none, red-house, green-house]",
        2,
        "Space 2 is empty, but 32 could fill it.",
    ),
    ("private: {Inês: [ends-red], Joana: [ends-red]}", 2, "This game has 1 ends-red"),
    ("private: {Inês: [side, side], Joana: [side]}", 2, "This game has 2 side"),
    ("private: {Inês: [side, palette, ends-red, ends-blue]}", 2, "should have 3 private"),
    ("dealt: {Inês: [side]}", 2, "should have 5 private contracts here, not 1."),
    (
        "dealt: {Inês: [side, palette, ends-red, ends-blue, ends-green]}\n"
        "  private: {Inês: [ends-yellow]}",
        2,
        "ends-yellow is not among those dealt to Inês.",
    ),
    (
        "dealt: {Inês: [side, palette, ends-red, ends-blue, ends-green]}\n  phase: act",
        2,
        "Inês has had a turn, so 'private' must name the contracts kept.",
    ),
    ("phase: keep\n  private: {Inês: [side, palette, ends-red]}", 2, "the phase is not 'keep'"),
    ("end-triggered: 1", 2, "Roofs placed: 0; the end is triggered by number 6."),
    ("phase: over", 2, "The game is over one round after roof 6"),
    (
        "houses: {L3: blue 2}\n  built: build red-3 blue-1 L3",
        2,
        "After this build L3 has at least 3 blue floors.",
    ),
    (
        "houses: {L3: blue 3}\n  built: build red-3 blue-1 L3\n"
        "  contracts: [1-red-floor, green-house, red+red, 2-blue-floors]",
        2,
        "meets none of the face-up contracts",
    ),
    (
        "houses: {L3: blue 3}\n  built: build red-3 blue-1 L3\n  discards: [red-3]\n"
        "  contracts: [blue+red, green-house, red+red, 2-blue-floors]",
        2,
        "The blue-1 that was just played is not among them.",
    ),
    (
        "turned: [red-2, red-2]\n  cards: [blue-1, red-1, none, none, red-1]",
        1,
        "The timer has emptied space 2",
    ),
    (
        "turned: [red-2, red-2]\n  houses: {L3: red complete, L5: red complete, R1: red complete}",
        1,
        "Nothing can be built with these two cards",
    ),
]


@for_each(("text", "players", "message"), IMPOSSIBLE)
def test_what_cannot_be_is_refused_unless_it_is_artificial(
    text: str, players: int, message: str
) -> None:
    with pytest.raises(InvalidFileError) as caught:
        position(text, players)
    assert message in str(caught.value)
    position(text, players, unchecked=True)


def test_a_fault_is_shown_at_its_house() -> None:
    with pytest.raises(InvalidFileError) as caught:
        position("houses:\n    L4: blue 2\n    R1: red 9")
    assert (caught.value.place.line, caught.value.place.column) == (4, 9)


def test_six_roofs_trigger_the_end_where_nothing_else_is_said() -> None:
    houses = ", ".join(
        f"{house}: {color} complete"
        for house, color in zip(
            ("L3", "L4", "L5", "L6", "R1", "R2"),
            ("blue", "red", "blue", "red", "blue", "red"),
            strict=True,
        )
    )
    assert position(f"houses: {{{houses}}}\n  round: 9").state.end_round == 9
    assert position(f"houses: {{{houses}}}\n  end-triggered: 8\n  round: 9").state.end_round == 8
    over = position(f"houses: {{{houses}}}\n  phase: over\n  round: 9").state
    assert (over.phase, over.end_round, over.round) == (OVER, 8, 9)
