"""Whatever is refused says what can be typed instead, and that can be typed as it is."""

from __future__ import annotations

import shlex
import shutil
import sys
from pathlib import Path

import pytest

import porto_cli
from porto_cli.match.match import Match
from tests.conftest import ROOT
from tests.mails import beginning
from tests.sealed_games import NAMES, played_out
from tests.test_printed_commands import check

FILE = "friday.yaml"
MISTYPED = {
    "porto": [
        *("draw FILE violet-1", "draw FILE violet", "draw FILE 9", "draw FILE r1 g", "draw FILE"),
        *("build FILE house L3", "build FILE blue-1 red-2 L99", "build FILE red-1", "build FILE"),
        *("contract FILE nobody", "role FILE mayor", "draw FILE blue-1 --refill red-1"),
    ],
    "puerto-rico": [
        *("role FILE setler", "role FILE nothing", "role FILE", "role FILE captain mayor"),
        *("sell FILE gold", "load FILE gold 4", "load FILE corn", "take FILE quarries"),
        *("build FILE markets", "place FILE nowhere", "store FILE gold", "draw FILE red-1"),
    ],
}
PASTED = {
    "move FILE '> draw blue-1'": "draw FILE blue-1",
    "move FILE 'Ana: draw blue-1'": "draw FILE blue-1",
    "move FILE 'porto draw FILE blue-1'": "draw FILE blue-1",
    "draw FILE porto draw FILE blue-1": "draw FILE blue-1",
    "draw FILE draw blue-1 now --as Nobody": "draw FILE purple-3",
    "take FILE blue-1": "draw FILE blue-1",
    "draw FILE build blue-1 red-2 L4": "build FILE blue-1 red-2 L4",
    "pass FILE now": "pass FILE",
}


def write(match: Match) -> None:
    Path(FILE).write_text(match.record.text, "utf-8", newline="\n")


@pytest.mark.parametrize("game", MISTYPED)
@pytest.mark.parametrize("count", [3, 12, 30])
def test_a_move_that_cannot_be_read_is_answered_with_legal_ones(
    porto, game: str, count: int
) -> None:
    write(beginning(game, count))
    for line in MISTYPED[game]:
        result = porto(*shlex.split(line.replace("FILE", FILE)))
        assert result.code in (1, 2), line
        assert result.proposed, f"{line}\n{result.err}"
        check(porto, result.err)


def test_of_what_was_pasted_the_move_is_left(porto) -> None:
    write(beginning("porto", 12))
    for line, right in PASTED.items():
        result = porto(*shlex.split(line.replace("FILE", FILE)))
        assert result.code == 2, line
        assert f"porto {right.replace('FILE', FILE)}" in result.proposed, f"{line}\n{result.err}"


def test_a_card_that_there_is_not_is_answered_with_what_lies_in_the_row(porto) -> None:
    porto_cli.new_game(["Ana", "Rui"], private_contracts=False, seed="tram").save(FILE)
    result = porto("draw", FILE, "violet-1")
    assert result.code == 2
    row = "green-3, red-2, purple-2, blue-1 and red-3"
    assert f"There is no card 'violet-1'; face-up cards: {row}.\n" in result.err
    assert len(result.proposed) == 5


def test_an_undo_that_is_refused_says_what_is_next(porto) -> None:
    porto("new", FILE, "Ana", "Rui", "--first", "Ana", "--first-game", "--seed", "tram", "-q")
    nothing = porto("undo", FILE)
    assert nothing.code == 1
    assert "There is no turn to take back." in nothing.err
    assert "It is Ana's turn. To draw, for example: porto draw friday.yaml " in nothing.err
    check(porto, nothing.err)


