"""The table in a terminal: at every width, in every alphabet, with and without color."""

from __future__ import annotations

import io
import random
from typing import Any

import pytest

from porto_cli import paper as plain_sentences
from porto_cli.cli.show import move_rows
from porto_cli.games.porto.engine import COLORS
from porto_cli.games.porto.engine.state import State
from porto_cli.games.porto.game import PORTO
from porto_cli.games.porto.options import options
from porto_cli.games.porto.phrases import PAINTS, Today, changed_by, street
from porto_cli.games.porto.view import view
from porto_cli.match.match import new_game
from porto_cli.match.replay import Replay
from porto_cli.pages import log, score
from porto_cli.paper import Document, lines, put
from porto_cli.term import NARROWEST, WIDEST, Line, Screen, joined, plain, screen_of, show, writable
from tests.porto.playing import KINDS, plies
from tests.porto.tables import laid, played
from tests.shares import for_each

WIDTHS = (60, 80, 120, 200)


Seen = dict[str, Any]


def table(game: Replay, seat: int | None = None) -> Seen:
    return PORTO.shown.table_json(game, seat)


def document(seen: Seen) -> Document:
    last = seen.get("last_turn") or {"sentences": ()}
    return PORTO.shown.document(
        seen,
        title=seen["title"],
        last=last["sentences"],
        fingerprint=seen.get("fingerprint", ""),
    )


def text(seen: Seen, screen: Screen) -> list[Line]:
    return lines(document(seen), screen)


def sentences(seen: Seen) -> list[str]:
    return plain_sentences.sentences(document(seen))


def drawn(seen: Seen, width: int = 80, *, ascii_only: bool = False) -> str:
    return "\n".join(plain(line) for line in text(seen, Screen(width, False, ascii_only)))


def view_of(state: State, title: str = "") -> Seen:
    return {"title": title, **view(state, 0)}


class Stream(io.TextIOWrapper):
    """A stream of an encoding that may be a terminal."""

    def __init__(self, encoding: str = "utf-8", *, terminal: bool = False) -> None:
        super().__init__(io.BytesIO(), encoding=encoding, newline="")
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal

    def bytes(self) -> bytes:
        self.flush()
        return self.buffer.getvalue()  # type: ignore[attr-defined]


@pytest.fixture(autouse=True)
def _no_wishes(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "COLORTERM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")


# What it looks like. `pytest --snapshot-update` accepts a change; look at it first.


@pytest.mark.parametrize("width", [60, 120])
def test_the_table_of_four(width: int, snapshot) -> None:
    assert drawn(table(played(4, 70), 3), width) == snapshot


def test_the_table_of_two_after_the_end(snapshot) -> None:
    assert drawn(table(played(2))) == snapshot


def test_the_table_of_a_solo_game_when_the_timer_has_turned(snapshot) -> None:
    state = next(ply.before for ply in plies(KINDS[3], random.Random(3)) if ply.before.turned)
    assert drawn(view_of(state)) == snapshot


def test_the_table_before_the_first_turn(snapshot) -> None:
    assert drawn(table(played(3, 0), 0)) == snapshot


def test_the_table_in_ascii(snapshot) -> None:
    shown = drawn(table(played(4, 70)), ascii_only=True)
    assert shown.replace("ê", "e").isascii()
    assert shown == snapshot


def test_the_table_in_sentences(snapshot) -> None:
    assert "\n".join(sentences(table(played(3, 42), 0))) == snapshot


def test_one_card_that_is_left_is_not_called_cards() -> None:
    seen = {**table(played(3, 42), 0), "contract_deck": 1}
    assert " 1 public contract " in drawn(seen)


def moves_of(state: State, seat: int | None, width: int) -> list[Line]:
    """The legal moves as a list."""
    return put(move_rows(options(state, seat)), Screen(width))


def test_the_moves(snapshot) -> None:
    game = played(3, 42)
    assert "\n".join(map(plain, moves_of(game.state, None, 80))) == snapshot


@pytest.mark.parametrize("players", [1, 3])
def test_the_story(players: int, snapshot) -> None:
    """Its beginning and its end."""
    shown = [*map(plain, lines(log(played(players)), Screen(80)))]
    assert "\n".join([*shown[:20], "", *shown[-20:]]) == snapshot


def test_the_reckoning(snapshot) -> None:
    assert "\n".join(map(plain, lines(score(played(4), None), Screen(60)))) == snapshot


# What has to hold for every table.


NAMES = {"Zoé": 3, "서울": 4, "ลิ้ม": 2, "👍🏽R": 3}
"""Names, and how many columns of a terminal each of them takes."""


def test_columns_are_in_line_whatever_the_players_are_called(porto) -> None:
    porto("new", "g.yaml", *NAMES, "--seed", "tram")
    rows = porto("score", "g.yaml").out.splitlines()
    ranked = [row for row in rows if row[:1].isdigit()]
    named = [(row, name) for row in ranked for name in NAMES if f" {name} " in row]
    assert len(named) == len(NAMES)
    assert len({len(row) - len(name) + NAMES[name] for row, name in named}) == 1, rows


