"""Games of people with any names: each turn becomes a scenario, and what is shown fits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import product
from random import Random
from typing import Any

import pytest

from porto_cli.cli.show import move_rows
from porto_cli.games import BOX
from porto_cli.match.items import IllegalMoveError
from porto_cli.match.match import Match, new_game
from porto_cli.match.replay import after_turn
from porto_cli.pages import above, log, score, table
from porto_cli.paper import lines, put
from porto_cli.scenario import run, scenario_of_text, scenario_text
from porto_cli.term import NARROWEST, WIDEST, Screen, plain, width_of
from porto_cli.term.question import question_rows
from porto_cli.testing.games import LISTED, LONGEST, GameKind
from tests.conformance.games import every_kind

ODD = ("Inês", "-x", "a: b", "no", "1:30", "{x", "D'Arcy", "#c", "a, b", "[y]", "none", "\\", "~")
"""Names that mean something else in YAML, or in a position."""
LONG = ("서울 김철수", "M" * 40, "Zoë van der Straaten", "x", "Maximiliana von Hohenheide")


def moments(kind: GameKind, names: Sequence[str], rnd: Random, title: str = "") -> Iterator[Match]:
    """Play a game at random, and now and then take a move back; yield it after each of them."""
    match = new_game(names, game=kind.game, seed="tram", title=title, **kind.options)
    yield match
    while not match.over and match.state.turn < LONGEST:
        if match.replay.steps and rnd.random() < 0.05:
            with suppress(IllegalMoveError):
                match.undo(match.replay.steps[-1].seat)
        else:
            early = match.game.secret_movers(match.state) if rnd.random() < 0.1 else ()
            seat = rnd.choice([*match.game.to_move(match.state), *early])
            moves = match.game.legal_moves(match.state, seat, LISTED)
            match.play(rnd.choice(moves), player=seat)
        yield match


@every_kind
def test_each_turn_becomes_a_scenario_that_holds(kind: GameKind, seed: int) -> None:
    rnd = Random(f"{kind} {seed}")
    title = rnd.choice(["", "Friday: 'x' # y", "- a"])
    looked_at = set()
    for match in moments(kind, rnd.sample(ODD, kind.players), rnd, title):
        phase = match.state.phase
        if phase in looked_at and rnd.random() > 0.1:
            continue
        looked_at.add(phase)
        for turn in (None, rnd.randrange(match.state.turn + 1)):
            text = scenario_text(match.replay, turn)
            (case,) = scenario_of_text(text, "excerpt.yaml").cases
            assert run(case).differences == (), text
            start = case.start.state
            then = match.state if turn is None else after_turn(match.replay, turn).state
            positions = match.game.positions
            if start.phase == then.phase:
                known = positions.without_secrets(then)
                assert positions.describe_position(start) == positions.describe_position(known)


def test_a_scenario_names_its_game_and_what_is_unusual() -> None:
    match = new_game(["Ana", "Rui"], game="puerto-rico", seed="tram", buildings="draft")
    text = scenario_text(match.replay)
    assert text.startswith("porto: 1\ngame: puerto-rico\nscenario: ")
    assert "\noptions: {buildings: draft}\n" in text


@pytest.mark.long_for(
    "puerto-rico-4p-buildings=random-rulebook=guide-0",
    "puerto-rico-2p-buildings=draft-rulebook=guide-0",
)
@every_kind
def test_nothing_is_wider_than_the_screen(kind: GameKind, seed: int) -> None:
    """Also with the longest names, and with letters that take two columns."""
    rnd = Random(f"{kind} {seed}")
    for match in moments(kind, LONG[: kind.players], rnd, "서" * 60):
        if not match.over and rnd.random() > 0.02:
            continue
        replay, seat, words = match.replay, rnd.choice([None, 0]), match.game.words
        options = words.options_of(match.state, seat, words.moves(match.state, seat, {}))
        pointed_at = words.options(match.state, match.state.seat, asking=True)
        previewed = rnd.choice([one.move for one in pointed_at] or [""])
        for width in (NARROWEST, 60, rnd.randint(NARROWEST, WIDEST), 112, 200):
            for alphabet in (False, True):
                screen = Screen(width, color=alphabet, ascii=alphabet)
                shown = [lines(page, screen) for page in (table(replay, seat), score(replay, seat))]
                shown += [lines(log(replay), screen), put(move_rows(options), screen)]
                whole = len(above(replay, seat, 0).lines(screen, 99, previewed))
                for rows, move in product((1, 2, 3, 8, 15, 30, 60), ("", previewed)):
                    scene = above(replay, seat, 0).lines(screen, rows, move)
                    # What gives way can take a few rows with it.
                    assert min(rows, whole) * 2 // 3 <= len(scene) <= rows
                    shown.append(scene)
                    signs = {sign for line in scene for sign in plain(line)}
                    assert not alphabet or not signs & {*"▸●○×▲…·–╱╲│┋▮▯░"}
                assert max(width_of(line) for part in shown for line in part) <= width


LEFT = {"porto": {"Cards", "Public"}, "puerto-rico": {"Roles", "Tiles", "Ships", "Supply"}}
"""What stands at the left of rows, besides the players in the order of their seats."""


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)], ids=str)
@pytest.mark.parametrize("players", [1, 4])
@pytest.mark.parametrize("game", LEFT)
def test_rows_are_in_the_same_place_in_every_phase(
    game: str, players: int, size: tuple[int, int]
) -> None:
    """Whatever happened, and also for who hands the keyboard over and sees no secrets."""
    columns, height = size
    names = ("Inês", "Joana", "Afonso", "Rui")[: max(players, min(BOX[game].players))]
    rnd, heads = Random(f"{game} {players}"), set()
    for nth, match in enumerate(moments(GameKind(game, len(names), {}), names, rnd)):
        if match.over or nth % 3:
            continue
        scene: Any = above(match.replay, rnd.choice([None, 0]), 0)
        scene.news = ()
        rows = map(plain, scene.lines(Screen(columns), height - question_rows(height)))
        # Where a hand is long names are shorter, in the same row.
        named = [row.strip("▸ ").split(" ")[0].rstrip("…") for row in rows]
        places = {
            name: nth
            for nth, word in reversed([*enumerate(named)])
            for name in (*LEFT[game], *names)
            if word and name.startswith(word)
        }
        heads.add(tuple(sorted((nth, name) for name, nth in places.items())))
    (one,) = heads
    shown = [name for _, name in one]
    # On low screens contracts and cards stand beside the houses, or beside each other.
    later = {"Supply": 120, "Public": 80, "Cards": 120}
    assert {name for name in LEFT[game] if columns >= later.get(name, 0)} <= {*shown}
    # Two players share a row where there is little room.
    seats = [name for name in shown if name in names]
    assert seats in ([*match.players], [*match.players[::2]])