@pytest.mark.parametrize("game", MISTYPED)
def test_a_move_out_of_turn_or_after_the_end_says_what_is_next(porto, game: str) -> None:
    match = porto_cli.new_game(["Ana", "Rui", "Eva"], game=game, seed="tram")
    if game == "porto":
        for name in match.players:
            match.play("keep 1 2 3", player=name)
    match.save(FILE)
    first, second, *_ = match.players
    move = "draw 1" if game == "porto" else "role mayor"
    early = porto("move", FILE, move, "--as", second)
    assert early.code == 1
    assert early.err.count(f"It is {first}'s turn") == 1
    assert check(porto, early.err) >= 2
    finished = next(Path(porto_cli.__file__).parents[1].glob(f"records/{game}/t*-players*.yaml"))
    Path(FILE).write_bytes(finished.read_bytes())
    late = porto(*f"{move.split()[0]} {FILE} {move.split()[1]}".split())
    assert late.code == 1
    assert "The game is over" in late.err
    assert f"To see the final scores: porto score {FILE}" in late.err


@pytest.mark.parametrize(
    ("line", "right"),
    [
        ("show FILE --as Rue", "show FILE --as Rui"),
        ("show FILE --as=Rue", "show FILE --as=Rui"),
        ("moves FILE --as Rue", "moves FILE --as Rui"),
        ("score FILE --as Rue", "score FILE --as Rui"),
        ("hint FILE --as Rue", "hint FILE --as Rui"),
        ("mail FILE --as Rue", "mail FILE --as Rui"),
        ("show fridai.yaml", "show FILE"),
        ("moves fridai.yaml --as Rui", "moves FILE --as Rui"),
        ("show FILE --turn 99", "show FILE --turn 0"),
        ("log FILE --since never", "log FILE --since last"),
        ("order FILE draw blue-1", "order FILE draw blue-1 --as Rui"),
        ("moves FILE --house L99", "moves FILE"),
        ("--as Rui show FILE", "show FILE --as Rui"),
        ("--format json show FILE", "show FILE --format json"),
    ],
)
def test_a_word_that_fits_nothing_is_replaced_in_what_was_typed(
    porto, line: str, right: str
) -> None:
    porto("new", FILE, "Ana", "Rui", "-q")
    result = porto(*line.replace("FILE", FILE).split())
    assert result.code in (2, 4)
    if "--format" not in line:
        assert f"porto {right.replace('FILE', FILE)}" in result.proposed
    else:
        assert f"porto {right.replace('FILE', FILE)}" in result.err


def test_a_trial_that_cannot_be_read_is_answered_with_legal_moves(porto) -> None:
    write(beginning("porto", 12))
    result = porto("try", FILE, "draw violet-1")
    assert result.code == 2
    assert result.proposed
    for line in result.proposed:
        assert porto(*shlex.split(line)[1:]).code == 0, line


def test_a_player_who_is_like_nobody_is_replaced_by_each(porto) -> None:
    porto("new", FILE, "Ana", "Rui", "-q")
    result = porto("show", FILE, "--as", "Zoe")
    assert {*result.proposed} == {f"porto show {FILE} --as {name}" for name in ("Ana", "Rui")}


@pytest.mark.parametrize("game", MISTYPED)
def test_the_score_says_how_a_player_sees_the_own_one(porto, game: str) -> None:
    match = beginning(game, 12)
    write(match)
    known = "What only a player may see is added by --as, for example: porto score"
    assert f"{known} {FILE} --as {match.players[0]}" in porto("score", FILE).out
    assert known not in porto("score", FILE, "--as", match.players[0]).out


def test_a_word_that_no_move_has_names_the_command_that_lists_all(porto) -> None:
    write(beginning("porto", 12))
    result = porto("moves", FILE, "purple-house", "L3")
    assert f"To see all: porto moves {FILE}" in result.out
    assert porto("moves", FILE, "drow").proposed == [f"porto moves {FILE} draw"]


DRAWS = {
    "blue": ["Did you mean blue-1?"],
    "yellow": ["Right now none of these is possible: yellow-1, yellow-2 and yellow-3."],
}


