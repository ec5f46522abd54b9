"""Simulations: figures that add up, legal samples, the same games whoever plays them."""

from __future__ import annotations

import csv
import io
import json
import re
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from porto_cli.games.puerto_rico.engine.play import count_moves, legal_moves, violations
from porto_cli.games.puerto_rico.engine.state import Config
from porto_cli.games.puerto_rico.game import PUERTO_RICO, view
from porto_cli.games.puerto_rico.players.priced import greedy_player, worth
from porto_cli.games.puerto_rico.simulation import MOST_CHOICES, SIMULATION
from porto_cli.players import random_player
from porto_cli.simulate import GameResult, Seating, Start, play_game, simulate
from tests.puerto_rico.playing import plies
from tests.puerto_rico.tables import table

NAMES = ("Inês", "Joana", "Afonso", "Rui", "Ana")

FIRST = Seating(1, (0, 1, 2), 1, 0)
"""The first game of three players."""


def start(seats: int, **options: str) -> Start:
    return Start("puerto-rico", Config(NAMES[:seats], **options))


def group(result: GameResult, key: str, seat: int) -> int:
    return sum(number for (of, _), number in result.played[seat].figures.items() if of == key)


@pytest.mark.parametrize(("seats", "buildings"), [(2, "base"), (3, "draft"), (5, "random")])
def test_figures_add_up(seats: int, buildings: str) -> None:
    for result in simulate(start(seats, buildings=buildings), [random_player] * seats, 4, seed="s"):
        assert result.finished
        for seat in range(seats):
            vp = group(result, "chips", seat) + group(result, "at-the-end", seat)
            assert vp == result.scores[seat]
            assert group(result, "won-by", seat) == result.won[seat]
            if result.won[seat]:
                assert group(result, "winners-built", seat) == group(result, "built", seat)
        rounds = result.played[0].figures["course", "rounds"]
        taken = sum(group(result, "roles", seat) for seat in range(seats))
        assert taken == rounds * (6 if seats == 2 else seats)
        assert any(group(result, "ends", seat) for seat in range(seats))


@pytest.mark.parametrize(("chips", "by"), [(3, "building"), (4, "mixed"), (5, "shipping")])
def test_who_wins_ships_or_builds(chips: int, by: str) -> None:
    """The fortress brings 4 VP: of 9 VP in all, 5 from chips are more than 55 %."""
    state = table(players=2, a={"vp": chips, "full": "fortress"}, phase="over", round=14)
    outcome = PUERTO_RICO.outcome(state)
    assert outcome is not None
    found = {figure[1] for seat, figure, _ in SIMULATION.count_end(state, outcome) if seat == 0}
    assert {"shipping", "mixed", "building"} & found == {by}


def test_what_players_choose_among_is_legal_and_never_too_much() -> None:
    many = 0
    for ply in (ply for seed in range(5) for ply in plies((2, "base", "printed"), Random(seed))):
        state = ply.before
        choices = SIMULATION.choices(state, Random(1))
        assert 0 < len(choices) <= MOST_CHOICES
        if count_moves(state) > MOST_CHOICES:
            many += 1
            assert not any(violations(state, move, state.seat) for move in choices)
        else:
            assert choices == legal_moves(state)
    assert many


def test_greedy_takes_the_most() -> None:
    taken = set()
    for ply in plies((3, "base", "printed"), Random(2)):
        moves = SIMULATION.choices(ply.before, Random(1))
        best = max(worth(ply.before, move) for move in moves)
        move = greedy_player(view(ply.before, ply.before.seat), moves, Random(3))
        assert worth(ply.before, move) == best
        taken.add(type(move))
    assert len(taken) > 3


def test_a_running_game_is_played_on() -> None:
    kind = (3, "base", "printed")
    state = next(ply.after for ply in plies(kind, Random(4)) if ply.after.turn > 30)
    result = play_game(Start("puerto-rico", state.config, state), [random_player] * 3, "x", FIRST)
    assert result.finished
    assert result.turns > 30


def test_every_form_of_the_report_has_every_figure(porto: Any) -> None:
    words = ("simulate", "random", "random", "--game", "puerto-rico", "-n", 2, "--seed", "r")
    heads, *rows = csv.reader(io.StringIO(porto(*words, "--format", "csv").out))
    assert len(set(heads)) == len(heads)
    assert len(rows) == 4
    assert {len(row) for row in rows} == {len(heads)}
    first = json.loads(porto(*words, "--format", "jsonl").out.splitlines()[0])
    assert first["players"][0]["chips"].keys() >= {"harbor"}
    lines = porto(*words).out.splitlines()
    assert max(map(len, lines)) <= 80
    for one in SIMULATION.groups:
        assert one.title in lines


NEVER_ENDS = """
def choose(view, moves, rng):
    for word in ("prospector", "trader", "craftsman", "settler", "Pass"):
        for move in moves:
            if word in str(move):
                return move
    return moves[0]
"""


def test_games_that_do_not_end_are_told_with_the_limit(porto: Any) -> None:
    """Whether any game was finished or not, at one table and in a round robin."""
    for name in ("a.py", "b.py"):
        Path(name).write_text(NEVER_ENDS)
    limit = "Given up after 2,000 turns, and not counted:"
    alone = porto("simulate", *["a.py:choose"] * 3, "--game", "puerto-rico", "-n", "1")
    assert alone.code == 0
    assert alone.out.splitlines()[0].startswith("No game was played to its end.")
    assert f"{limit} 1 game." in " ".join(alone.out.split())
    words = ("--game", "puerto-rico", "--seats", "3", "-n", "1", "-j", "1")
    match = porto("simulate", "a.py:choose", "b.py:choose", "a.py:choose", *words)
    assert match.code == 0
    assert match.out.startswith("No game was played to its end.")
    assert re.search(rf"{limit} \d+ games\.", " ".join(match.out.split()))


def test_the_limit_is_told_beside_games_that_ended(
    porto: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("porto_cli.simulate.LONGEST", 95)
    some = porto("simulate", "random", "random", "random", "-n", "12", "--seed", "s", "-j", "1")
    words = " ".join(some.out.split())
    assert words.startswith("Games: ")
    assert "Given up after 95 turns, and not counted:" in words


def test_what_breaks_a_tie_is_counted_for_each_player() -> None:
    """PR-RANK-1: doubloons and barrels, each as one."""
    state = table(
        players=2,
        a={"vp": 5, "goods": "corn 2", "doubloons": 3},
        b={"vp": 9, "doubloons": 1},
        phase="over",
        round=14,
    )
    outcome = PUERTO_RICO.outcome(state)
    assert outcome is not None
    found = list(SIMULATION.count_end(state, outcome))
    assert [(seat, more) for seat, figure, more in found if figure == ("", "tie-break")] == [
        *((0, 5), (1, 1))
    ]
    assert (0, ("course", "rounds"), 14) in found


def test_hand_overs_are_the_moves_after_which_another_player_moves() -> None:
    """A player sees who is to move at every decision, so it can count them."""
    movers: list[int | None] = []

    def counting(view: Any, moves: Any, rng: Random) -> Any:
        movers.append(view.seat)
        return random_player(view, moves, rng)

    result = play_game(start(3), [counting] * 3, "hand-overs", FIRST)
    changes = sum(one != other for one, other in pairwise(movers))
    assert changes
    assert sum(one.figures["course", "hand-overs"] for one in result.played) == changes
