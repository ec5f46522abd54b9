"""The table, the moves, the log and the reckoning in a terminal."""

from __future__ import annotations

import io
import re
from typing import Any

import pytest

from porto_cli.games.puerto_rico.engine.moves import PASS, Scored, TakeRole
from porto_cli.games.puerto_rico.engine.play import legal_moves, violations
from porto_cli.games.puerto_rico.engine.state import (
    BUILDER_PHASE,
    CAPTAIN_PHASE,
    DRAFT_PHASE,
    OVER,
    State,
)
from porto_cli.games.puerto_rico.game import PUERTO_RICO
from porto_cli.games.puerto_rico.shown import situation, winners
from porto_cli.games.puerto_rico.view import view
from porto_cli.match.match import load
from porto_cli.match.replay import after_turn
from porto_cli.pages import log_json, story
from porto_cli.paper import Document, put, sentences
from porto_cli.paper.page import story_page
from porto_cli.seam import Step, Turn
from porto_cli.term import Screen, plain, show
from porto_cli.term import plain as line_text
from tests.conftest import ROOT
from tests.puerto_rico.playing import KINDS
from tests.puerto_rico.tables import expansion, table
from tests.puerto_rico.ui_games import (
    NAMES,
    at,
    game,
    history,
    log_lines,
    moves_lines,
    named,
    replay_of,
    score_lines,
    steps,
    table_lines,
    table_sentences,
    taken_back,
)
from tests.tables import table_at


def drawn(state: State, width: int, seat: int | None = 0, *, ascii_only: bool = False) -> str:
    lines = table_lines(
        view(state, seat),
        Screen(width, ascii=ascii_only),
        title="Sunday",
        fingerprint="a6c48d82",
    )
    return "\n".join(map(plain, lines))


# What it looks like. `pytest --snapshot-update` accepts a change; look at it first.


@pytest.mark.parametrize("width", [36, 100])
def test_the_table_of_four_when_a_role_is_taken(width: int, snapshot) -> None:
    assert drawn(game(4)[100].before, width) == snapshot


def test_the_table_of_three_when_somebody_builds(snapshot) -> None:
    state = [ply.before for ply in game(3) if ply.before.phase == BUILDER_PHASE][12]
    assert drawn(state, 120, state.seat) == snapshot


def test_the_draft(snapshot) -> None:
    assert drawn(game(2, "draft")[9].before, 60) == snapshot


def test_the_table_after_the_end(snapshot) -> None:
    assert drawn(game(5, "random")[-1].after, 80) == snapshot


def test_the_table_in_ascii(snapshot) -> None:
    shown = drawn(game(4)[101].before, 80, ascii_only=True)
    assert shown.replace("ê", "e").isascii()
    assert shown == snapshot


def in_color(state: State, width: int) -> str:
    stream = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="")
    screen = Screen(width, color=True)
    show(table_lines(view(state, 0), screen), screen, stream)
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
            "\n".join(map(plain, table_lines(view(ply.before, 0), Screen(160)))).split()
        )


def test_the_table_in_sentences(snapshot) -> None:
    assert "\n".join(table_sentences(view(game(4)[101].before, 0), title="Sunday")) == snapshot


def test_the_draft_in_sentences(snapshot) -> None:
    assert "\n".join(table_sentences(view(game(2, "draft")[9].before))) == snapshot


def test_the_log(snapshot) -> None:
    played = game(3)
    shown = log_lines(steps(played)[:40], played[40].after, 80)
    assert "\n".join(map(plain, shown)) == snapshot


def test_a_large_building_without_a_colonist_is_listed_with_why_it_counts_nothing() -> None:
    fields = {"city": "fortress city-hall", "colonists": "fortress"}
    rows = [*PUERTO_RICO.shown.standing_rows(at(table(3, "role", a=fields)), 0)]
    told = " ".join(plain(line).strip() for line in put(rows, Screen(80)))
    assert "Bonus: fortress 0  city-hall 0 (no colonist)" in told
    assert "Bonus: fortress 0, city-hall 0 (no colonist)." in sentences(Document("", rows))


@pytest.mark.parametrize("width", [36, 80])
def test_the_reckoning(width: int, snapshot) -> None:
    large = {"full": "residence fortress", "island": "corn 4 indigo 3 quarry 3", "vp": 17}
    state = table(3, a=large, b={"full": "customs-house city-hall", "vp": 12}, c={"vp": 3})
    state.phase = OVER
    assert "\n".join(map(plain, score_lines(named(state), width))) == snapshot


def test_only_a_tie_shows_what_breaks_it() -> None:
    for chips, is_tied in ((9, False), (5, True)):
        state = table(3, a={"vp": chips, "doubloons": 9}, b={"vp": 5}, c={"vp": 3})
        state.phase = OVER
        heads, *_ = map(plain, score_lines(named(state), 80))
        assert (heads.split()[-1] == "tie-break") == is_tied