@pytest.mark.parametrize("word", DRAWS)
def test_only_what_can_be_drawn_now_is_proposed(porto, word: str) -> None:
    in_play(porto)
    assert porto("draw", FILE, word).err.splitlines()[1:2] == DRAWS[word]


def test_for_nobody_a_move_is_proposed_that_can_be_made(porto) -> None:
    in_play(porto)
    for line in (f"draw {FILE} blue-1 --as Bob", f"draw {FILE} yellow-1 --as Bob"):
        (works,) = porto(*line.split()).proposed
        assert porto(*shlex.split(works)[1:], "--dry-run").code == 0
    assert porto("draw", FILE, "blue-1", "--as", "Bob").proposed == [f"porto draw {FILE} blue-1"]


def in_play(porto) -> None:
    porto("new", FILE, "Ana", "Rui", "--seed", "demo", "--first", "Ana", "-q")
    for player in ("Ana", "Rui"):
        assert porto("keep", FILE, 1, 2, 3, "--as", player).code == 0


def test_a_record_that_cannot_be_replayed_says_how_to_get_a_good_one(porto) -> None:
    """Its last line is missing, or a card of the setup is another one."""
    in_play(porto)
    assert porto("draw", FILE, "green-3", "-q").code == 0
    whole = Path(FILE).read_text("utf-8")
    for damaged, says in (
        (whole[: whole.rstrip().rindex("\n") + 1], "ask for the file again, as an attachment"),
        (
            whole.replace("green-3", "red-3", 1),
            "undo the change, or use an earlier copy.",
        ),
    ):
        Path(FILE).write_text(damaged, "utf-8")
        for name in ("show", "verify", "log"):
            assert says in porto(name, FILE).err


def test_a_record_that_ends_within_a_comment_seems_to_be_cut_off(porto) -> None:
    whole = (ROOT / "records" / "porto" / "two-players.yaml").read_text("utf-8")
    for text, is_cut in ((whole[: whole.index("VP", 2000)], True), (whole.rstrip(), False)):
        Path(FILE).write_text(text, "utf-8")
        for name in ("show", "verify", "log"):
            result = porto(name, FILE)
            assert result.code == 0
            assert ("the file may be cut off" in result.err) == is_cut


def test_a_game_that_is_over_says_so_once(porto) -> None:
    shutil.copy(ROOT / "records" / "porto" / "solo-won.yaml", FILE)
    result = porto("draw", FILE, "blue-1")
    assert (result.code, result.err.count("The game is over")) == (1, 1)
    assert "The game is over" in porto("draw", FILE, "blue").err
    shutil.copy(ROOT / "records" / "puerto-rico" / "two-players.yaml", FILE)
    assert porto("hint", FILE).err == "The game is over, so there is no move to choose.\n"


@pytest.mark.long
def test_who_still_has_to_reveal_is_said_of_a_finished_game_and_no_more(porto) -> None:
    """The log and the score have shown the result."""
    Path(FILE).write_text(played_out(private_contracts=False), "utf-8")
    for name, is_shown in (("log", False), ("score", False), ("show", True)):
        text = porto(name, FILE).out
        assert f"these players still have to reveal their random numbers: {NAMES[0]}." in text
        assert ("To see the final scores" in text) == is_shown
        assert text.count("The game is over: ") == 1


def test_a_move_that_cannot_begin_so_is_answered_with_whose_turn_it_is(porto) -> None:
    in_play(porto)
    player = porto_cli.load(FILE).to_move()[0]
    for words in (["red-2", "blue-1"], ["red-2", "blue-1", "L9"]):
        refused = porto("build", FILE, *words)
        assert refused.code == 2
        assert refused.err.startswith(f"It is {player}'s turn.\n"), refused.err
    missing = "After 'build red-2 blue-1', the house is missing, but no house is possible now.\n"
    assert missing in porto("build", FILE, "red-2", "blue-1").err
    # A mistyped word of a move that is possible does not ask whose turn it is.
    assert "turn" not in porto("draw", FILE, "violet").err


