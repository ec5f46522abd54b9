"""porto play against programs: a partner in a few keystrokes, the keyboard is handed to nobody."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

import pytest

import porto_cli
from porto_cli.cli.lobby import begin
from porto_cli.cli.new_game_prompts import set_up
from porto_cli.cli.session import Session, StoppedError
from porto_cli.match.match import Match
from porto_cli.players.named import play_bots
from porto_cli.term.prompt import Lines
from tests.porto.asking import BACK, Scripted
from tests.porto.playing import CRAMPED
from tests.porto.test_play import any_of

ANA = "Ana"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LOGNAME", "maria")


def started(bots: dict[str, str], *people: str, **options: Any) -> Match:
    match = porto_cli.new_game(
        [*people, *bots], seed="ribeira", first=people[0], bots=bots, edition=CRAMPED, **options
    )
    match.save("game.yaml")
    return porto_cli.load("game.yaml")


def played(session: Session) -> Session:
    with contextlib.suppress(StoppedError):
        session.run()
    return session


# -- A new game


def test_a_partner_in_a_few_keystrokes() -> None:
    asker = Scripted("Alone against bots", "1", "level 4", ANA)
    match = begin(asker, Path("game.yaml"))
    assert match.bots == {"Rui": "level-4"}
    assert asker.questions[:4] == [
        "game.yaml will be a new game. How many people are playing?",
        "How many computer opponents?",
        "How strong?",
        "What is your name? Press Enter for Maria.",
    ]
    assert not any("real cards" in question for question in asker.questions)


@pytest.mark.parametrize("name", [":draw 1 9", "12"])
def test_what_looks_like_a_move_is_no_name_of_a_person(name: str) -> None:
    asker = Scripted("2 players", name, ANA, name, "Joana")
    assert {*begin(asker, Path("game.yaml")).players} == {ANA, "Joana"}
    assert any("looks like a move. Type a name" in one for one in asker.seen)


def test_a_name_may_begin_with_a_digit_as_in_commands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORTO_PLAYER", "2pac")
    asker = Scripted("2 players", "", "4 Ever")
    assert {*begin(asker, Path("game.yaml")).players} == {"2pac", "4 Ever"}
    assert any("press Enter for 2pac" in question for question in asker.questions)


def test_programs_have_other_names_than_people() -> None:
    asker = Scripted(*("More", "With friends", "2", "2", "level 2", "Rui", "bea", None, "Rui"))
    match = begin(asker, Path("game.yaml"))
    assert match.players == ("Rui", "bea", "Tomás", "Marta")
    assert match.bots == {"Tomás": "level-2", "Marta": "level-2"}


def test_each_of_several_bots_can_have_a_level_of_its_own() -> None:
    asker = Scripted("Alone against bots", "2", "Each", ANA, "level 2", BACK, "level 3", "level 4")
    match = begin(asker, Path("game.yaml"))
    assert match.bots == {"Rui": "level-3", "Bea": "level-4"}
    assert asker.questions[-2:] == ["How strong is Rui?", "How strong is Bea?"]


def test_where_nobody_else_fits_nobody_is_asked_how_many_play() -> None:
    asker = Scripted("Alone against bots", "3", "level 1", ANA)
    assert len(begin(asker, Path("game.yaml")).bots) == 3
    assert "How many of you play?" not in asker.questions


def test_every_question_about_programs_can_be_backed_out_of() -> None:
    asker = Scripted(
        *("More", "Alone against bots", BACK, "With friends", "3", BACK, "2", "1", BACK, "1"),
        *("level 5", BACK, "level 4", BACK, BACK, BACK, BACK),
        *("2 players", "Inês", "Joana"),
    )
    match = begin(asker, Path("game.yaml"))
    assert set(match.players) == {"Inês", "Joana"}
    assert match.bots == {}
    assert any("real cards" in question for question in asker.questions)


# -- A game


@pytest.mark.long
@pytest.mark.parametrize("first", [ANA, "Rui"])
def test_a_person_plays_against_two_programs_to_the_end(first: str) -> None:
    match = started({"Rui": "level-2", "Bea": "greedy"}, ANA)
    asker = Scripted(then=any_of(3))
    session = played(Session(match, asker))
    assert session.match.over
    assert porto_cli.load("game.yaml").digest == session.match.digest
    assert not any("Hand the keyboard" in question for question in asker.questions)
    assert any(result.startswith("Rui (bot 2): Rui ") for result in asker.said)
    asked = [question for question in asker.questions if "what will you do" in question]
    assert set(asked) == {"Ana, what will you do?"}


def test_moves_of_bots_stand_above_the_next_question() -> None:
    match = started({"Rui": "level-2", "Bea": "greedy"}, ANA, private_contracts=False)
    asker = Scripted("Draw", None, "Stop")
    played(Session(match, asker))
    assert "Rui drew" in asker.seen[-1]
    assert "Bea drew" in asker.seen[-1]


def test_what_programs_keep_is_not_shown() -> None:
    match = started({"Rui": "level-2"}, ANA)
    asker = Scripted(then=lambda one, question, labels: None if "choose 3" in question else "Stop")
    session = played(Session(match, asker))
    assert asker.said == ["Rui (bot 2): Rui chose three private contracts."]
    assert [step.seat for step in session.match.replay.steps] == [1, 0]


def test_a_redo_lets_the_programs_move_as_before() -> None:
    match = started({"Rui": "level-2"}, ANA, private_contracts=False)
    asker = Scripted("Draw", None, "Undo your turn (draw", "Redo your turn (draw", "Stop")
    session = played(Session(match, asker))
    ana, rui, *undone, again, rui_again = session.match.record.items
    assert (ana.entries, rui.entries) == (again.entries, rui_again.entries)
    assert [item.entries for item in undone] == [(("Rui", "undo"),), (("Ana", "undo"),)]
    assert "Redo" not in asker.seen[-1]


def test_a_typed_undo_takes_back_the_own_turn() -> None:
    match = started({"Rui": "level-2"}, ANA, private_contracts=False)
    session = played(Session(match, Scripted("Draw", None, "Type", "undo", "Stop")))
    assert session.match.state.turn == 0


@pytest.mark.long
def test_two_people_and_a_program_hand_over_the_keyboard_to_each_other() -> None:
    match = started({"Rui": "greedy"}, ANA, "Joana")
    asker = Scripted(then=any_of(1))
    assert played(Session(match, asker)).match.over
    handed = {question for question in asker.questions if "Hand the keyboard" in question}
    assert handed == {"Hand the keyboard to Ana.", "Hand the keyboard to Joana."}


def test_who_plays_by_mail_waits_for_people_only() -> None:
    match = started({"Rui": "greedy"}, ANA, "Joana", private_contracts=False)
    asker = Scripted("Draw", None, "Stop")
    session = Session(match, asker, seat=0)
    played(session)
    assert asker.questions[-1].startswith("It is Joana's turn.")


def test_a_record_in_which_a_program_is_to_move_goes_on() -> None:
    match = started({"Rui": "greedy"}, ANA, private_contracts=False)
    match.play(match.legal_moves()[0])
    match.save()
    session = played(Session(porto_cli.load("game.yaml"), Scripted("Stop")))
    assert session.match.to_move() == [ANA]
    assert porto_cli.load("game.yaml").to_move() == [ANA], "and it is saved"


def test_line_by_line_each_turn_is_reported_once(
    capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = started({"Rui": "greedy"}, ANA, private_contracts=False)
    match.play("draw " + match.text(match.legal_moves()[0]).split()[1])
    monkeypatch.setattr("builtins.input", lambda *_: (_ for _ in ()).throw(EOFError))
    with pytest.raises(EOFError):
        Session(match, Lines(lambda rules, width: [])).run()
    out = " ".join(capsys.readouterr().out.split())
    assert out.count("Rui drew") == 1


def test_the_session_plays_as_the_commands_do() -> None:
    match = started({"Rui": "level-3"}, ANA, private_contracts=False)
    other = porto_cli.load("game.yaml")
    session = played(Session(match, Scripted("Draw", None, "Stop")))
    other.play(session.match.replay.steps[0].moves[0])
    play_bots(other)
    assert other.digest == session.match.digest


def test_levels_are_listed_from_the_easiest_to_the_best() -> None:
    asker = Scripted("Alone against bots", "1", "the best", "1", ANA)
    assert begin(asker, Path("game.yaml")).bots == {"Rui": "level-5"}
    shown = asker.seen[2]
    levels = ("level 1, for a first game", "level 3, if you know the game", "level 5, the best")
    assert [*levels] == sorted(levels, key=shown.index)


def test_the_level_of_the_lesson_is_proposed_for_a_first_game() -> None:
    asker = Scripted("Alone against bots", "1", "for a first game", "1", ANA)
    assert set_up(asker, Path("sunday.yaml"), "puerto-rico").bots == {"Rui": "level-2"}
    levels = "level 2, for a first game\nlevel 1, the weakest\nlevel 3"
    assert levels in asker.seen[2], "the first one is what Enter takes"


def test_players_of_your_own_are_offered_behind_the_levels(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PORTO_HOME", str(tmp_path))
    Path("config.yaml").write_text("players: {mine: players.py:choose}\n", "utf-8")
    Path("players.py").write_text("def choose(seen, rng):\n    return seen['moves'][0]\n", "utf-8")
    asker = Scripted("Alone against bots", "1", "mine", "1", ANA)
    match = begin(asker, Path("game.yaml"))
    assert match.bots == {"Rui": "mine"}
    assert asker.seen[2].splitlines()[-2:] == ["level 5, the best", "mine"]
    Path("config.yaml").unlink()
    asker = Scripted("solo")
    assert begin(asker, Path("other.yaml")).players == ("Maria",)
    assert not any("Same as" in shown for shown in asker.seen)