def fronts_of(position: str, cell: int = 10, *, ascii_only: bool = False) -> list[str]:
    """The rows of the left side with two players, L3 to L7, drawn above the right side."""
    screen = Screen(5 * cell, False, ascii_only)
    drawing = street(view(laid(position))["houses"], Today({}, set(), set()), screen)
    return [plain(line) for line in drawing[:9]]


@pytest.mark.parametrize("cell", [6, 8, 10, 14])
@pytest.mark.parametrize("ascii_only", [False, True])
def test_a_house_is_as_high_as_its_floors(cell: int, ascii_only: bool) -> None:
    """A roof space, six floor spaces, the street and the names."""
    rows = fronts_of("houses: {L3: blue 6, L4: green 2}", cell, ascii_only=ascii_only)
    assert len(rows) == 7 + 2
    assert sum("b" in row for row in rows) == 6
    assert sum("g" in row for row in rows) == 2
    assert rows[-2] == ("=" if ascii_only else "━") * (5 * cell - 1)
    assert rows[-1].split()[:: 2 if cell > 6 else 1] == ["L3", "L4", "L5", "L6", "L7"]
    lowest = "gng" if ascii_only else "g▮g"
    assert lowest in rows[-3]
    # Houses stand on the ground: L5 has four spaces and its roof, so it is lower than L3.
    blank = rows[0][2 * cell : 3 * cell - 1]
    assert not blank.strip()


@pytest.mark.parametrize("color", COLORS)
@pytest.mark.parametrize("ascii_only", [False, True])
def test_without_color_each_color_has_its_letter_and_its_pattern(
    color: str, ascii_only: bool
) -> None:
    paint = PAINTS[color]
    upper = fronts_of(f"houses: {{L3: {color} 2}}", ascii_only=ascii_only)[-4]
    pattern = {"≈": "~", "╱": "/", "▒": "#", "═": "=", "*": "*"}[paint.pattern]
    pattern = pattern if ascii_only else paint.pattern
    assert pattern not in "·.", "That is an empty space."
    window = "o" if ascii_only else "▯"
    wall = "|" if ascii_only else "│"
    half = f"{pattern}{window}{pattern}"
    assert upper.startswith(f"{wall}{half}{paint.letter}{half}{wall}")


def test_houses_that_are_not_in_play_are_absent() -> None:
    for players, absent in ((2, ("L1", "L2", "R6", "R7")), (3, ("L1", "R7")), (4, ())):
        shown = drawn(table(played(players, 3)))
        for name in ("L1", "L2", "L3", "R1", "R6", "R7"):
            assert (f"{name} 0/" in shown) == (name not in absent)


def test_tokens_lie_on_the_ground_and_on_the_roof() -> None:
    rows = fronts_of(
        "houses: {R1: blue 1, R3: red 2}\nground-tokens: {L3: 3}\nroof-tokens: {L4: 4, L3: 2}"
    )
    assert rows[-3].startswith("·  (3)  ·")
    assert rows[0].startswith("╱  (2)  ╲")
    assert rows[1][10:].startswith("╱  (4)  ╲")


def test_what_the_last_turn_built_has_a_dotted_outline() -> None:
    game = played(4, 70)
    ((_, floors),) = changed_by(table(game)["last_turn"]["events"]).floors.items()
    shown = drawn(table(game))
    assert shown.count("┋") == 2 * floors
    assert drawn(table(game), ascii_only=True).count(":/o/g/o/:") == floors


def test_a_mark_says_which_contracts_can_be_met() -> None:
    state = laid(
        "houses: {L3: blue 6, L5: blue 4, R1: blue 5, L4: red 2}\n"
        "hands: {Inês: [red-2, green-1]}\n"
        "contracts: [2-red-floors, 1-blue-floor, green-house, red+red]"
    )
    shown = drawn(view_of(state))
    assert "1 ○ 2-red-floors" in shown
    assert "2 × 1-blue-floor" in shown
    assert "3 ○ green-house" in shown
    assert "Can be met: ○ later  × no longer" in shown
    state = laid(
        "hands: {Inês: [red-2, green-1]}\n"
        "contracts: [green+red, 2-green-floors, 1-blue-floor, blue-house]"
    )
    shown = drawn(view_of(state))
    assert "1 ● green+red" in shown
    assert "2 ● 2-green-floors" in shown


def test_words_in_brackets_are_shown_as_they_are() -> None:
    stream = Stream()
    seen = view_of(laid("houses: {L4: blue 2}"), "[r1] of [bold]friends[/bold]")
    show(text(seen, Screen(80, True)), Screen(80, True), stream)
    assert b"[r1] of [bold]friends[/bold]" in stream.bytes()


# What the output can show.