@pytest.mark.parametrize("typed", ["new x.txt", "new x.txt Rui --game puerto-rico"])
def test_what_a_new_game_lacks_is_shown_in_an_example(porto, typed: str) -> None:
    (works,) = porto(*typed.split()).proposed
    done = porto(*shlex.split(works)[1:])
    assert done.code == 0


def test_a_move_of_another_phase_is_answered_with_whose_phase_it_is(porto) -> None:
    """Once, and only where it is the phase of another role."""
    for phase, count, words, names_phase in (
        ("role", 8, ["sell", "corn"], True),
        ("role", 8, ["take", "corn"], False),
        ("mayor", 34, ["build", "hospice"], True),
        ("store", 129, ["load", "corn", "4"], False),
    ):
        match = beginning("puerto-rico", count)
        assert match.state.phase == phase
        write(match)
        text = porto(words[0], FILE, *words[1:]).err
        assert (f"'{words[0]}' is for the " in text) == names_phase, text
        assert f"{match.to_move()[0]} must " in text
        assert "turn." not in text


def test_what_a_short_word_can_mean_is_said_once(porto) -> None:
    for count, verb in ((3, "build"), (34, "place"), (32, "load")):
        write(beginning("puerto-rico", count))
        for word in ("c", "co", "s", "h"):
            result = porto(verb, FILE, word)
            assert len({*result.proposed}) == len(result.proposed)
            named = result.err.partition("\n  porto")[0].split()
            assert not any(named.count(name) > 1 for name in ("church", "cloister", "corn"))


def test_a_building_is_asked_for_without_what_this_game_does_not_have(porto) -> None:
    porto(*["new", "g.yaml", "Ana", "Rui", "Bea", "--game", "puerto-rico", "--first", "Ana", "-q"])
    porto("role", "g.yaml", "builder")
    assert porto("build", "g.yaml").err.startswith(
        "After 'build', the building is missing; write one of: small-"
    )
    assert "University" not in porto("build", "g.yaml").err
    pirate = porto("role", "g.yaml", "pirate")
    assert pirate.err.startswith(
        "PR-TURN-1: It is the builder phase: Ana must build or pass.\n'pir"
    )
    assert pirate.proposed[0] == "porto build g.yaml small-indigo-plant"


@pytest.mark.parametrize("line", ["show FILE --format svg", "log FILE --format html"])
def test_a_page_is_not_poured_into_a_terminal(
    porto, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    in_play(porto)
    words = line.replace("FILE", FILE).split()
    assert porto(*words).out.startswith("<")
    monkeypatch.setattr("tests.conftest._Bytes.isatty", lambda stream: stream is sys.stdout)
    shown = porto(*words)
    assert (shown.code, shown.out) == (0, "")
    works = shown.err.split("To write it:")[1].split()[1:]
    assert porto(*works).code == 0
    assert Path(works[-1]).read_text("utf-8").startswith("<")
    assert porto(*words, "-o", "-").out.startswith("<")


def test_colonists_on_what_a_player_does_not_have(porto) -> None:
    games = (beginning("puerto-rico", count) for count in range(3, 90))
    match = next(one for one in games if one.state.phase == "mayor")
    write(match)
    assert f"{match.to_move()[0]} has no harbor." in porto("place", FILE, "harbor").err


@pytest.mark.parametrize("count", [6, 20, 33, 60])
@pytest.mark.parametrize("game", MISTYPED)
def test_the_example_of_a_verb_is_the_first_one_in_the_list_of_moves(
    porto, game: str, count: int
) -> None:
    write(beginning(game, count))
    first = porto("moves", FILE).out.rpartition("The first one is played with: ")[2].strip()
    assert first in porto("show", FILE).out
