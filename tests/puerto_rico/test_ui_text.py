"""The table, the moves, the log and the reckoning in a terminal."""

from __future__ import annotations

import io
import random

import pytest

from porto_cli.games.puerto_rico.engine.components import PLACES, buildings_in
from porto_cli.games.puerto_rico.engine.observation import observe
from porto_cli.games.puerto_rico.engine.state import BUILDER_PHASE, DRAFT_PHASE, OVER, State
from porto_cli.games.puerto_rico.event_text import notable, sentences
from porto_cli.games.puerto_rico.notation import UNDO
from porto_cli.games.puerto_rico.ui.history import Step, history
from porto_cli.games.puerto_rico.ui.log_text import log_text
from porto_cli.games.puerto_rico.ui.move_list import moves_text
from porto_cli.games.puerto_rico.ui.plain import plain as told
from porto_cli.games.puerto_rico.ui.score_text import score_text
from porto_cli.games.puerto_rico.ui.scoring import standings
from porto_cli.games.puerto_rico.ui.table_text import text
from porto_cli.term.paint import show
from porto_cli.term.screen import Screen
from porto_cli.term.spans import Line, cells, plain
from tests.puerto_rico.playing import KINDS
from tests.puerto_rico.tables import expansion, table
from tests.puerto_rico.ui_games import LONG_NAMES, NAMES, game, named, steps
from tests.shares import one_in

WIDTHS = (36, 60, 100, 160)


def drawn(state: State, width: int, seat: int | None = 0, *, ascii_only: bool = False) -> str:
    lines = text(
        observe(state, seat),
        Screen(width, ascii=ascii_only),
        title="Sunday",
        fingerprint="a6c48d82",
    )
    return "\n".join(map(plain, lines))


# What it looks like. `pytest --snapshot-update` accepts a change; look at it first.


@pytest.mark.parametrize("width", WIDTHS)
def test_the_table_of_four_when_a_role_is_taken(width: int, snapshot) -> None:
    assert drawn(game(4)[100].before, width) == snapshot


@pytest.mark.parametrize("width", [60, 120])
def test_the_table_of_three_when_somebody_builds(width: int, snapshot) -> None:
    state = [ply.before for ply in game(3) if ply.before.phase == BUILDER_PHASE][12]
    assert drawn(state, width, state.seat) == snapshot


@pytest.mark.parametrize("width", [60, 120])
def test_the_draft(width: int, snapshot) -> None:
    assert drawn(game(2, "draft")[9].before, width) == snapshot


def test_the_table_after_the_end(snapshot) -> None:
    assert drawn(game(5, "random")[-1].after, 80) == snapshot


def test_the_table_in_ascii(snapshot) -> None:
    shown = drawn(game(4)[101].before, 80, ascii_only=True)
    assert shown.replace("ê", "e").isascii()
    assert shown == snapshot


def in_color(state: State, width: int) -> str:
    stream = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="")
    screen = Screen(width, color=True)
    show(text(observe(state, 0), screen), screen, stream)
    stream.flush()
    return stream.buffer.getvalue().decode()  # type: ignore[attr-defined]