def test_a_question_mark_in_a_score_is_explained() -> None:
    def notes(seat: int | None) -> str:
        return " ".join(map(plain, score_lines(named(table(3)), 80, seat)))

    assert "a ? stands for them" in notes(0)
    assert "a ? stands for them" in notes(None)


def test_moves_of_each_phase(snapshot) -> None:
    shown: dict[str, str] = {}
    for ply in game(4, "random", seed=11):
        shown.setdefault(ply.before.phase, "\n".join(map(plain, moves_lines(ply.before, 60))))
    assert shown == snapshot


MANY = "small-indigo-plant indigo-plant tobacco-storage coffee-roaster small-market hacienda"


def test_placements_that_are_too_many(snapshot) -> None:
    state = table(
        3, "mayor", a={"island": "corn 3 indigo 4 quarry 2", "city": MANY, "san_juan": 11}
    )
    assert "\n".join(map(plain, moves_lines(named(state), 60))) == snapshot


def test_loads_of_a_small_wharf_that_are_too_many(snapshot) -> None:
    state = expansion(
        3,
        "captain",
        "small-wharf wharf",
        a={"full": "small-wharf wharf", "goods": "corn 5 indigo 5 sugar 5 coffee 2"},
    )
    assert "\n".join(map(plain, moves_lines(named(state), 60))) == snapshot


def test_payments_with_a_black_market(snapshot) -> None:
    state = expansion(
        3,
        "builder",
        "black-market factory harbor",
        a={"full": "black-market", "goods": "corn 5 indigo", "doubloons": 5, "vp": 2},
    )
    assert "\n".join(map(plain, moves_lines(named(state), 60))) == snapshot


# What has to hold for every table.


@pytest.mark.parametrize("width", [36, 60, 80, 120])
def test_names_are_never_cut(width: int) -> None:
    """Two names may differ in their last letter only."""
    names = ("Maximiliana Josephina of Hohenheide the 1st", "M" * 60 + "1", "M" * 60 + "2")
    shown = drawn(named(game(3)[90].before, names), width)
    letters = "".join(shown.split())
    for name in names:
        assert "".join(name.split()) in letters
    assert "…" not in shown


@pytest.mark.long
def test_the_table_has_everything_that_lies_on_it() -> None:
    for kind in KINDS[::5]:
        for ply in game(*kind, seed=3)[::20]:
            seen = view(ply.before, 0)
            for shown in (drawn(ply.before, 100), "\n".join(table_sentences(seen))):
                words = set(shown.replace("(", " ").replace(",", " ").replace(".", " ").split())
                for player in seen["players"]:
                    assert set(player["city"]) <= words
                    assert player["name"] in shown
                assert str(seen["vp_pool"]) in shown
                if seen["phase"] == DRAFT_PHASE:
                    assert {*seen["violet"], *seen["draft"]} <= words


def test_a_mark_stands_where_the_player_can_pay() -> None:
    state = table(
        3,
        "builder",
        a={"doubloons": 4, "city": "hacienda", "island": "quarry", "colonists": "quarry"},
    )
    shown = drawn(state, 112)
    assert "▸coffee-roaster for 4" in shown
    assert "  factory for 5" in shown
    assert "▸hacienda" not in shown


def test_sentences_hold_no_drawing() -> None:
    for ply in game(4)[::30]:
        assert not set("\n".join(table_sentences(view(ply.before)))) & set("●○▮▯▸×·")


def test_the_log_tells_what_was_taken_back() -> None:
    first, second, *_ = steps(game(3))
    undone = first._replace(undone=True)
    back = taken_back(first)
    items = [undone, back, first]
    assert [turn.facts["turn"] for turn in history(items)] == [1, None, 1]
    shown = "\n".join(map(plain, log_lines(items, second.before, 80)))
    assert "(Taken back.)" in shown
    assert f"{NAMES[first.seat]} took back the last move." in shown
    shown = "\n".join(map(plain, log_lines([undone, undone, back, back], second.before, 80)))
    assert shown.count("took back") == 1
    assert f"{NAMES[first.seat]} took back the last 2 moves." in shown


# --- secrets ----------------------------------------------------------------------------------


def chips(turns: list[Turn]) -> int:
    """All VP in a history."""
    return sum(event["vp"] for turn in turns for event in scored(turn))


def scored(turn: Turn) -> list[dict[str, Any]]:
    """The events of a turn that brought VP to anybody."""
    return [event for event in turn.facts["events"] if event["event"] == "scored"]


