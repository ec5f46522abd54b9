"""Random games of every kind: time passes, and events agree with the table.

That nothing is lost is a law of test_properties.py; what is listed, what is refused and what is
left as it was are laws of every game (:mod:`porto_cli.testing.laws`).

A failure names the kind of game and the seed; ``walk(kind, seed)`` plays the same game again.
"""

from __future__ import annotations

import random
from itertools import chain

import pytest

from porto_cli.games.porto.engine import (
    CARD_SPACES,
    CARDS,
    CONTRACT_SPACES,
    EMPTY,
    HOUSES,
    NO_COLOR,
    NOWHERE,
    PRIVATE,
    PUBLIC,
)
from porto_cli.games.porto.engine.cards import Claim
from porto_cli.games.porto.engine.play import (
    Build,
    Move,
    Placed,
    canonical_move,
    legal_moves,
    violations,
)
from porto_cli.games.porto.engine.state import CONTRACTS, KEEP, OVER, TIMER, State
from porto_cli.games.porto.engine.turn import (
    PRIVATE_CONTRACT,
    EndTriggered,
    Refilled,
    Reshuffled,
    Scored,
)
from tests.porto.playing import KINDS, Kind, Ply, plies
from tests.porto.strategies import CLAIMS, DRAWS, ODD_MOVES
from tests.shares import one_in

MOVES = 1000
"""Random legal moves that the short hunt makes, over all kinds of games together."""


def walk(kind: Kind, seed: int, moves: int) -> int:
    """Play random games until there were so many moves, and look at every ply."""
    made = 0
    while made < moves:
        rnd = random.Random(f"{kind}/{seed}")
        for ply in plies(kind, rnd):
            try:
                look(ply)
            except Exception as error:
                error.add_note(f"{kind}, seed {seed}, move {made + 1} of the hunt: {ply.move}")
                raise
            made += 1
        seed += 1
    return made