def test_the_table_in_color(snapshot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLORTERM", "truecolor")
    monkeypatch.setenv("TERM", "xterm-256color")
    assert in_color(game(4)[101].before, 60).replace("\x1b", "^") == snapshot


def test_color_changes_no_word() -> None:
    from rich.text import Text

    for ply in game(4)[::25]:
        colored = Text.from_ansi(in_color(ply.before, 160)).plain.split()
        assert sorted(colored) == sorted(
            "\n".join(map(plain, text(observe(ply.before, 0), Screen(160)))).split()
        )


def test_the_table_in_sentences(snapshot) -> None:
    assert "\n".join(told(observe(game(4)[101].before, 0), title="Sunday")) == snapshot


def test_the_draft_in_sentences(snapshot) -> None:
    assert "\n".join(told(observe(game(2, "draft")[9].before))) == snapshot


@pytest.mark.parametrize("width", [50, 80])
def test_the_log(width: int, snapshot) -> None:
    played = game(3)
    reckoned = standings(observe(played[40].after))
    assert "\n".join(map(plain, log_text(history(steps(played)[:40]), reckoned, width))) == snapshot


@pytest.mark.parametrize("width", [36, 80])
def test_the_reckoning(width: int, snapshot) -> None:
    large = {"full": "residence fortress", "island": "corn 4 indigo 3 quarry 3", "vp": 17}
    state = table(3, a=large, b={"full": "customs-house city-hall", "vp": 12}, c={"vp": 3})
    state.phase = OVER
    reckoned = standings(observe(named(state)))
    assert "\n".join(map(plain, score_text(reckoned, width))) == snapshot


def test_moves_of_each_phase(snapshot) -> None:
    shown: dict[str, str] = {}
    for ply in game(4, "random", seed=11):
        shown.setdefault(ply.before.phase, "\n".join(map(plain, moves_text(ply.before, 60))))
    assert shown == snapshot


MANY = "small-indigo-plant indigo-plant tobacco-storage coffee-roaster small-market hacienda"


def test_placements_that_are_too_many(snapshot) -> None:
    state = table(
        3, "mayor", a={"island": "corn 3 indigo 4 quarry 2", "city": MANY, "san_juan": 11}
    )
    assert "\n".join(map(plain, moves_text(named(state), 60))) == snapshot


def test_loads_of_a_small_wharf_that_are_too_many(snapshot) -> None:
    state = expansion(
        3,
        "captain",
        "small-wharf wharf",
        a={"full": "small-wharf wharf", "goods": "corn 5 indigo 5 sugar 5 coffee 2"},
    )
    assert "\n".join(map(plain, moves_text(named(state), 60))) == snapshot


def test_payments_with_a_black_market(snapshot) -> None:
    state = expansion(
        3,
        "builder",
        "black-market factory harbor",
        a={"full": "black-market", "goods": "corn 5 indigo", "doubloons": 5, "vp": 2},
    )
    assert "\n".join(map(plain, moves_text(named(state), 60))) == snapshot


# What has to hold for every table.


def widest(lines: list[Line]) -> int:
    return max((cells(plain(line)) for line in lines), default=0)


@pytest.mark.parametrize("kind", one_in(5, KINDS), ids=str)
def test_nothing_is_wider_than_the_screen(kind) -> None:
    """Also with the longest names, and with letters that take two columns."""
    rnd = random.Random(1)
    played = game(*kind, seed=3)
    for ply in rnd.sample(played, 4):
        state = named(ply.before, LONG_NAMES)
        last = sentences(notable(ply.events), LONG_NAMES)
        for seen in (observe(state, 0), observe(named(played[-1].after, LONG_NAMES))):
            for width in (36, 60, rnd.randint(36, 240), 111, 112, 160):
                for other in (False, True):
                    screen = Screen(width, color=other, ascii=other)
                    assert widest(text(seen, screen, title="서" * 90, last=last)) <= width
                assert widest(score_text(standings(seen), width)) <= width
        for width in (36, 60, 100):
            assert widest(moves_text(state, width)) <= width
    names = [step._replace(before=named(step.before, LONG_NAMES)) for step in steps(played)]
    shown = log_text(history(names, over=True), standings(observe(played[-1].after)), 40)
    assert widest(shown) <= 40


@pytest.mark.parametrize("width", [36, 60, 80, 120])
def test_names_are_never_cut(width: int) -> None:
    """Two names may differ in their last letter only."""
    names = ("Maximiliana Josephina of Hohenheide the 1st", "M" * 60 + "1", "M" * 60 + "2")
    shown = drawn(named(game(3)[90].before, names), width)
    letters = "".join(shown.split())
    for name in names:
        assert "".join(name.split()) in letters
    assert "…" not in shown


def test_the_table_has_everything_that_lies_on_it() -> None:
    for kind in KINDS[::5]:
        for ply in game(*kind, seed=3)[::20]:
            seen = observe(ply.before, 0)
            for shown in (drawn(ply.before, 100), "\n".join(told(seen))):
                words = set(shown.replace("(", " ").replace(",", " ").replace(".", " ").split())
                for player in seen.players:
                    assert {PLACES[place] for place in buildings_in(player.city)} <= words
                    assert player.name in shown
                assert str(seen.vp_pool) in shown
                if seen.phase == DRAFT_PHASE:
                    assert {PLACES[place] for place in buildings_in(seen.violet)} <= words


def test_a_mark_stands_where_the_player_can_pay() -> None:
    state = table(
        3,
        "builder",
        a={"doubloons": 4, "city": "hacienda", "island": "quarry", "colonists": "quarry"},
    )
    shown = drawn(state, 112)
    assert "▸ 4 coffee-roaster" in shown
    assert "  5 factory" in shown
    assert "▸" not in next(line for line in shown.split("\n") if "hacienda  " in line)


def test_sentences_hold_no_drawing() -> None:
    for ply in game(4)[::30]:
        assert not set("\n".join(told(observe(ply.before)))) & set("●○▮▯▸×·")


def test_the_log_tells_what_was_taken_back() -> None:
    first, second, *_ = steps(game(3))
    undone = first._replace(undone=True)
    back = Step(second.before, first.seat, UNDO, ())
    turns = history([undone, back, first])
    assert [turn.number for turn in turns] == [1, None, 1]
    shown = "\n".join(map(plain, log_text(turns, standings(observe(second.before)), 80)))
    assert "(Taken back.)" in shown
    assert f"{NAMES[first.seat]} takes back the last move." in shown
