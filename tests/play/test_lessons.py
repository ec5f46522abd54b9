"""What teaches a game: how to play on one screen, two sentences about each question, a lesson."""

from __future__ import annotations

import random
import re
from itertools import product, takewhile
from pathlib import Path
from textwrap import wrap
from typing import Any

import pytest

import porto_cli
from porto_cli.cli.lesson import FINISHED, Guide, guide_of, how_to_play
from porto_cli.cli.lobby import begin, start_of
from porto_cli.cli.results import keep
from porto_cli.cli.rules import advice_of
from porto_cli.cli.session import Session, StoppedError
from porto_cli.games import BOX
from porto_cli.installed import lessons_of
from porto_cli.match.match import Match
from porto_cli.players.named import play_bots
from porto_cli.term import Screen, plain
from porto_cli.term.menus import Menus
from porto_cli.term.prompt import CancelledError, Lines
from tests.conftest import ROOT
from tests.porto.asking import AT_THE_END, BACK, Scripted
from tests.puerto_rico.asking import Answers

pytestmark = pytest.mark.usefixtures("_in_an_empty_folder")


@pytest.fixture
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PORTO_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("LOGNAME", "maria")


def lesson_of(game: str) -> Match:
    return start_of("--learn", None, game, None)(Scripted())


def stops(asker: Scripted, question: str, labels: list[str]) -> Any:
    return "Stop" if any(label.startswith("Stop") for label in labels) else BACK


def said(match: Match) -> str:
    """Return what is said of the game now."""
    guide = guide_of(match.replay, is_new=lambda: True)
    return " ".join(guide.says) if guide else ""


def rows_of(match: Match, width: int) -> int:
    """Return how many rows of a width are needed for what is said."""
    return sum(len(wrap(one, width)) for one in guide_of(match.replay).says)


@pytest.mark.parametrize("game", BOX)
def test_how_to_play_fits_on_one_screen(game: str, snapshot: Any) -> None:
    lines = [plain(line) for line in how_to_play(game, Screen(80))]
    assert len(lines) <= 22
    assert {"Goal", "The end", "For example"} <= {line.partition("  ")[0] for line in lines}
    assert "\n".join(lines) == snapshot


@pytest.mark.parametrize("game", BOX)
def test_every_kind_of_question_has_two_sentences(game: str) -> None:
    for kind, text in lessons_of(game)["questions"].items():
        assert len(re.findall(r"[.;](?=\s|$)", text)) >= 2, kind
        assert len(text.split()) <= 55, kind


@pytest.mark.parametrize("game", BOX)
def test_a_lesson_is_played_step_by_step_to_its_end(game: str, snapshot: Any) -> None:
    """Its moves are legal, bots do what it says they do, and it ends by inviting to play on."""
    match, told = lesson_of(game), []
    for step in lessons_of(game)["lesson"]["steps"]:
        porto_cli.play_bots(match)
        told.append(said(match))
        assert " ".join(step["before"].split()) in told[-1]
        for move in step["moves"]:
            match.play(move, player="Maria")
    porto_cli.play_bots(match)
    told.append(said(match))
    assert "That was the lesson" in told[-1]
    assert not match.over
    match.play(match.legal_moves()[0])
    assert said(match) == ""
    assert told == snapshot


def decisions(game: str) -> list[int]:
    """Return the steps of a lesson in which the player decides."""
    return [nth for nth, one in enumerate(lessons_of(game)["lesson"]["steps"]) if "or" in one]


def test_in_puerto_rico_the_player_decides_at_least_twice_and_each_choice_has_its_answer() -> None:
    """Whatever is decided, the lesson goes on as it is written, to its end."""
    steps = lessons_of("puerto-rico")["lesson"]["steps"]
    decided = decisions("puerto-rico")
    assert len(decided) >= 2
    assert decided[0] < len(steps) / 3
    ways = [[*steps[nth]["moves"], *steps[nth]["or"]] for nth in decided]
    *first, last = ways
    some = [*product(*first, last[:1]), *product(*(way[:1] for way in first), last[1:])]
    for chosen in some:
        match, instead = lesson_of("puerto-rico"), dict(zip(decided, chosen, strict=True))
        for nth, step in enumerate(steps):
            porto_cli.play_bots(match)
            assert " ".join(step["before"].split()) in said(match)
            move = instead.get(nth, step["moves"][0])
            assert not guide_of(match.replay).other_than(match, 0, [move])
            match.play(move, player="Maria")
            answer = step.get("or", {}).get(move, step["after"])
            porto_cli.play_bots(match)
            assert " ".join(answer.split()) in said(match)
            assert nth == len(steps) - 1 or rows_of(match, 78) <= 5
            assert nth == len(steps) - 1 or rows_of(match, 58) <= 6
        assert "That was the lesson" in said(match)