@pytest.mark.long_for("4p-cramped", "3p-bare-first-game")
@pytest.mark.parametrize("kind", one_in(3, KINDS), ids=str)
def test_random_games_keep_every_invariant(kind):
    walk(kind, 0, MOVES // len(KINDS) + 1)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_a_long_hunt_for_a_broken_invariant(kind):
    walk(kind, 1_000_000, 15_000)


def look(ply: Ply) -> None:
    before, after = ply.before, ply.after
    facts_agree(after)
    piles_are_sorted(after)
    time_passes(before, after)
    events_tell_what_changed(ply)


def piles_are_sorted(state: State) -> None:
    assert len(state.cards) == CARD_SPACES
    assert len(state.contracts) == CONTRACT_SPACES
    for pile in (state.deck, state.timer_deck, state.contract_deck, *state.hands):
        assert list(pile) == sorted(pile)


def facts_agree(state: State) -> None:
    again = state.copy()
    again.survey()
    assert again.contents() == state.contents()
    complete = [house for house in range(14) if state.is_complete(house)]
    assert len(complete) == state.roofs
    for house in range(14):
        assert state.floors[house] <= state.config.heights[house]
        assert (state.colors[house] == NO_COLOR) == (state.floors[house] == 0)
        if state.floors[house]:
            assert not state.ground_tokens[house]
        if state.is_complete(house):
            assert not state.roof_tokens[house]
    assert 0 <= state.deck_left <= len(state.deck)
    assert bool(state.turned) == (state.phase == TIMER)
    assert (state.built is not None) == bool(state.claimable) == (state.phase == CONTRACTS)
    if state.timer_deck:
        assert len(state.timer_deck) == state.timer_left


def time_passes(before: State, after: State) -> None:
    """Turns go up one by one and around the table; the game ends when it has to."""
    assert after.turn - before.turn in (0, 1)
    game = after.config
    if not (after.phase in (KEEP, OVER) and after.turn > game.seats):
        assert after.seat == after.turn % game.seats
    if game.timer:
        assert after.turn <= game.timer // 2
        assert not after.end_round
    elif after.end_round:
        last = game.seats * (after.end_round + 1)
        assert after.turn <= last
        assert (after.turn == last) == (after.phase == OVER or all_turns_played(after))
    if not game.timer:
        assert bool(after.end_round) == (after.roofs >= game.roofs_to_end)


def all_turns_played(state: State) -> bool:
    return state.phase == KEEP and not state.dealt


def events_tell_what_changed(ply: Ply) -> None:
    before, after = ply.before, ply.after
    placed = [event for event in ply.events if isinstance(event, Placed)]
    if isinstance(ply.move, Build):
        (event,) = placed
        assert event.by_timer == (before.phase == TIMER)
        assert after.floors[event.house] == before.floors[event.house] + event.floors
        assert event.started == (before.floors[event.house] == 0)
        assert event.completed == after.is_complete(event.house)
        if event.by_timer:
            assert not any(
                isinstance(other, Scored) and other.kind != PRIVATE_CONTRACT for other in ply.events
            )
    else:
        assert not placed
        assert after.floors == before.floors
    came_up = sum(
        len(event.came_up)
        for event in ply.events
        if isinstance(event, Refilled) and event.row == "cards"
    )
    assert after.cards_drawn - before.cards_drawn == came_up
    for event in ply.events:
        if isinstance(event, Reshuffled):
            assert event.cards > 0
        if isinstance(event, EndTriggered):
            assert event.round == before.round == after.end_round


@pytest.mark.long
@pytest.mark.parametrize("kind", [Kind(2), Kind(4), Kind(1, timer=28)], ids=str)
def test_of_all_moves_that_can_be_written_check_allows_those_listed(kind):
    """Every card with every card on every house with every roof, at a few tables."""
    rnd = random.Random(f"all moves of {kind}")
    tables = [ply.before for ply in plies(kind, rnd) if ply.before.phase != KEEP]
    everything: list[Move] = [
        Build(number, color, house, token)
        for number in range(len(CARDS))
        for color in range(len(CARDS))
        for house in range(len(HOUSES))
        for token in range(len(HOUSES) + 1)
    ]
    everything += [*DRAWS, *CLAIMS, *ODD_MOVES]
    for state in rnd.sample(tables, 1):
        allowed = {canonical_move(state, one) for one in everything if not violations(state, one)}
        assert allowed == set(legal_moves(state))


@pytest.mark.long
def test_the_games_of_the_hunt_meet_everything_that_can_happen():
    """The hunt is worth something only if decks run out, players pass, houses pay twice."""
    seen: set[str] = set()
    for kind in KINDS:
        games = (plies(kind, random.Random(f"{kind}/{seed}")) for seed in range(3))
        for ply in chain.from_iterable(games):
            names = {type(event).__name__ for event in ply.events}
            seen |= names | {ply.after.phase}
            if "Placed" in names and {"TokenMoved", "RoofPlaced"} <= names:
                seen.add("started and completed in one turn")
            if ply.before.phase == "act" and EMPTY in ply.before.cards:
                seen.add("an empty space")
            if EMPTY in ply.before.contracts:
                seen.add("no public contract left")
            if isinstance(ply.move, Build) and ply.move.token == NOWHERE:
                if not ply.before.free_roofs:
                    seen.add("no empty roof")
            if ply.after.timer_deck:
                seen.add("the timer told from the deck")
            if isinstance(ply.move, Claim) and len(ply.move.spaces) > 1:
                seen.add("two contracts at once")
    assert seen >= {
        "Passed",
        "Reshuffled",
        "TimerSkipped",
        "EndTriggered",
        "Ended",
        "started and completed in one turn",
        "an empty space",
        "no public contract left",
        "no empty roof",
        "the timer told from the deck",
        "two contracts at once",
        *("keep", "act", "contracts", "timer", "over"),
    }


def test_names_of_contracts_and_cards_are_in_alphabetical_order():
    """Chance draws from sorted piles: sorting numbers has to be sorting names."""
    for names in (CARDS, [one.name for one in PUBLIC], [one.name for one in PRIVATE]):
        assert list(names) == sorted(names)


def test_the_box_holds_35_public_and_39_private_contracts():
    game = Kind(4).config()
    assert len(game.public_deck) == 35
    assert len(game.private_deck) == 39