@pytest.mark.parametrize(
    ("environment", "terminal", "color", "expected"),
    [
        ({}, True, "auto", True),
        ({}, False, "auto", False),
        ({"NO_COLOR": "1"}, True, "auto", False),
        ({"NO_COLOR": ""}, True, "auto", True),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, True, "auto", False),
        ({"NO_COLOR": "1"}, False, "always", True),
        ({"FORCE_COLOR": "1"}, False, "auto", True),
        ({"FORCE_COLOR": "0"}, False, "auto", False),
        ({"TERM": "dumb"}, True, "auto", False),
        ({"TERM": "dumb"}, False, "always", True),
        ({"FORCE_COLOR": "1"}, True, "never", False),
    ],
)
def test_who_gets_color(environment, terminal, color, expected, monkeypatch) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    screen = screen_of(Stream(terminal=terminal), color)
    assert screen.color is expected
    stream = Stream(terminal=terminal)
    show(text(table(played(2, 20)), screen), screen, stream)
    assert (b"\x1b[" in stream.bytes()) is expected


def test_color_changes_no_letter() -> None:
    from rich.text import Text

    seen = table(played(4, 70), 0)
    for width in WIDTHS:
        screen = Screen(width, True)
        stream = Stream()
        show(text(seen, screen), screen, stream)
        shown = Text.from_ansi(stream.bytes().decode().removesuffix("\n")).plain
        expected = "\n".join("".join(part for part, _ in line) for line in text(seen, screen))
        assert [line.rstrip() for line in shown.split("\n")] == [
            line.rstrip() for line in expected.split("\n")
        ]


@pytest.mark.parametrize(
    ("columns", "width"),
    [("100", 100), ("", 80), ("wide", 80), ("0", 80), ("7", NARROWEST), ("9999", WIDEST)],
)
def test_columns_say_how_wide_a_pipe_is(columns: str, width: int, monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert screen_of(Stream()).width == width


@for_each(
    ("encoding", "ascii_only"),
    [("utf-8", False), ("ascii", True), ("latin-1", True), ("cp1252", True), ("cp437", True)],
)
def test_a_small_alphabet_gets_a_drawing_of_its_own(encoding: str, ascii_only: bool) -> None:
    stream = Stream(encoding)
    screen = screen_of(stream)
    assert screen.ascii is ascii_only
    show(text(table(played(2, 20)), screen), screen, stream)
    assert stream.bytes().decode(encoding)


@pytest.mark.parametrize(
    ("encoding", "written"), [("utf-8", "Inês 철"), ("latin-1", "Ines ?"), ("ascii", "Ines ?")]
)
def test_letters_that_an_alphabet_lacks_lose_their_accents(encoding: str, written: str) -> None:
    shown = writable("Inês 철", Stream(encoding))
    assert shown == written or (encoding != "utf-8" and shown.startswith("Ines "))
    assert writable("Inês", Stream("latin-1")) == "Inês"


def test_sentences_hold_everything_and_no_drawing() -> None:
    seen = table(played(4, 70), 3)
    shown = "\n".join(sentences(seen))
    assert not set(shown) & set("│┋╱╲▟█▙▯▮━●○×╌┄")
    for name in seen["houses"]:
        assert f"{name} is " in shown
    for contract in filter(None, seen["public_contracts"]):
        assert f"{contract['contract']}, {contract['vp']} VP" in shown
    for player in seen["players"]:
        assert f"{player['name']} has {player['score']} VP" in shown
        for card in player["hand"]:
            assert card in shown
    assert seen["fingerprint"] in shown
    assert len([line for line in shown.split("\n") if " a token of " in line]) == sum(
        bool(house["ground_token"] or house["roof_token"]) for house in seen["houses"].values()
    )


def test_the_paint_of_a_card_does_not_run_into_the_gap_behind_it() -> None:
    line = [
        ("blue-1", "bold #fff on #00f"),
        (" ", ""),
        ("", "dim"),
        ("green-2", "bold #fff on #0f0"),
        (" ", ""),
    ]
    assert joined(line) == [line[0], line[1], line[3], line[4]]
    assert joined([("a", "bold"), (" b", "bold")]) == [("a b", "bold")]


LONG = "Maximiliana Josephina von Hohenheide"


@pytest.mark.parametrize("width", [44, 60, 80, 170])
def test_a_name_is_cut_only_for_lack_of_room_and_with_a_mark(width: int) -> None:
    """In the table and in the standings; the mark is there in every alphabet."""
    game = new_game([LONG, "Bo"], seed="tram", first="Bo").replay
    for ascii_only in (False, True):
        lines = [plain(line) for line in text(table(game), Screen(width, ascii=ascii_only))]
        assert max(map(len, lines)) <= width
        assert LONG in " ".join(" ".join(lines).split())
        for line in lines:
            if LONG[:8] in line and "VP" in line:
                assert LONG in line or ("..." if ascii_only else "…") in line


@for_each("width", [44, 60, 66, 80, 120])
def test_names_in_the_standings(width: int) -> None:
    game = new_game([LONG, "Bo"], seed="tram", first="Bo").replay
    shown = [plain(line) for line in lines(score(game, None), Screen(width))]
    assert max(map(len, shown)) <= width
    assert ("total" in "".join(shown)) == (width >= 60)
    assert any("…" in line for line in shown) == (width in (60, 66, 80))
    if width in (44, 120):
        assert LONG in " ".join(" ".join(shown).split())