def test_the_lesson_of_puerto_rico_has_all_that_a_round_is_for_a_sale_and_a_load_too() -> None:
    moves = [one for step in lessons_of("puerto-rico")["lesson"]["steps"] for one in step["moves"]]
    assert {move.split()[0] for move in moves} >= {"take", "build", "place", "sell", "load"}
    assert "role craftsman" in moves


def test_a_lesson_that_takes_one_of_two_moves_names_them_with_one_verb() -> None:
    match = lesson_of("puerto-rico")
    for step in lessons_of("puerto-rico")["lesson"]["steps"]:
        play_bots(match)
        wanted, _, _ = guide_of(match.replay).again(match.replay).partition(". ")
        verb = wanted.removeprefix("In this lesson, ").split()[0]
        assert wanted.split().count(verb) == 1
        assert (" or " in wanted) == ("or" in step)
        match.play(step["moves"][0], player="Maria")


def test_a_move_that_is_not_legal_is_explained_in_a_lesson_too() -> None:
    asker = Scripted("Type", "draw red-1 green-2 purple-2", "", then=stops)
    with pytest.raises(StoppedError):
        Session(lesson_of("porto"), asker).run()
    seen = "\n".join((*asker.seen, *asker.said))
    assert "P-DRAW-1" in seen
    assert "Another time" not in seen


@pytest.mark.parametrize("game", BOX)
def test_another_move_is_answered_and_one_can_leave_at_any_step(game: str) -> None:
    match = lesson_of(game)
    (expected,) = lessons_of(game)["lesson"]["steps"][0]["moves"]
    wrong = next(text for text in map(match.text, match.legal_moves()) if text != expected)
    asker = Scripted("Type", wrong, "End the lesson", "Type", wrong, then=stops)
    session = Session(match, asker)
    with pytest.raises(StoppedError):
        session.run()
    seen = [" ".join(text.split()) for text in asker.seen]
    answers = [text for text in seen if "Another time. " in text]
    assert len(answers) == 1
    assert "End the lesson" in answers[0], "it is said above the question, not on a page"
    why = lessons_of(game)["lesson"]["steps"][0]["why"]
    wants = {"porto": expected, "puerto-rico": "take the builder"}[game]
    asks = {"porto": f"D{wrong[1:]}", "puerto-rico": "Take the settler (a plantation or a quarry)"}
    says = f"Another time. In this lesson, {wants}. {why} Just press Enter until it is done."
    assert f"{asks[game]}? {says}" in answers[0], "in short, so that the table stays as it is"
    assert wrong in Path(f"learn-{game}.yaml").read_text("utf-8")
    again = porto_cli.load(f"learn-{game}.yaml")
    guide = guide_of(again.replay)
    assert guide is None or not guide.expected


@pytest.mark.parametrize("game", BOX)
def test_a_lesson_that_was_ended_is_silent_when_its_record_is_opened_again(game: str) -> None:
    """Even at the position where it was ended, which it would explain."""
    asker = Scripted("End the lesson", then=stops)
    with pytest.raises(StoppedError):
        Session(lesson_of(game), asker).run()
    asker = Scripted(then=stops)
    with pytest.raises(StoppedError):
        Session(porto_cli.load(f"learn-{game}.yaml"), asker).run()
    assert "Welcome" not in asker.seen[0]
    assert "End the lesson" not in asker.seen[0]
    assert lesson_of(game).path == Path(f"learn-{game}-2.yaml")


@pytest.mark.parametrize("game", BOX)
def test_a_hint_in_a_lesson_says_above_the_question_that_enter_chooses(game: str) -> None:
    asker = Scripted("Hint", then=stops)
    with pytest.raises(StoppedError):
        Session(lesson_of(game), asker).run()
    _, told = asker.seen
    step = lessons_of(game)["lesson"]["steps"][0]
    wants = {"porto": step["moves"][0], "puerto-rico": "take the builder"}[game]
    says = f"In this lesson, {wants}. {step['why']} Just press Enter until it is done"
    assert says in " ".join(told.split())


def test_a_choice_that_leads_to_no_move_of_the_lesson_is_answered_at_once() -> None:
    """Not after all the questions of a build."""
    asker = Scripted("Build", then=stops)
    match = lesson_of("porto")
    for step in lessons_of("porto")["lesson"]["steps"][:2]:
        match.play(step["moves"][0], player="Maria")
    with pytest.raises(StoppedError):
        Session(match, asker).run()
    told = " ".join(asker.seen[-1].split())
    assert "Build (up to 8 VP)? Another time. In this lesson, draw yellow-2 purple-1." in told