@pytest.mark.parametrize("seat", [None, 0, 2])
def test_before_the_end_the_history_has_no_chips_of_others(seat: int | None) -> None:
    played = game(4)
    name_of = dict(enumerate(NAMES)).get
    turns = history(steps(played), seat)
    for turn, step in zip(turns, steps(played), strict=True):
        if step.seat != seat:
            assert turn.facts["scores"] == []
        assert all(event["player"] == name_of(seat) for event in scored(turn))
    shown = "\n".join(map(line_text, log_lines(steps(played), played[50].after, 160)))
    others = [name for other, name in enumerate(played[0].before.config.players) if other != seat]
    assert not any(f"{name} got {vp} VP" in shown for name in others for vp in range(1, 12))
    if seat is not None:
        assert chips(turns) == played[-1].after.players[seat].vp > 0


def with_other_chips(step: Step, known: int | None) -> Step:
    """The same item of a record, had it brought others more VP, on tables with more of them."""
    before, after = step.before.copy(), step.after.copy()
    for state in (before, after):
        for seat, player in enumerate(state.players):
            player.vp += 3 * (seat != known)
    events = [
        Scored(seat=event.seat, reason=event.reason, vp=event.vp + 1)
        if isinstance(event, Scored) and event.seat != known
        else event
        for event in step.events
    ]
    # What is left in the pool would be less; here it is to be the same.
    return step._replace(before=before, after=after, events=tuple(events))


@pytest.mark.long
@pytest.mark.parametrize("seat", [None, 0, 2])
def test_the_page_of_a_running_game_tells_no_chips_of_others(seat: int | None) -> None:
    """Neither in its words nor in its pictures nor in its chart, in no frame."""
    played = after_turn(load(ROOT / "records/puerto-rico/four-players-draft.yaml").replay, 60)
    others = tuple(with_other_chips(step, seat) for step in played.steps)
    other = played._replace(opening=others[0].before, steps=others, state=others[-1].after)
    pages = []
    for replay in (played, other):
        page = story_page(story(replay))
        # The pool says how many chips all players have together; that everybody may know.
        pages.append(re.sub(r">\d+</text><text[^>]*>VP left", "", page))
    assert "VP left" not in pages[0]
    assert pages[0] == pages[1]


def test_after_the_end_everything_is_shown() -> None:
    played = game(4)
    last = played[-1].after
    assert last.phase == OVER
    turns = history(steps(played), over=True)
    assert chips(turns) == sum(player.vp for player in last.players)
    assert log_json(replay_of(steps(played), last))["result"]


@pytest.mark.parametrize(
    ("totals", "places", "said"),
    [
        ((40, 43, 31), (2, 1, 3), "wins with 43 VP, 3 ahead of "),
        ((43, 43, 31), (2, 1, 3), "ahead of Inês on the tie-break: 9 doubloons and barrels to 8."),
        ((43, 43, 31), (1, 1, 3), "win together with 43 VP each."),
    ],
)
def test_who_has_won_and_by_how_much(
    totals: tuple[int, ...], places: tuple[int, ...], said: str
) -> None:
    seen = view(game(3, "random")[-1].after)
    scores = zip(totals, places, strict=True)
    result = {
        player["name"]: {"total": total, "place": place, "tie-break": 10 - place}
        for player, (total, place) in zip(seen["players"], scores, strict=True)
    }
    ranked = sorted(result.items(), key=lambda one: one[1]["place"])
    assert said in winners({**seen, "result": dict(ranked)})


def test_the_last_colonist_is_one(porto) -> None:
    path = ROOT / "records" / "puerto-rico" / "two-players.yaml"
    assert "VP, 1 colonist, fullest city" in porto("show", path, "--turn", 131).out


def must_of(state: State) -> list[str]:
    """Return what a player is said to have to do: above the table, and where a move is refused."""
    refused = [one.sentence for one in violations(state, TakeRole(0))]
    return [situation(view(state))[0], *refused]


def test_in_the_captain_phase_passing_is_named_only_where_it_is_legal() -> None:
    played = [ply.before for kind in (3, 4) for ply in game(kind)]
    played = [state for state in played if state.phase == CAPTAIN_PHASE]
    cannot_load = table(
        3,
        "captain",
        a={"goods": "corn 2", "full": "wharf"},
        cargo={4: "sugar 1", 5: "indigo 1", 6: "coffee 1"},
    )
    is_full = table(3, "captain", a={"goods": "corn 2", "full": "wharf"}, cargo={4: "corn 4"})
    for state in (*played, cannot_load, is_full):
        can_pass = PASS in legal_moves(state)
        ends = " must load barrels or pass." if can_pass else " must load barrels."
        assert all(said.endswith(ends) for said in must_of(state))
    assert PASS not in legal_moves(played[0])
    assert PASS in legal_moves(cannot_load)


def test_a_captain_is_told_to_load_and_not_that_passing_would_do(porto, tmp_path) -> None:
    file = tmp_path / "game.yaml"
    table_at("puerto-rico/two-players", 20, file)
    assert porto("role", file, "captain").code == 0
    assert " must load barrels. " in " ".join(porto("show", file).out.split())
