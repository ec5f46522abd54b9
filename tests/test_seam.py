"""A game that has nothing but what is required: every command plays it, or says what it lacks."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import porto_cli
from porto_cli import games
from porto_cli.asking import offer
from porto_cli.cli import ask
from porto_cli.fields import Positions
from porto_cli.games import BOX, Game, PackagedGame, commands_of, game_of
from porto_cli.match.match import Match
from porto_cli.pages import above as above_question
from porto_cli.term import Screen, plain
from porto_cli.term.prompt import Asker
from tests.conftest import ROOT, Result
from tests.porto.asking import Scripted
from tests.shares import for_each

FILE = "heaps.yaml"
NAMES = ("Ana", "Rui")


@pytest.fixture(autouse=True)
def nim(monkeypatch: pytest.MonkeyPatch) -> Iterator[Game]:
    """The game of examples/nim, as if its package were installed."""
    monkeypatch.syspath_prepend(ROOT / "examples" / "nim")
    import porto_nim

    monkeypatch.setattr(games, "_found", lambda: {"nim": ()})
    monkeypatch.setattr(games, "load", lambda name: {"nim": porto_nim.NIM}[name])
    yield porto_nim.NIM
    games._loaded.pop("nim", None)
    sys.modules.pop("porto_nim", None)


@pytest.fixture
def begun(porto) -> Match:
    """A game in a file, after a move."""
    match = porto_cli.new_game(NAMES, game="nim", seed="tram", first="Ana")
    match.play("take 2 B")
    match.save(FILE)
    return match


def test_ten_members_are_required() -> None:
    assert Game.__abstractmethods__ == {
        *("meta", "initial_state", "to_move", "legal_moves", "apply", "outcome"),
        *("format_move", "parse_move", "describe", "table"),
    }


def test_a_record_has_no_setup_where_nothing_is_set_up(begun: Match) -> None:
    assert Path(FILE).read_text("utf-8").endswith("seed: tram\nturns:\n- Ana: take 2 B\n")
    text = Path(FILE).read_text("utf-8").replace("turns:", "setup: {}\nturns:")
    with pytest.raises(porto_cli.InvalidFileError, match="setup"):
        porto_cli.loads(text)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("show", "B  o o (2)"),
        ("show --plain", "B  o o (2)"),
        ("show --format svg", "B  o o (2)"),
        ("show --format html", "B  o o (2)"),
        ("show --format json", '"table": ["A'),
        ("moves", "take 5 C"),
        ("moves --format json", '{"move": "take 5 C"}'),
        ("log", "Ana took 2 from heap B, which left 2."),
        ("log --format json", '"moves": ["take 2 B"]'),
        ("log --format html", "Ana took 2 from heap B, which left 2."),
        ("score", "nothing is counted before its end"),
        ("score --format json", '"over": false'),
        ("verify", "valid, 1 turn"),
        ("mail --to rui@example.org --format text", "take 1 A"),
        ("mail --to rui@example.org --format eml", "take 1 A"),
        ("games", "Nim"),
    ],
)
def test_what_is_shown_is_made_of_the_table_and_the_sentences(
    porto, begun: Match, words: str, said: str
) -> None:
    verb, *options = words.split()
    done = porto(verb, *([] if verb == "games" else [FILE]), *options)
    assert (done.code, done.err) == (0, "")
    assert said in done.out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("hint", "hints"),
        ("analyze", "Nim"),
        ("log --analyze --format html", "Nim"),
        ("scenario --from", "Nim has no positions"),
        ("new sealed.yaml Ana Rui --game nim --secrecy sealed", "Nim cannot be sealed"),
        ("new bot.yaml Ana --game nim --bot", "The levels of Nim are random."),
        ("simulate random greedy --game nim", "there are random"),
        ("moves --house L1", "In a game of Nim 'moves' has no option --house"),
        ("draw blue-1", "Its moves are: take, undo"),
    ],
)
def test_missing_abilities_are_reported_in_a_sentence(
    porto, begun: Match, words: str, said: str
) -> None:
    verb, *options = words.split()
    if verb in ("new", "simulate"):
        done: Result = porto(verb, *options, *(["Rui 3"] if "--bot" in options else []))
    elif verb == "scenario":
        done = porto(verb, *options, FILE)
    else:
        done = porto(verb, FILE, *options)
    assert done.code in (1, 2)
    assert said in done.err


def test_commands_name_another_player_than_the_user(porto, begun: Match) -> None:
    assert "porto take heaps.yaml 1 A\n" in porto("show", FILE).out
    assert porto("me", "Ana").code == 0
    assert "porto take heaps.yaml 1 A --as Rui" in porto("show", FILE).out
    assert porto("me", "Rui").code == 0
    assert "porto take heaps.yaml 1 A\n" in porto("show", FILE).out


def test_terms_are_the_lines_of_the_options(begun: Match) -> None:
    assert begun.game.terms(begun.record.config) == ([], [])
    other = game_of("puerto-rico")
    result, warned = Game.terms(other, other.new_config(NAMES))
    lines = "; ".join(other.config_lines(other.new_config(NAMES)))
    assert ([str(one) for one in result], warned) == ([f"Options: {lines}."], [])


def test_moves_are_made_refused_and_taken_back(porto, begun: Match) -> None:
    refused = porto("take", FILE, "4", "B")
    assert refused.code == 1
    assert "R-LEGAL: 'take 4 B' is not one of the 10 legal moves." in refused.err
    assert f"porto take {FILE} " in refused.err
    assert "R-TURN" in porto("take", FILE, "1", "B", "--as", "Ana").err
    assert porto("take", FILE, "a lot").code == 2
    assert porto("take", FILE, "1", "B", "--dry-run").code == 0
    assert porto("undo", FILE).code == 0
    assert porto("take", FILE, "1", "A", "--format", "json").code == 0
    assert porto("rules", "R-LEGAL", "--game", "nim").code == 0


def test_what_is_missing_of_a_move_is_named_with_legal_moves(porto, begun: Match) -> None:
    done = porto("take", FILE)
    assert (done.code, done.out) == (2, "")
    assert "After 'take', say which: " in done.err
    assert f"  porto take {FILE} 1 A\n" in done.err
    assert porto("take", FILE, "1", "A", "--dry-run").code == 0


def test_words_that_were_begun_are_asked_to_their_end(
    porto, begun: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    asker = Scripted("take 2 C")
    monkeypatch.setattr(ask, "can_ask", lambda: True)
    monkeypatch.setattr(ask, "asker", lambda game: asker)
    assert porto("take", FILE, "2").code == 0
    assert "take 3" not in asker.seen[0]
    assert Path(FILE).read_text("utf-8").endswith("- Rui: take 2 C\n")


def test_a_finished_game_says_who_has_won(porto, begun: Match) -> None:
    for move in ("take 2 B", "take 3 A", "take 5 C"):
        verb, *words = move.split()
        assert porto(verb, FILE, *words).code == 0
    assert "result: {Rui: 1, Ana: 0}" in Path(FILE).read_text("utf-8")
    assert "Won by: Rui." in porto("show", FILE).out
    assert porto("score", FILE).out.splitlines()[:4] == [
        "The game is over. Won by: Rui.",
        "",
        "Final scores",
        "1. Rui: 1",
    ]
    assert json.loads(porto("show", FILE, "--format", "json").out)["result"][0]["name"] == "Rui"
    assert porto("verify", FILE).code == 0
    assert porto("mail", FILE, "--to", "ana@example.org").code == 0


def test_programs_play_it(porto) -> None:
    words = ("--game", "nim", "-j", 1, "--seed", "tram")
    assert "random 1" in porto("simulate", "random", "random", "-n", 2, *words).out
    Path("mine.py").write_text("def choose(seen):\n    return seen['moves'][-1]['move']\n", "utf-8")
    done = porto("simulate", "mine.py:choose", "random", "random", "--seats", 2, "-n", 1, *words)
    assert (done.code, "mine.py:choose" in done.out) == (0, True)
    assert porto("new", FILE, "Ana", "--game", "nim", "--bot", "Rui random").code == 0
    assert porto("show", FILE).code == 0
    assert porto("verify", FILE, "--bots").code == 0
    assert porto("simulate", "random", "random", "--from", FILE, "-n", 2, "-j", 1).code == 0


def test_the_keyboard_offers_its_moves(begun: Match) -> None:
    class First(Asker):
        def choose(self, question, choices, **_: object) -> str:
            return choices[0].value

    options = begun.game.words.options(begun.state, 1, asking=True)
    played: list[list[str]] = []
    found = offer("Rui", options, First(), played.append)
    assert "Rui" in str(found.question)
    found.entries[0].value()
    assert played == [["take 1 A"]]
    above = above_question(begun.replay, 1, 1)
    shown = [plain(line) for line in above.lines(Screen(80), 20)]
    assert " B  o o (2)" in shown
    assert "Ana took 2 from heap B" in " ".join(map(str, above.sentences()))
    assert len(above.lines(Screen(80), 3)) == 3


def test_an_answer_in_words_is_a_move(porto, begun: Match) -> None:
    assert porto("address", "Rui", "rui@example.org").code == 0
    Path("answer.eml").write_text(
        "From: Rui <rui@example.org>\nTo: ana@example.org\n"
        f"Subject: Re: Nim: Rui is to move [{begun.fingerprint}]\n\ntake 4 C\n\n> Hello.\n",
        "utf-8",
    )
    done = porto("receive", "answer.eml", "--yes")
    assert (done.code, done.err) == (0, "")
    assert Path(FILE).read_text("utf-8").endswith("- Rui: take 4 C\n")


def test_real_heaps_can_be_played_with(porto) -> None:
    assert porto("new", FILE, *NAMES, "--game", "nim", "--secrecy", "table").code == 0
    assert porto("take", FILE, "2", "B").code == 0
    assert porto("verify", FILE).code == 0


@for_each("game", BOX)
def test_each_verb_that_a_game_is_known_by_is_explained(game: str) -> None:
    assert tuple(commands_of(game).verbs) == BOX[game].verbs


@for_each("game_id", BOX)
def test_all_parts_of_a_game_of_the_box_are_where_they_are_looked_for(game_id: str) -> None:
    game = game_of(game_id)
    assert isinstance(game, PackagedGame)
    parts = [name for name in vars(PackagedGame) if not name.startswith("_")]
    assert {"words", "shown", "orders", "positions", "coach"} <= {*parts}
    for part in parts:
        assert getattr(game, part) is not None
    for needed in (name for name in vars(Positions) if not name.startswith("_")):
        assert hasattr(game.positions, needed), needed