def test_a_form_of_a_lesson_says_what_was_placed_instead_and_is_filled_in_again() -> None:
    match, asker = lesson_of("puerto-rico"), Answers([0, 1], then=stops)
    for step in lessons_of("puerto-rico")["lesson"]["steps"][:2]:
        match.play(step["moves"][0], player="Maria")
    play_bots(match)
    with pytest.raises(StoppedError):
        Session(match, asker).run()
    told = " ".join(asker.seen[-1].split())
    assert "Put your new colonist on the small indigo plant? Another time." in told
    assert "That is filled in: press Enter. (Esc, then the key -, ends the lesson.)" in told


def test_a_lesson_tells_in_a_few_words_what_the_others_decided_meanwhile() -> None:
    match = lesson_of("puerto-rico")
    for step in lessons_of("puerto-rico")["lesson"]["steps"][:2]:
        assert "Rui" not in said(match)
        match.play(step["moves"][0], player="Maria")
    play_bots(match)
    assert "Rui built small-indigo-plant. Bea built small-market. Rui took the mayor." in said(
        match
    )
    asker = Answers(then=stops)
    with pytest.raises(StoppedError):
        Session(match, asker).run()
    assert " ".join(asker.seen[0].split()).count("Rui took the mayor.") == 1


class _Enter(Menus):
    """Somebody who takes what each menu and each form begins with, until a lesson is over."""

    refused = 0

    def put_above(self, above: Any, table: Any = None) -> None:
        self.refused += any("Another time" in text for text in getattr(above, "said", ()))

    def choose(self, question: str, choices: Any, **_: Any) -> Any:
        if question == AT_THE_END:
            raise StoppedError
        return choices[0].value

    def distribute(self, question: str, sheet: Any, **_: Any) -> list[int]:
        return [share.number for share in sheet.shares]

    def show(self, text: Any, at_end: bool = False, more: Any = None) -> None:
        raise AssertionError("A move of the lesson needs no page.")


@pytest.mark.parametrize("game", BOX)
def test_each_question_of_a_lesson_begins_with_what_it_asks_for_unless_one_is_to_find_it(
    game: str,
) -> None:
    """So Enter alone plays it, and twice it does so only when the lesson has said it again."""
    match, asker = lesson_of(game), _Enter(advice_of(game))
    with pytest.raises(StoppedError):
        Session(match, asker).run()
    assert "That was the lesson" in said(match)
    assert asker.refused == sum("find" in one for one in lessons_of(game)["lesson"]["steps"]) == 2


@pytest.mark.parametrize("game", BOX)
def test_a_lesson_ends_with_what_was_seen_and_what_was_not(game: str) -> None:
    match = lesson_of(game)
    for step in lessons_of(game)["lesson"]["steps"]:
        porto_cli.play_bots(match)
        for move in step["moves"]:
            match.play(move, player="Maria")
    match.save()
    asker = Answers("Look", BACK, "Play a full game", BACK, "Play on", then=stops)
    with pytest.raises(StoppedError):
        Session(porto_cli.load(match.path), asker).run()
    looks, sets_up = "What would you like to see?", "How many people are playing?"
    assert asker.questions[:5] == [AT_THE_END, looks, AT_THE_END, sets_up, AT_THE_END]
    assert all(f"\n {what}" in asker.seen[0] for what in ("You have now seen:", "Not yet:"))
    assert (
        "The lesson has ended, and the game goes on. From now on, ! advises you." in asker.seen[5]
    )


