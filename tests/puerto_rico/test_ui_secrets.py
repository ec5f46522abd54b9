"""Nothing that is shown depends on what the asking seat may not see (PR-SECRET-1)."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest

from porto_cli.games.puerto_rico.engine.events import Scored
from porto_cli.games.puerto_rico.engine.observation import observe
from porto_cli.games.puerto_rico.engine.state import OVER, State
from porto_cli.games.puerto_rico.ui.history import Step, Turn, history
from porto_cli.games.puerto_rico.ui.html import html
from porto_cli.games.puerto_rico.ui.json import (
    history_json,
    moves_json,
    standings_json,
    table_json,
)
from porto_cli.games.puerto_rico.ui.log_html import log_html
from porto_cli.games.puerto_rico.ui.log_text import log_text
from porto_cli.games.puerto_rico.ui.move_list import move_list, moves_text
from porto_cli.games.puerto_rico.ui.next_step import what_next
from porto_cli.games.puerto_rico.ui.plain import plain
from porto_cli.games.puerto_rico.ui.score_text import score_text
from porto_cli.games.puerto_rico.ui.scoring import standings
from porto_cli.games.puerto_rico.ui.svg import svg
from porto_cli.games.puerto_rico.ui.table_text import text
from porto_cli.term.screen import Screen
from porto_cli.term.spans import plain as line_text
from tests.puerto_rico.playing import KINDS
from tests.puerto_rico.ui_games import game, steps


def everything(state: State, seat: int | None) -> Iterator[object]:
    """All that is made of a table for a seat; the moves are for who is to move."""
    seen = observe(state, seat)
    for width in (36, 60, 120):
        yield text(seen, Screen(width))
    yield plain(seen)
    yield svg(seen)
    yield html(seen)
    yield log_html([], seen)
    yield table_json(seen)
    yield standings_json(standings(seen))
    yield score_text(standings(seen), 80)
    yield what_next(state, "f.yaml")
    yield moves_json(move_list(state))
    yield moves_text(state, 60)


def rich(state: State) -> State:
    """The same table, but everybody has VP chips."""
    other = state.copy()
    for seat, player in enumerate(other.players):
        player.vp += 5 + 3 * seat
    return other


def otherwise(state: State, known: set[int], rnd: random.Random) -> State:
    """The same table with other VP of those who are not known, as many in all, and another
    order of the stack."""
    other = state.copy()
    hidden = [seat for seat in range(state.config.seats) if seat not in known]
    total = sum(state.players[seat].vp for seat in hidden)
    for seat in hidden[:-1]:
        other.players[seat].vp = rnd.randint(0, total)
        total -= other.players[seat].vp
    if hidden:
        other.players[hidden[-1]].vp = total
    pile = list(state.stack)
    rnd.shuffle(pile)
    other.stack = bytes(pile)
    return other


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind[0] > 2][::5], ids=str)
def test_hidden_things_make_no_difference(kind) -> None:
    rnd = random.Random(2)
    played = game(*kind, seed=3)
    changed = 0
    for ply in rnd.sample(played[len(played) // 3 :], 3):
        for seat in (ply.before.seat, None):
            known = {ply.before.seat} if seat is None else {seat}
            state = rich(ply.before)
            other = otherwise(state, known, rnd)
            changed += [one.vp for one in other.players] != [one.vp for one in state.players]
            for one, two in zip(everything(state, seat), everything(other, seat), strict=True):
                assert one == two
    assert changed


def chips(turns: list[Turn]) -> int:
    """All VP that a story tells."""
    return sum(
        int(str(fact["vp"]))
        for turn in turns
        for fact in turn.happened
        if fact["event"] == "scored"
    )


@pytest.mark.parametrize("seat", [None, 0, 2])
def test_before_the_end_the_story_tells_no_chips_of_others(seat: int | None) -> None:
    played = game(4)
    turns = history(steps(played), seat)
    for turn, step in zip(turns, steps(played), strict=True):
        if step.seat != seat:
            assert turn.scores == ()
        for fact in turn.happened:
            if fact["event"] == "scored":
                assert seat is not None
                assert fact["player"] == step.before.config.players[seat]
    lines = log_text(turns, standings(observe(played[50].after)), 160)
    shown = "\n".join(map(line_text, lines))
    others = [name for other, name in enumerate(played[0].before.config.players) if other != seat]
    assert not any(f"{name} gets {vp} VP" in shown for name in others for vp in range(1, 12))
    if seat is not None:
        assert chips(turns) == played[-1].after.players[seat].vp > 0


def with_other_chips(step: Step, known: int | None) -> Step:
    """The same item of a record, had it brought others more VP, on tables with more of them."""
    before = step.before.copy()
    for seat, player in enumerate(before.players):
        player.vp += 3 * (seat != known)
    events = [
        Scored(event.seat, event.reason, event.vp + 1)
        if isinstance(event, Scored) and event.seat != known
        else event
        for event in step.events
    ]
    # What is left in the pool would be less; here it is to be the same.
    return step._replace(before=before, events=events)


@pytest.mark.parametrize("seat", [None, 0, 2])
def test_the_page_of_a_running_game_tells_no_chips_of_others(seat: int | None) -> None:
    """Neither in its words nor in its pictures nor in its chart, in no frame."""
    played = steps(game(4))[:60]
    others = [with_other_chips(step, seat) for step in played]
    now, other = played[-1].before, others[-1].before
    pages = []
    for record, state in ((played, now), (others, other)):
        page = log_html(record[:-1], observe(state, seat))
        # The pool says how many chips all players have together; that everybody may know.
        pages.append(re.sub(r">\d+</text><text[^>]*>VP left", "", page))
    assert "VP left" not in pages[0]
    assert pages[0] == pages[1]


def test_after_the_end_everything_is_told() -> None:
    played = game(4)
    last = played[-1].after
    assert last.phase == OVER
    turns = history(steps(played), over=True)
    assert chips(turns) == sum(player.vp for player in last.players)
    assert history_json("", turns, standings(observe(last)))["result"]
