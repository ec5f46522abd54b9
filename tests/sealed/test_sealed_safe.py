"""What a player's key opens in a sealed game goes nowhere by itself: it has to be asked for."""

from __future__ import annotations

import pickle

import pytest

from porto_cli.match.match import Match, loads
from tests.sealed_games import BYSTANDER, FILE, finished, keys, mover, played, played_out, set_up

pytestmark = pytest.mark.long


def kept(turns: int) -> str:
    """Return a game in which Ana has kept, after so many turns."""
    match = loads(set_up(which="safe"), FILE, keys("Ana"))
    match.play("keep 1 2 5", player="Ana")
    return played(match.record.text, turns)


def told(match: Match) -> tuple[object, ...]:
    """Return what a game has for everybody."""
    states = [match.opening, match.state, *(step.after for step in match.steps)]
    views = [match.game.observe(state, seat) for state in states for seat in (None, 0, 1)]
    return (
        match.opening,
        match.state,
        match.steps,
        views,
        match.observe(),
        match.known_to(None).state,
    )


GAMES = {
    "dealt": lambda: set_up(which="safe"),
    "kept": lambda: kept(0),
    "one turn": lambda: kept(1),
    "two turns": lambda: kept(2),
    "some turns": lambda: kept(7),
    "all turns": played_out,
    "over": finished,
}


@pytest.mark.parametrize("which", GAMES)
@pytest.mark.parametrize("name", ["Ana", "Rui"])
def test_a_game_that_is_loaded_has_only_what_may_be_passed_on(which: str, name: str) -> None:
    text = GAMES[which]()
    mine, everybody = loads(text, FILE, keys(name)), loads(text, FILE, BYSTANDER)
    assert told(mine) == told(everybody)
    for player in mine.players:
        if player != name:
            assert mine.observe(player) == everybody.observe(player)


@pytest.mark.parametrize("name", ["Ana", "Rui"])
def test_what_only_a_key_knows_is_known_by_that_name(name: str) -> None:
    text = kept(1)
    mine = loads(text, FILE, keys(name))
    assert mine.known.state != mine.state
    assert mine.known.known.state == mine.known.state
    assert mine.known.known_to(None).state == mine.state
    for player in mine.players:
        assert (mine.known_to(mine.seat(player)).opening == mine.opening) == (player != name)
    assert loads(text, FILE, BYSTANDER).known.state == mine.state


@pytest.mark.parametrize("act", ["play", "keep", "undo", "give up"])
def test_what_a_player_does_in_a_game_that_was_loaded_keeps_it_safe(act: str) -> None:
    text = kept(5)
    name = mover(text)
    match, other = loads(text, FILE, keys(name)), {"Ana": "Rui", "Rui": "Ana"}[name]
    if act == "give up":
        match.give_up(other, player=name)
    elif act == "keep":
        match = loads(set_up(which="safe to keep"), FILE, keys(name))
        match.play("keep 1 2 5", player=name)
    else:
        match.play(match.legal_moves()[0])
    if act == "undo":
        match.undo(name)
    match.read_back()
    everybody = loads(match.record.text, FILE, BYSTANDER)
    assert (match.state, match.steps) == (everybody.state, everybody.steps)


def test_who_reveals_tells_their_own_and_nothing_of_the_others() -> None:
    text = played_out()
    both = ((loads(text, FILE, keys(name)), name) for name in ("Ana", "Rui"))
    match, name = next(one for one in both if one[0].cannot_reveal(one[1]) is None)
    match.reveal(name)
    match.read_back()
    assert told(match) == told(loads(match.record.text, FILE, BYSTANDER))


def test_a_copy_of_the_values_of_a_game_holds_no_secret() -> None:
    match = loads(kept(3), FILE, keys("Ana"))
    dealt = match.known.state.dealt[0]
    assert len(set(dealt)) == len(dealt)
    assert bytes(dealt) not in pickle.dumps((match.opening, match.state, match.steps))