@pytest.mark.parametrize("game", BOX)
def test_enter_alone_plays_no_move_of_a_lesson_line_by_line(
    game: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It says what to type; after ! points at the move of the lesson, Enter takes that."""
    typed = iter(["", "", "!", "", "", "", "."])
    monkeypatch.setattr("builtins.input", lambda hint: next(typed))
    match = lesson_of(game)
    with pytest.raises(StoppedError):
        Session(match, Lines(advice_of(game))).run()
    (expected,) = lessons_of(game)["lesson"]["steps"][0]["moves"]
    said = capsys.readouterr().out
    assert said.count("Type what the lesson asks for") >= 2
    assert "Just press Enter until it is done" in " ".join(said.split())
    assert match.record.items[0].entries[0][1] == expected


def test_a_lesson_goes_on_where_it_was_left() -> None:
    match = lesson_of("porto")
    match.play("draw red-1 green-2")
    match.save()
    again = lesson_of("porto")
    assert (again.path, again.state.phase) == (Path("learn-porto.yaml"), "timer")
    assert "A build takes the number of one card, the color of the other." in said(again)
    again.play("build green-3 yellow-2 L7 token L7")
    again.save()
    assert lesson_of("porto").path == Path("learn-porto-2.yaml")


def test_an_undo_goes_a_step_back() -> None:
    match = lesson_of("porto")
    before = said(match)
    match.play("draw red-1 green-2")
    match.undo()
    assert said(match) == before


@pytest.mark.parametrize("game", BOX)
def test_who_takes_back_the_last_move_of_a_lesson_is_told_again_what_it_asks_for(game: str) -> None:
    """Also once the game has gone on: then the lesson does not end a second time."""
    match = lesson_of(game)
    for step in lessons_of(game)["lesson"]["steps"]:
        play_bots(match)
        last = said(match)
        for move in step["moves"]:
            match.play(move, player="Maria")
    assert guide_of(match.replay).is_done
    match.note(FINISHED)
    assert guide_of(match.replay) == Guide()
    match.undo("Maria")
    assert said(match) == last
    for move in lessons_of(game)["lesson"]["steps"][-1]["moves"]:
        match.play(move, player="Maria")
    assert guide_of(match.replay) == Guide()


def test_who_is_here_for_the_first_time_learns_first() -> None:
    asker = Scripted()
    assert begin(asker, None).path == Path("learn-porto.yaml")
    assert asker.questions == ["What would you like to play?"]
    asker = Scripted("a new game", "2", "Ana", "Rui")
    begin(asker, None)
    assert (
        "Continue Porto: Maria; turn 1, your turn (learn-porto.yaml)"
        in asker.seen[0].splitlines()[2]
    )


def test_how_to_play_is_on_the_first_screen_and_leads_back_to_it() -> None:
    asker = Scripted("How to play Puerto Rico", "Results", "Quit")
    with pytest.raises(CancelledError):
        begin(asker, None)
    assert any(text.startswith("How to play Puerto Rico") for text in asker.seen)
    assert any("No finished games yet" in text for text in asker.seen)


def test_each_line_that_begins_or_teaches_something_names_its_game() -> None:
    asker = Scripted("Quit")
    with pytest.raises(CancelledError):
        begin(asker, None)
    lines = asker.seen[0].splitlines()
    start = lines.index("What would you like to play?") + 1
    *about_games, results, leave = lines[start:]
    assert (results.partition(":")[0], leave) == ("Results", "Quit")
    named = [[game for game in ("Porto", "Puerto Rico") if game in line] for line in about_games]
    assert named == [["Porto"], ["Puerto Rico"]] * 3 + [["Porto", "Puerto Rico"]]


def test_the_timer_is_explained_when_it_first_builds_and_what_costs_least_comes_first() -> None:
    match = porto_cli.new_game(["Ana"], seed="tram", private_contracts=False)
    match.save("solo.yaml")
    asker = Scripted("Draw", None, then=stops)
    with pytest.raises(StoppedError):
        Session(porto_cli.load("solo.yaml"), asker).run()
    where = [text for text in asker.seen if "Where will the timer build?" in text]
    said_first = " ".join(where[0].split())
    assert "the timer builds, for no VP, and you choose where" in said_first
    assert "The first choice costs you least, by a quick estimate." in said_first


def test_the_first_list_of_a_first_evening_says_once_that_the_first_choice_is_no_advice() -> None:
    said = "The first choice is not advice; ! is a hint."
    match = porto_cli.new_game(["Ana", "Rui"], seed="tram", bots={"Rui": "level-1"}, first="Rui")
    match.save("duel.yaml")
    asker = Scripted(None, None, None, then=stops)
    with pytest.raises(StoppedError):
        Session(porto_cli.load("duel.yaml"), asker).run()
    kept, *first_turn, second_turn = asker.seen
    assert "contracts to keep" in kept
    assert [said in text for text in (kept, *first_turn, second_turn)] == [False, True, True, False]
    match.save("again.yaml")
    keep(porto_cli.load(ROOT / "records" / "porto" / "solo-won.yaml").replay)
    asker = Scripted(None, then=stops)
    with pytest.raises(StoppedError):
        Session(porto_cli.load("again.yaml"), asker).run()
    assert not any(said in text for text in asker.seen)


def test_a_first_evening_says_once_that_the_first_role_is_no_advice() -> None:
    said = "The roles stand as on the table; ! is a hint."
    match = porto_cli.new_game(["Ana", "Rui"], game="puerto-rico", seed="tram", first="Ana")
    match.save("duel.yaml")
    asker = Scripted(None, then=stops)
    with pytest.raises(StoppedError):
        Session(porto_cli.load("duel.yaml"), asker, 0).run()
    first, *later = (" ".join(text.split()) for text in asker.seen)
    assert said in first
    assert "Ana, which role will you take? settler" in first
    assert not any(said in text for text in later)


def test_a_new_player_is_told_why_there_was_nothing_to_decide_in_the_role_of_another() -> None:
    match = porto_cli.new_game(["Ana", "Rui"], game="puerto-rico", seed="tram", first="Rui")
    match.play("role captain", player="Rui")
    assert said(match) == "The captain was taken, but you had nothing that a ship could take."
    match.play("role builder", player="Ana")
    assert said(match) == "You may buy one building; most need a colonist to work."


def test_a_new_player_whose_barrels_had_to_be_loaded_is_not_told_that_nothing_could_be() -> None:
    match = porto_cli.new_game(["Ana", "Rui", "Eva"], game="puerto-rico", seed="b", first="Ana")
    chooser, told = random.Random("b"), list[str]()
    while not match.over:
        steps = takewhile(lambda step: step.seat != match.state.seat, match.steps[::-1])
        events = match.game.events_json(
            [one for step in steps for one in step.events], match.config
        )
        loaded = {one["player"] for one in events if one["event"] == "loaded"}
        if match.to_move()[0] in loaded and match.state.phase != "captain":
            told.append(said(match))
        match.play(chooser.choice(match.legal_moves()))
    assert told
    assert not any("nothing that a ship" in one for one in told)


def test_each_question_about_the_timer_has_the_help_with_the_timer() -> None:
    """Its cards are not yours to keep for later."""
    match = porto_cli.new_game(["Ana"], seed="tram", private_contracts=False)
    match.play(match.legal_moves()[0])
    kinds = {
        next(rule for rule in part.rules if rule in lessons_of("porto")["questions"])
        for option in match.game.words.options(match.state, 0, asking=True)
        for part in option.parts[1:]
    }
    assert kinds == {"timer"}


def test_the_timer_is_explained_once() -> None:
    match = porto_cli.new_game(["Ana"], seed="tram", private_contracts=False)
    explained = []
    for _ in range(8):
        if match.state.phase == "timer":
            explained.append("the timer builds, for no VP" in said(match))
        match.play(match.legal_moves()[0])
    assert explained == [True, False, False, False]


@pytest.mark.parametrize(("game", "most"), [("porto", 4), ("puerto-rico", 5)])
def test_what_a_lesson_says_leaves_room_for_the_table_at_80x24(game: str, most: int) -> None:
    match, steps = lesson_of(game), lessons_of(game)["lesson"]["steps"]
    for move in (move for step in steps for move in step["moves"]):
        assert rows_of(match, 78) <= most, said(match)
        match.play(move)
        play_bots(match)


def test_what_a_screen_of_porto_shows_is_explained_before_it_is_needed() -> None:
    how = " ".join(" ".join(map(plain, how_to_play("porto", Screen(80)))).split())
    lesson = lessons_of("porto")["lesson"]["begin"] + " ".join(
        f"{step['before']} {step['after']}" for step in lessons_of("porto")["lesson"]["steps"]
    )
    lesson += " ".join(lessons_of("porto")["lesson"]["end"])
    for text in ("neighbor, the house on its left or right", "70: Builder"):
        assert text in how
    for text in (
        "60 VP in 14 turns",
        "(1) a token of 1 VP",
        "L7 and R1 are not neighbors",
        "70 a Builder",
        "private contracts",
        "discards",
    ):
        assert text in " ".join(lesson.split())
    for text in (how, lesson):
        assert text.count("●") == text.count("○") == text.count("×") == 1
    assert "houses next to each other need different" in how
    assert "Nobody else" not in lesson, "alone there is nobody but the timer"


def test_a_game_that_is_named_begins_with_its_questions() -> None:
    asker = Scripted("Alone against bots", "2 bots", "level 2", "Ana")
    match = start_of("--game", Path("friday"), "puerto-rico", None)(asker)
    assert asker.questions[0] == "friday.yaml will be a new game. How many people are playing?"
    assert (match.game.meta.id, match.path) == ("puerto-rico", Path("friday.yaml"))
    assert "Ana" in match.players


@pytest.mark.parametrize(("flag", "level"), [("--solo", None), ("--level", 2)])
def test_a_game_that_begins_at_once_is_saved_under_the_name_of_a_record(
    flag: str, level: int | None
) -> None:
    assert start_of(flag, Path("friday"), None, level)(Scripted()).path == Path("friday.yaml")
