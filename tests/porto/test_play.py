"""A game at one keyboard: what is offered, what is saved, who sees what."""

from __future__ import annotations

import contextlib
import os
import random
import re
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any, NoReturn

import pytest

import porto_cli
from porto_cli import home
from porto_cli.asking import entries
from porto_cli.cli import hint
from porto_cli.cli import session as cli_session
from porto_cli.cli.keyboard import _farewell
from porto_cli.cli.lobby import begin
from porto_cli.cli.new_game_prompts import (
    LAST,
    all_play_here,
    ask_who_sits_here,
    begun_again,
    free_name,
    set_up,
)
from porto_cli.cli.rules import advice
from porto_cli.cli.session import Session, StoppedError
from porto_cli.cli.wording import as_said
from porto_cli.core import FileError, enumerated, files
from porto_cli.games import game_of
from porto_cli.games.porto.engine import PRIVATE_NAMES
from porto_cli.games.porto.engine.play import apply
from porto_cli.games.porto.engine.state import ACT, CONTRACTS, TIMER, State
from porto_cli.games.porto.options import moves
from porto_cli.games.porto.panes import panes, preview, title
from porto_cli.games.porto.phrases import floors
from porto_cli.games.porto.view import table
from porto_cli.match.match import Match
from porto_cli.match.replay import Replay, after_turn
from porto_cli.pages import above as above_question
from porto_cli.pages import news
from porto_cli.scene import Scene
from porto_cli.seam import News
from porto_cli.term import Screen, plain
from porto_cli.term.controls import Menu
from porto_cli.term.prompt import CancelledError, Lines, Text
from porto_cli.words import groups
from tests import sealed_games
from tests.conftest import ROOT
from tests.porto.asking import BACK, Scripted
from tests.porto.playing import BARE, BOX, CRAMPED
from tests.porto.tables import laid
from tests.tables import table_at

RECORDS = ROOT / "records" / "porto"


def started(path: Path, *players: str, **options: Any) -> porto_cli.Match:
    """Return a new game, saved; with low houses if it is one for two."""
    options = {"seed": "ribeira", "edition": CRAMPED if len(players) == 2 else BOX, **options}
    match = porto_cli.new_game(players, first=players[0], **options)
    match.save(path)
    return porto_cli.load(path)


@cache
def finished(record: str) -> Replay:
    """Return a game from records/."""
    return porto_cli.load(RECORDS / record).replay


def cut(record: str, items: int, to: Path) -> porto_cli.Match:
    """Return a game from records/ as it was after so many items."""
    return table_at(f"porto/{record.removesuffix('.yaml')}", items, to)


def play(match: porto_cli.Match, asker: Scripted, seat: int | None = None) -> Session:
    """Play until the end or until somebody stops."""
    session = Session(match, asker, seat)
    with contextlib.suppress(StoppedError):
        session.run()
    return session


def stops(_: Scripted, __: str, labels: list[str]) -> Any:
    """Stop where one can, else go back."""
    return "Stop" if any(label.startswith("Stop") for label in labels) else BACK


def any_of(seed: int) -> Any:
    """Return a player without a plan, who never stops and never looks around."""
    rnd = random.Random(seed)

    def answer(asker: Scripted, question: str, labels: list[str]) -> Any:
        if "choose 3" in question:
            return rnd.sample(labels, 3)
        if "Hand the keyboard" in question or "do now?" in question:
            return None
        fitting = [
            label
            for label in labels
            if not label.startswith(("Look", "Type", "Stop", "Hint:", "Plan ahead"))
        ]
        return rnd.choice([label for label in fitting if "Undo" not in label])

    return answer


@pytest.mark.long
@pytest.mark.parametrize(
    "players",
    [
        ("Inês",),
        ("Inês", "Joana"),
        pytest.param(("Inês", "Joana", "Afonso"), marks=pytest.mark.long),
    ],
)
def test_who_always_takes_the_first_choice_plays_to_the_end(
    tmp_path: Path, players: tuple[str, ...]
) -> None:
    match = started(tmp_path / "game.yaml", *players)
    session = play(match, Scripted())
    assert session.match.over
    assert porto_cli.load(tmp_path / "game.yaml").fingerprint == session.match.fingerprint


@pytest.mark.long
@pytest.mark.parametrize("seed", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in (1, 2, 3))])
def test_nobody_sees_the_private_contracts_of_another(tmp_path: Path, seed: int) -> None:
    match = started(tmp_path / "game.yaml", "Inês", "Joana", "Afonso", seed=f"seed{seed}")
    # Palette and side are words of other sentences as well.
    dealt = [
        {PRIVATE_NAMES[card] for card in cards if "-" in PRIVATE_NAMES[card]}
        for cards in match.state.dealt
    ]
    asker = Scripted(then=any_of(seed))
    session = play(match, asker)
    assert session.match.over
    at_the_keyboard: int | None = None
    result = 0
    for question, screen in zip(asker.questions, asker.seen, strict=True):
        if "Hand the keyboard" in question:
            at_the_keyboard = None
        if "do now?" in question:
            # The game is over, and with it the secrets.
            continue
        words = set(screen.replace(":", " ").replace(",", " ").split())
        for seat, secrets in enumerate(dealt):
            shared = set().union(*(dealt[other] for other in range(3) if other != seat))
            seen = words & (secrets - shared)
            assert not seen or seat == at_the_keyboard, screen
            result += bool(seen)
        if "Hand the keyboard" in question:
            at_the_keyboard = match.seat(question.split()[-1].rstrip("."))
    assert result > 20
    assert asker.cleared == asker.questions.count("Hand the keyboard to Inês.") * 1 + sum(
        question.startswith("Hand the keyboard to ")
        for question in asker.questions
        if "Inês" not in question
    )


def test_without_secrets_nobody_is_asked_to_hand_over(tmp_path: Path) -> None:
    match = started(tmp_path / "game.yaml", "Inês", "Joana", private_contracts=False)
    asker = Scripted(then=any_of(1))
    assert play(match, asker).match.over
    assert not any("Hand the keyboard" in question for question in asker.questions)


def test_every_turn_is_saved_at_once(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    match = started(path, "Inês", "Joana", private_contracts=False)
    turns: list[int] = []

    def answer(asker: Scripted, question: str, labels: list[str]) -> Any:
        if "what will you do" in question:
            turns.append(porto_cli.load(path).state.turn)
            if len(turns) == 6:
                return "Stop"
        return None

    session = play(match, Scripted(then=answer))
    assert turns == [0, 1, 2, 3, 4, 5]
    assert session.match.state.turn == 5


def test_a_build_is_chosen_step_by_step_with_what_it_scores(tmp_path: Path) -> None:
    match = cut("two-players.yaml", 40, tmp_path / "game.yaml")
    asker = Scripted(None, "Build", "R2", "blue-2   blue-1", "Stop")
    session = play(match, asker)
    assert "R2 blue 4 of 6 floors up to 11 VP" in " ".join(asker.seen[2].split())
    assert "11 VP  floors 6, neighbors 1, roof token 4" in asker.seen[3]
    assert session.match.record.items[-1].entries[0] == ("Joana", "build blue-2 blue-1 R2")


def test_every_step_of_a_build_can_be_backed_out_of(tmp_path: Path) -> None:
    match = cut("two-players.yaml", 40, tmp_path / "game.yaml")
    before = match.fingerprint
    asker = Scripted(
        *(None, "Build", "R2", BACK, "Choose two cards", "blue-2", BACK, BACK, BACK),
        *("Build", BACK, "Draw", BACK, "Look", BACK, "Type", BACK, "Stop"),
    )
    assert play(match, asker).match.fingerprint == before
    assert asker.questions[2:9] == [
        "Where will you build?",
        "Which cards? First the number of floors, then the color.",
        "Where will you build?",
        "Which cards? First the number of floors, then the color.",
        "Where will you build?",
        "Which cards? First the number of floors, then the color.",
        "Where will you build?",
    ]


def test_the_token_and_the_contracts_of_a_build_are_asked_for(tmp_path: Path) -> None:
    match = cut("three-players.yaml", 7, tmp_path / "game.yaml")
    build = ("Build", "Choose two cards", "purple-2   yellow-1", "L4", "L6", "purple+yellow")
    asker = Scripted(None, *build, "Stop")
    session = play(match, asker)
    whole = porto_cli.load(RECORDS / "three-players.yaml").record
    assert session.match.record.items[7].entries == whole.items[7].entries
    assert "Which roof will get " in asker.questions[5]
    assert asker.questions[6] == "Which contracts will you fulfill?"


@pytest.mark.parametrize(("house", "is_free"), [("L4", False), ("L5", True)])
def test_each_roof_that_can_receive_the_token_is_a_choice(
    tmp_path: Path, house: str, is_free: bool
) -> None:
    """With its state; of the one that is built on, if its roof is free, it says so."""
    match = cut("three-players.yaml", 7, tmp_path / "game.yaml")
    build = f"build purple-2 yellow-1 {house} token "
    texts = [match.text(move) for move in match.legal_moves("Afonso")]
    roofs = {text.removeprefix(build).split()[0] for text in texts if text.startswith(build)}
    asker = Scripted(
        *(None, "Build", "Choose two cards", "purple-2   yellow-1", house),
        *(BACK, BACK, BACK, BACK, "Stop"),
    )
    play(match, asker)
    _, shown = asker.seen[5].split(" VP token?\n")
    assert sorted(label.split()[0] for label in shown.splitlines()) == sorted(roofs)
    assert (house in roofs) is is_free
    here = [label for label in shown.splitlines() if "(built here now)" in label]
    assert [label.split()[0] for label in here] == [house] * is_free


def test_the_first_roof_is_the_one_that_the_house_was_shown_with() -> None:
    at = after_turn(finished("four-players-seat-first.yaml"), 26)
    legal = at.game.words.options(at.state, at.state.seat, asking=True)
    on_l4 = [one for one in legal if one.move.startswith("build red-2 green-1 L4 token ")]
    (house,), roofs = entries(groups(on_l4, 1), 1), entries(groups(on_l4, 3), 3)
    assert roofs[0].moves == house.moves[:1]


def test_what_all_answers_bring_alike_is_said_before_and_not_with_each(tmp_path: Path) -> None:
    """All roofs bring the same; which cards they go with is told where that is no question."""
    match = cut("three-players.yaml", 7, tmp_path / "game.yaml")
    asker = Scripted(None, "Build", "L2", BACK, BACK, "Stop")
    play(match, asker)
    where = next(line for line in asker.seen[2].splitlines() if line.startswith("L2  empty"))
    assert "7 VP  build purple-2 yellow-1 L2: floors 2, neighbors 1, ground token 2" in where
    _, roofs = asker.seen[3].split("L2's 2 VP token?\n")
    assert len(roofs.splitlines()) == 11
    assert "VP" not in roofs.replace(" VP behind the best", "")


def test_a_preview_tells_of_the_roof_and_of_the_token_that_goes_elsewhere() -> None:
    """Both happen in boxes with low houses."""
    low = {"floors": 0, "complete": False, "color": "red", "roof_token": None}
    now = {"phase": "act", "houses": {"L4": low, "L6": low}, "end_triggered_round": None}
    after = {"L4": low | {"floors": 3, "complete": True}, "L6": low | {"roof_token": 2}}
    told = preview(now, now | {"houses": after}, 9)
    assert told[0] == "Preview, +9 VP: 3 red floors on L4 with the roof, token 2 to roof L6"
    told = preview(now, now | {"houses": after, "end_triggered_round": 6}, 9)
    assert "L4, the last roof: round 7 is the last, token" in told[0]


def test_a_timer_build_is_asked_for_at_once(tmp_path: Path) -> None:
    match = cut("solo-won.yaml", 1, tmp_path / "game.yaml")
    asker = Scripted("Draw", "green-3", "R5", "red-2   yellow-1   roof L3", "Stop")
    session = play(match, asker)
    whole = porto_cli.load(RECORDS / "solo-won.yaml").record
    assert session.match.record.items[1].entries == whole.items[1].entries
    # Two questions, whatever there is to choose.
    assert asker.questions[2:] == [
        "Where will the timer build?",
        "Which cards, and which roof for R5's 2 VP token?",
        "Inês, what will you do?",
    ]
    assert " VP" not in asker.seen[3].splitlines()[-2]


def test_two_timer_cards_of_one_value_say_which_floors_they_build() -> None:
    state = laid("turned: [green-2, red-2]\nground-tokens: {L7: none}", 1)
    for house in "L6", "L7":
        found = game_of("porto").words.options(state, 0, asking=True)
        builds = [one for one in found if one.facts and one.facts["house"] == house]
        told = {one.key[:4]: one.note.partition(",")[0] for one in entries(groups(builds, 2), 2)}
        assert told == {"g2r2": "2 red floors", "r2g2": "2 green floors"}


def test_where_the_timer_builds_is_not_asked_if_there_is_one_place_only(tmp_path: Path) -> None:
    match = porto_cli.new_game(("Inês",), seed="s4", private_contracts=False)
    match.save(tmp_path / "game.yaml")
    chosen = Random(4)
    while not match.over:
        legal = match.game.words.options(match.state, 0, asking=True)
        legal = [one for one in legal if not one.why_not]
        places = {one.parts[1].key for one in legal if one.verb == "build"}
        if match.state.phase == "timer" and len(legal) > len(places) == 1:
            break
        builds = [one for one in legal if one.verb == "build"]
        match.play(chosen.choice(builds or legal).move, player="Inês")
    match.save()
    asker = Scripted("Stop")
    play(porto_cli.load(tmp_path / "game.yaml"), asker)
    assert asker.questions[0].startswith("Which cards?")


def test_enter_alone_takes_a_hint(tmp_path: Path) -> None:
    """All of its move is one choice, the first one of the turn, however many parts it has; above
    it is only why.
    """
    match = table_at("porto/solo-won", 9, tmp_path / "g.yaml")
    found = hint.taken(match, 0)
    asker = Scripted("Hint", None, then=stops)
    session = play(match, asker)
    assert asker.questions[1] == asker.questions[0] == "Inês, what will you do?"
    above, _, offered = asker.seen[1].partition(asker.questions[0])
    assert "Hint: It scores " in above
    assert offered.splitlines()[1].startswith(f"Take the hint: {found.say(found.best)}")
    written = [text for _, text in session.match.record.items[-1].entries]
    assert found.best in written or found.best.removeprefix("build ") in written


@pytest.mark.parametrize(
    ("before", "answer"),
    [
        (["Build"], "R3"),
        (["Build", "L6 "], "green-2 purple-1"),
        (["Build", "R1 "], "green-2 purple-1"),
    ],
)
def test_a_hint_in_the_middle_of_a_move_is_for_the_question_that_is_asked(
    before: list[str], answer: str, tmp_path: Path
) -> None:
    """It names the answer, which then comes first; the whole turn has no hint of that."""
    match = table_at("porto/solo-won", 9, tmp_path / "g.yaml")
    nth = len(before)
    asker = Scripted(*before, "!", *[BACK] * nth, then=stops)
    play(match, asker)
    assert asker.questions[nth] == asker.questions[nth + 1]
    above, _, offered = asker.seen[nth + 1].partition(asker.questions[nth])
    assert f"Hint: {answer}. It scores " in above
    assert " ".join(offered.splitlines()[1].split()).startswith(answer)
    assert "Hint: It scores" not in asker.seen[-1]
    assert "Take the hint" not in asker.seen[-1]


def test_a_hint_is_above_the_questions_that_lead_to_its_move_alone(tmp_path: Path) -> None:
    match = table_at("porto/solo-won", 9, tmp_path / "g.yaml")
    asker = Scripted("Hint", "Draw", BACK, "Build", "L6 ", BACK, BACK, then=stops)
    play(match, asker)
    noted = [bool(re.search(r"Hint: .*It scores ", text)) for text in asker.seen]
    assert noted[:7] == [False, True, False, True, True, False, True]


def test_enter_alone_keeps_the_private_contracts_of_a_hint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    match = started(tmp_path / "g.yaml", "Inês", timer=28)
    typed = iter(["!", "", "."])
    monkeypatch.setattr("builtins.input", lambda hint: print(hint) or next(typed))
    says = as_said(match, match.game.words.options(match.state, 0, asking=True))
    session = Session(match, Lines(advice))
    with pytest.raises(StoppedError):
        session.run()
    kept = session.match.text(session.match.steps[0].moves[0])
    assert f"Best for you, Inês: {says(kept)}. " in " ".join(capsys.readouterr().out.split())


def test_who_looks_around_in_the_middle_of_a_move_is_asked_again(tmp_path: Path) -> None:
    match = table_at("porto/solo-won", 9, tmp_path / "g.yaml")
    asker = Scripted("Build", "=", "log", BACK, then=stops)
    play(match, asker)
    assert asker.questions[1:4] == [
        "Where will you build?",
        "What would you like to see?",
        "What would you like to see?",
    ]
    assert asker.questions[4] == "Where will you build?"


def test_a_hint_comes_first_in_a_list(tmp_path: Path) -> None:
    asked = "Where will the timer build?"
    asker = Scripted("Hint", then=stops)
    play(table_at("porto/solo-won", 11, tmp_path / "g.yaml"), asker)
    _, after, *_ = asker.seen
    found = hint.taken(table_at("porto/solo-won", 11, tmp_path / "h.yaml"), 0)
    offered = after[after.index(asked) :]
    assert offered.splitlines()[1] == f"Take the hint: {found.say(found.best)}"
    assert found.best not in offered, "it is in place of the choice that plays it"


def test_a_timer_build_that_was_left_open_is_the_first_thing_on_the_way_back(
    tmp_path: Path,
) -> None:
    path = tmp_path / "game.yaml"
    match = cut("solo-won.yaml", 1, path)
    match.play("draw green-3")
    match.save()
    assert match.state.phase == TIMER
    asker = Scripted("Undo", "Stop")
    session = play(porto_cli.load(path), asker)
    assert asker.questions[0] == "Where will the timer build?"
    assert session.match.record.items[-1].entries == (("Inês", "undo"),)


def test_contracts_that_were_left_open_are_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    match = cut("three-players.yaml", 7, path)
    match.play("build purple-2 yellow-1 L4 token L6")
    match.save()
    assert match.state.phase == CONTRACTS
    asker = Scripted(None, "purple+yellow", "Stop")
    session = play(porto_cli.load(path), asker)
    assert session.match.record.items[7].entries[1] == ("contract", "purple+yellow")


def test_the_only_legal_move_is_offered(tmp_path: Path) -> None:
    """Where nothing can be drawn or built a player passes, but is asked before that."""
    path = tmp_path / "game.yaml"
    match = porto_cli.new_game(
        ["Inês", "Joana"], edition=BARE, seed="ribeira", private_contracts=False
    )
    while len(match.legal_moves()) != 1:
        match.play(match.legal_moves()[-1], player=match.state.seat)
    match.save(path)
    only = match.text(match.legal_moves()[0])
    asker = Scripted("Stop")
    play(porto_cli.load(path), asker)
    assert f"{only} (nothing else is possible)" in asker.seen[0]
    assert asker.seen[0].count(only) == 1
    asker = Scripted(None, "Stop")
    session = play(porto_cli.load(path), asker)
    assert session.match.record.items[-1].entries[0][1] == only


def test_who_stops_after_the_own_turn_is_told_how_to_write_the_mail(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    match = started(Path("g.yaml"), "Inês", "Joana", private_contracts=False)
    match.play(match.legal_moves()[0])
    session = Session(match, Scripted(), 0)
    _farewell(session)
    session.is_user = True
    _farewell(session)
    told = " ".join(capsys.readouterr().out.split())
    assert told.count("who continues with: porto play g.yaml --as Joana") == 2
    assert "To write the mail with it: porto mail g.yaml --as Inês -o turn.eml" in told
    assert told.endswith("To write the mail with it: porto mail g.yaml -o turn.eml")


def test_a_turn_can_be_taken_back_until_the_next_player_moves(tmp_path: Path) -> None:
    match = started(tmp_path / "game.yaml", "Inês", "Joana", private_contracts=False)
    asker = Scripted("Draw", None, "Undo Inês's turn (draw", "Draw", None, "Draw", None, "Stop")
    session = play(match, asker)
    names = [item.entries[0] for item in session.match.record.items]
    assert [text.split()[0] for _, text in names] == ["draw", "undo", "draw", "draw"]
    assert "Undo Joana" in asker.seen[-1]
    assert "Undo Inês" not in asker.seen[-1]
    assert any("Inês took back the last move." in seen for seen in asker.seen)
    assert not any("You " in seen for seen in asker.seen), "both look at the screen"


def test_who_looks_around_can_take_back_a_turn(tmp_path: Path) -> None:
    match = started(tmp_path / "game.yaml", "Inês", "Joana", private_contracts=False)
    match.play(match.legal_moves(0)[0], player="Inês")
    asker = Scripted("Look", "<", "Stop")
    assert texts_of(play(match, asker))[1:] == ["undo"]


def texts_of(session: Session) -> list[str]:
    return [item.entries[0][1] for item in session.match.record.items]


def test_a_turn_that_was_taken_back_can_be_redone(tmp_path: Path) -> None:
    """Through the rules, so that the record is one like any other, and can be undone again."""
    match = started(tmp_path / "game.yaml", "Inês", "Joana", private_contracts=False)
    asker = Scripted("Draw", None, "Undo", "Redo Inês's turn (draw", "Undo", "Stop")
    session = play(match, asker)
    drawn, undo, again, undo_again = texts_of(session)
    assert drawn.startswith("draw")
    assert (drawn, undo) == (again, undo_again)
    assert [any("Redo" in line for line in seen.splitlines()) for seen in asker.seen] == [
        *(False, False, False, True, False, True)
    ]
    before = porto_cli.load(tmp_path / "game.yaml")
    again_session = play(before, Scripted("Type", "redo", "Stop"))
    assert texts_of(again_session)[-1] == drawn


@pytest.mark.parametrize("before", [":", "porto ", ": porto "])
def test_a_move_can_be_typed_as_a_command_is(tmp_path: Path, before: str) -> None:
    match = started(tmp_path / "game.yaml", "Inês", "Joana", private_contracts=False)
    move = match.text(match.legal_moves()[0])
    verb, _, cards = move.partition(" ")
    session = play(match, Scripted("Type", f"{before}{verb} friday.yaml {cards}", "Stop"))
    assert texts_of(session) == [move]


def test_the_last_turn_can_be_taken_back_when_the_game_is_over(tmp_path: Path) -> None:
    match = porto_cli.load(RECORDS / "solo-won.yaml")
    match.save(tmp_path / "game.yaml")
    session = play(match, Scripted("Undo your turn", "Stop"))
    assert texts_of(session)[-1] == "undo"
    assert not session.match.over


def test_a_different_move_ends_the_redo(tmp_path: Path) -> None:
    match = started(tmp_path / "game.yaml", "Inês", "Joana", private_contracts=False)
    draws = [match.text(move) for move in match.legal_moves()][:2]
    asker = Scripted("Type", draws[0], "Undo", "Type", draws[1], "Type", "redo", "", "Stop")
    session = play(match, asker)
    assert texts_of(session) == [draws[0], "undo", draws[1]]
    assert "Redo" not in asker.seen[-1]
    assert any("'redo' is not a move" in seen for seen in asker.seen)


def test_several_turns_are_redone_one_after_the_other(tmp_path: Path) -> None:
    match = cut("solo-won.yaml", 6, tmp_path / "game.yaml")
    whole = [item.entries for item in match.record.items]
    steps = ["Undo", "Undo", "Redo", "Redo", "Stop"]
    session = play(match, Scripted(*steps))
    entries = [item.entries for item in session.match.record.items]
    assert entries[:6] == whole
    assert entries[8:] == whole[-2:]
    assert session.match.state == match.replay.state
    assert session.match.state == porto_cli.load(tmp_path / "game.yaml").state


def test_only_who_took_back_a_turn_redoes_it(tmp_path: Path) -> None:
    match = started(tmp_path / "game.yaml", "Inês", "Joana", private_contracts=False)
    match.play(match.legal_moves()[0], player="Inês")
    match.undo("Inês")
    match.save()
    for seat, offered in ((None, True), (0, True), (1, False)):
        asker = Scripted("Stop")
        play(match, asker, seat)
        whose = "Inês's" if seat is None else "your"
        assert (f"Redo {whose} turn (draw" in asker.seen[0]) == offered


def test_a_secret_choice_is_redone_and_not_shown(tmp_path: Path) -> None:
    """Nor does the only thing to do begin at once, as it would otherwise."""
    match = started(tmp_path / "game.yaml", "Inês", "Joana")
    asker = Scripted(
        None,
        None,
        "Undo Inês's turn (keep three private contracts)",
        "Redo Inês's turn (keep",
        "Stop",
    )
    session = play(match, asker)
    kept, undo, again = texts_of(session)
    assert (kept, undo) == (again, "undo")
    assert not any(kept in seen or "You took" in seen for seen in asker.seen)


def test_who_chose_before_the_player_who_is_waited_for_redoes_that_as_well(tmp_path: Path) -> None:
    match = started(tmp_path / "game.yaml", "Inês", "Joana")
    match.play(match.legal_moves(1)[0], player="Joana")
    match.save()
    asker = Scripted("Undo your turn (keep", "Redo your turn (keep", "Stop")
    kept, undo, again = texts_of(play(match, asker, 1))
    assert (kept, undo) == (again, "undo")


def test_a_typed_move_that_is_refused_is_explained_by_its_rulings(tmp_path: Path) -> None:
    match = started(tmp_path / "game.yaml", "Inês", "Joana", private_contracts=False)
    before = match.fingerprint
    asker = Scripted("Type", "build red-3 red-2 L3", "sing a song", "", "Stop")
    assert play(match, asker).match.fingerprint == before
    refusal = next(text for text in asker.seen if text.startswith("P-BUILD-1: "))
    assert "A build takes two cards from your hand" in refusal
    assert any("'sing' is not a move" in text for text in asker.seen)


def test_the_signs_of_a_turn_work_in_the_menus_below_it(tmp_path: Path) -> None:
    """Typed after them, a move is a move, and chooses nothing."""
    match = started(tmp_path / "game.yaml", "Inês", "Joana", private_contracts=False)
    move = match.text(match.legal_moves()[2])
    asker = Scripted("Draw", ":", move, "Draw", ".")
    play(match, asker)
    assert f"turns:\n- Inês: {move}\n" in match.record.text
    assert match.state.turn == 1
    assert not asker.answers


def test_what_is_typed_during_an_analysis_is_dropped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was meant for nothing that comes after it."""
    did: list[str] = []
    monkeypatch.setattr(hint, "analyzed", lambda *_: did.append("judged"))
    monkeypatch.setattr(cli_session, "analysis_rows", lambda *_: [])
    monkeypatch.setattr(cli_session, "drop_typed", lambda: did.append("dropped"))
    path = tmp_path / "game.yaml"
    path.write_text(finished("solo-lost.yaml").record.text, "utf-8")
    play(porto_cli.load(path), Scripted("Analyze", "Stop"))
    assert did == ["judged", "dropped"]


def test_a_typed_undo_that_is_refused_is_explained(tmp_path: Path) -> None:
    match = started(tmp_path / "game.yaml", "Inês", "Joana", private_contracts=False)
    asker = Scripted("Type", "undo", "", "Stop")
    play(match, asker)
    assert any("There is no turn to take back." in text for text in asker.seen)
    match.play(match.legal_moves()[0], player=match.state.seat)
    match.save()
    asker = Scripted("Type", "undo", "", "Stop")
    assert play(match, asker, seat=1).match.state.turn == 1
    assert any("R-UNDO: A turn can be taken back only by" in text for text in asker.seen)
    assert asker.asked_twice == [], "who is sure would be refused"
    asker = Scripted("Type", "undo", "Stop")
    assert play(match, asker).match.state.turn == 0
    assert "The record will show" in asker.asked_twice[0]


def test_everybody_can_look_around(tmp_path: Path) -> None:
    match = cut("first-game.yaml", 20, tmp_path / "game.yaml")
    asker = Scripted("Look", "log of the game", "whole table", "points came from", BACK, "Stop")
    play(match, asker)
    text = "\n".join(asker.seen)
    assert all(word in text for word in ("Players", "floors"))
    assert asker.at_end == [True, False, False], "of the log the newest turns are shown first"


def test_line_by_line_everything_is_said_in_sentences(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """No drawing and no table, but what the private contracts bring."""
    match = cut("two-players.yaml", 40, tmp_path / "game.yaml")
    typed = iter(["=", "2", "3", "b", "."])
    monkeypatch.setattr("builtins.input", lambda hint: next(typed))
    with contextlib.suppress(StoppedError):
        Session(match, Lines(advice), seat=0).run()
    shown = capsys.readouterr().out
    assert "pairs-blue+yellow: Now 0 of 2 VP: complete L6 and L7." in shown
    assert "L3 is empty and has room for 6 floors." in shown
    assert "public contracts 0" in " ".join(shown.split())
    assert not set(shown) & set("━│▔●○×▲")


class TestByMail:
    """With --as somebody plays only the own turns."""

    def test_stops_after_the_turn_and_names_who_gets_the_file(self, tmp_path: Path) -> None:
        match = started(tmp_path / "game.yaml", "Inês", "Joana")
        asker = Scripted(None, "Draw", None, "Stop")
        session = play(match, asker, seat=0)
        assert session.match.state.turn == 1
        assert asker.questions[-1] == f"It is Joana's turn. Send {match.path} to Joana."
        assert not any("Hand the keyboard" in question for question in asker.questions)

    def test_never_shows_the_secrets_of_others(self, tmp_path: Path) -> None:
        match = started(tmp_path / "game.yaml", "Inês", "Joana")
        other = {PRIVATE_NAMES[card] for card in match.state.dealt[1]}
        other -= {"palette", "side", *(PRIVATE_NAMES[card] for card in match.state.dealt[0])}
        asker = Scripted(None, "Draw", None, "Look", None, None, None, BACK, "Stop")
        play(match, asker, seat=0)
        assert not other & set(" ".join(asker.seen).replace(":", " ").split())

    def test_keeps_early_while_somebody_else_is_to_move(self, tmp_path: Path) -> None:
        match = started(tmp_path / "game.yaml", "Inês", "Joana")
        asker = Scripted("Choose three private contracts", None, "Stop")
        session = play(match, asker, seat=1)
        assert session.match.record.items[0].entries[0][0] == "Joana"
        assert session.match.to_move() == ["Inês"]

    def test_tells_what_happened_since_the_own_last_turn(self, tmp_path: Path) -> None:
        path = tmp_path / "game.yaml"
        match = started(path, "Inês", "Joana", "Rui", private_contracts=False)
        for _ in range(3):
            match.play(match.legal_moves()[0], player=match.state.seat)
        match.save()
        asker = Scripted("Stop")
        play(porto_cli.load(path), asker, seat=0)
        assert "Joana drew" in asker.seen[0]
        assert "Rui drew" in asker.seen[0]
        assert "Inês drew" not in asker.seen[0]

    def test_reads_the_file_again_when_it_has_come_back(self, tmp_path: Path) -> None:
        path = tmp_path / "game.yaml"
        match = started(path, "Inês", "Joana", private_contracts=False)

        def answer(asker: Scripted, question: str, labels: list[str]) -> Any:
            if "It is Joana's turn" in question and asker.questions.count(question) == 1:
                other = porto_cli.load(path)
                other.play(other.legal_moves()[0], player=other.state.seat)
                other.save()
                return "Read the file again"
            return "Stop" if porto_cli.load(path).state.turn == 2 else None

        session = play(match, Scripted(then=answer), seat=0)
        assert session.match.state.turn == 2

    def test_a_file_that_came_back_cut_off_is_read_only_if_the_player_says_so(
        self, tmp_path: Path
    ) -> None:
        path = tmp_path / "game.yaml"
        match = started(path, "Inês", "Joana", private_contracts=False)

        def answer(asker: Scripted, question: str, labels: list[str]) -> Any:
            if "It is Joana's turn" not in question or asker.asked_twice:
                return "Stop" if asker.asked_twice else None
            other = porto_cli.load(path)
            other.play(other.legal_moves()[0], player=other.state.seat)
            other.save()
            path.write_text(f"{path.read_text('utf-8')}# The last", "utf-8")
            return "Read the file again"

        for asker in (Scripted(then=answer), Scripted(then=answer)):
            asker.unsure = match.state.turn == 0
            before = match.state.turn
            session = play(porto_cli.load(path), asker, seat=0)
            assert asker.asked_twice == ["Play on with what is there?"]
            match = porto_cli.load(path)
            assert session.match.state.turn == before + 1 + (not asker.unsure)


class TestAsTheUser:
    """The settings know who sits here: only the own turns, until somebody says otherwise."""

    def session(self, match: porto_cli.Match, asker: Scripted, seat: int | None) -> Session:
        session = Session(match, asker)
        session.sit_down_as_user(seat)
        with contextlib.suppress(StoppedError):
            session.run()
        return session

    def test_the_others_can_sit_here_as_well(self, tmp_path: Path) -> None:
        match = started(tmp_path / "game.yaml", "Inês", "Joana")
        asker = Scripted(None, "Draw", None, "Play for all at this keyboard", "Stop")
        session = self.session(match, asker, 0)
        assert session.seat is None
        assert asker.questions[-1] == "Hand the keyboard to Joana."
        assert asker.asked_twice == ["Do all of you play here, taking turns at this keyboard?"]
        # It is the first thing that is offered, until one of the others has moved.
        offered = asker.seen[-2].splitlines()
        assert offered[offered.index(asker.questions[-2]) + 1] == "Play for all at this keyboard"

    @pytest.mark.parametrize("here", [True, False])
    def test_who_opens_a_new_game_of_several_says_once_whether_all_play_here(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, here: bool
    ) -> None:
        """It holds for that game alone, however far it goes, and for no other one."""
        monkeypatch.chdir(tmp_path)
        monkeypatch.setenv("PORTO_HOME", str(tmp_path / "home"))
        monkeypatch.setenv("PORTO_PLAYER", "Inês")
        match = started(tmp_path / "game.yaml", "Inês", "Joana")
        asker = Scripted("Yes" if here else "No")
        ask_who_sits_here(asker, match)
        assert asker.questions == ["Do Inês and Joana play at this keyboard?"]
        ask_who_sits_here(Scripted(), match)
        match.play("keep 1 2 3", player="Joana")
        match.save()
        assert match.path
        assert all_play_here(porto_cli.load(match.path)) is here
        other = started(tmp_path / "other.yaml", "Inês", "Joana", seed="other")
        assert not all_play_here(other)
        # A game like it is played where it was.
        assert all_play_here(begun_again(Scripted(), match, tmp_path / "again.yaml")) is here

    def test_nobody_sees_the_secrets_of_others_when_all_play(self, tmp_path: Path) -> None:
        match = started(tmp_path / "game.yaml", "Inês", "Joana")
        other = {PRIVATE_NAMES[card] for card in match.state.dealt[0]}
        other -= {"palette", "side", *(PRIVATE_NAMES[card] for card in match.state.dealt[1])}
        asker = Scripted("Play for all at this keyboard", "Stop")
        self.session(match, asker, 1)
        assert asker.questions[-1] == "Hand the keyboard to Inês."
        assert not other & set(" ".join(asker.seen).replace(":", " ").split())

    def test_the_player_of_as_is_not_offered_to_play_for_all(self, tmp_path: Path) -> None:
        match = started(tmp_path / "game.yaml", "Inês", "Joana")
        asker = Scripted("Stop")
        play(match, asker, seat=1)
        assert "Play for all" not in asker.seen[-1]

    def test_on_a_screen_that_cannot_be_wiped_secrets_stay_with_one(self, tmp_path: Path) -> None:
        asker = Scripted("Stop")
        asker.plain = True
        self.session(started(tmp_path / "game.yaml", "Inês", "Joana"), asker, 1)
        assert "Play for all" not in asker.seen[-1]
        asker = Scripted("Stop")
        asker.plain = True
        open_game = started(tmp_path / "open.yaml", "Inês", "Joana", private_contracts=False)
        self.session(open_game, asker, 1)
        assert "Play for all" in asker.seen[-1]

    @pytest.mark.long
    def test_nobody_plays_a_sealed_game_for_others(self) -> None:
        asker = Scripted("Stop")
        self.session(sealed_games.seen_by(sealed_games.set_up(), "Rui"), asker, 1)
        assert asker.questions[-1].startswith("It is Ana's turn.")
        assert "Play for all" not in asker.seen[-1]

    @pytest.mark.long
    def test_what_is_refused_at_once_can_be_left(self) -> None:
        """To keep is asked for at once, and nobody can keep what only Ana's key opens."""
        asker = Scripted(None, "Stop")
        play(sealed_games.seen_by(sealed_games.set_up(), "Rui"), asker, seat=0)
        assert "only Ana's key can choose three" in " ".join(asker.seen)

    @pytest.mark.parametrize("seat", [None, 0])
    def test_a_solo_game_is_played_as_usual(self, tmp_path: Path, seat: int | None) -> None:
        match = started(tmp_path / "game.yaml", "Inês", private_contracts=False)
        session = self.session(match, Scripted("Stop"), seat)
        assert session.seat is None


class TestOnARealTable:
    """With real cards the players are asked what came up."""

    def test_a_turn_asks_for_each_card(self, tmp_path: Path) -> None:
        whole = porto_cli.load(RECORDS / "real-table.yaml").record
        number = next(
            n for n, item in enumerate(whole.items) if len(item.entries[0][1].split()) == 3
        )
        (_, move), (_, refill) = whole.items[number].entries
        match = cut("real-table.yaml", number, tmp_path / "game.yaml")
        drawn = "   ".join(move.split()[1:])
        asker = Scripted("Draw", drawn, *refill.split(), "Stop")
        session = play(match, asker)
        assert session.match.record.items[number].entries == whole.items[number].entries
        assert "Which card came up?" in asker.questions[2]

    def test_backing_out_of_what_came_up_plays_nothing(self, tmp_path: Path) -> None:
        match = cut("real-table.yaml", 0, tmp_path / "game.yaml")
        before = match.fingerprint
        asker = Scripted("Draw", None, BACK, "Stop")
        assert play(match, asker).match.fingerprint == before

    @pytest.mark.parametrize(
        "players",
        [1, pytest.param(2, marks=pytest.mark.long), pytest.param(4, marks=pytest.mark.slow)],
    )
    def test_a_whole_game_from_the_first_question_to_the_last(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, players: int
    ) -> None:
        monkeypatch.chdir(tmp_path)
        rnd = random.Random(players)
        houses = {1: 10, 2: 10, 4: 14}[players]
        names = ("Inês", "Joana", "Afonso", "Rui")[:players]
        tokens = " ".join("11111222233344"[:houses])
        real = ["Yes", *(["Inês"] if players > 1 else []), tokens]
        real += ["b1 r2 y3 b1 g2", "blue+red 1-red-floor blue+blue green-house"]
        start = ["More", str(players), *names, *(["24"] if players == 1 else []), None, *real, None]
        match = set_up(Scripted(*start), None, "porto")

        def answer(asker: Scripted, question: str, labels: list[str]) -> Any:
            if "do now?" in question or "reveal" in question:
                return None
            others = ("Look", "Type", "Stop", "Hint:", "Undo", "Plan ahead")
            fitting = [label for label in labels if not label.startswith(others)]
            builds = [label for label in fitting if label.startswith("Build")]
            return rnd.choice(builds or fitting)

        asker = Scripted(then=answer)
        over = play(match, asker).match
        assert over.over
        assert porto_cli.load(over.path or "").fingerprint == over.fingerprint
        asked = set(asker.questions)
        assert "Which card came up? Lowest empty space first, card 1." in asked
        assert not any("Hand the keyboard" in question for question in asked)
        if players == 1:
            assert "Which timer card was turned up? Card 2 of 2." in asked
        else:
            assert f"{names[-1]}, reveal 3 private contracts." in asked
            assert all(len(kept) == 3 for kept in over.state.kept)

    def test_the_players_reveal_one_after_the_other(self, tmp_path: Path) -> None:
        whole = porto_cli.load(RECORDS / "real-table.yaml").record
        number = next(n for n, item in enumerate(whole.items) if "keep" in item.entries[0][1])
        match = cut("real-table.yaml", number, tmp_path / "game.yaml")
        asker = Scripted(["palette", "palette", "side"], ["mirror-red", "side", "ends-red"])
        session = play(match, asker)
        assert session.match.over
        assert session.match.fingerprint == porto_cli.load(match.path or "").fingerprint


class TestSavingFails:
    """A file that cannot be written is said at once, and nothing is lost silently."""

    def test_somebody_else_has_changed_the_file(self, tmp_path: Path) -> None:
        path = tmp_path / "game.yaml"
        match = started(path, "Inês", "Joana", private_contracts=False)
        other = porto_cli.load(path)
        other.play(other.legal_moves()[3], player=other.state.seat)
        other.save()
        asker = Scripted("Draw", None, "Read the file again", "Stop")
        session = play(match, asker)
        assert any("was changed by another program" in question for question in asker.questions)
        assert session.match.fingerprint == other.fingerprint

    @pytest.mark.parametrize(
        ("now", "told"),
        [
            (None, "There is no file"),
            ("", "empty"),
            ("porto: 1\nrules: 1\n", "cut off"),
            ("another", "holds another game now, with Ana, Rui"),
        ],
    )
    def test_a_file_that_cannot_be_read_again_ends_nothing(
        self, tmp_path: Path, now: str | None, told: str
    ) -> None:
        path = tmp_path / "game.yaml"
        match = started(path, "Inês", "Joana", private_contracts=False)
        if now == "another":
            now = porto_cli.new_game(["Ana", "Rui"], seed="x").record.text
        here = path.read_text("utf-8")

        class Mender(Scripted):
            """Puts the file back when it is said what is wrong with it."""

            def show(self, text: Text, at_end: bool = False, more: Text | None = None) -> None:
                shown.append(" ".join(plain(line) for line in text(Screen(200))))
                path.write_text(here, "utf-8")

        shown: list[str] = []
        asker = Mender("Draw", None, "Read the file again", "Stop")
        path.unlink() if now is None else path.write_text(now, "utf-8")
        session = play(match, asker)
        assert len(shown) == 1
        assert told in shown[0]
        assert session.match.state.turn == 1
        assert porto_cli.load(path).state.turn == 1

    def test_try_again(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        match = started(tmp_path / "game.yaml", "Inês", "Joana", private_contracts=False)
        save = porto_cli.Match.save
        failures = [1, 1]

        def fragile(self: porto_cli.Match) -> tuple[str, ...]:
            if failures:
                failures.pop()
                raise FileError("The disk is full.")
            return save(self)

        monkeypatch.setattr(porto_cli.Match, "save", fragile)
        asker = Scripted("Draw", None, "Try again", "Try again", "Stop")
        play(match, asker)
        assert porto_cli.load(tmp_path / "game.yaml").state.turn == 1

    def test_stop(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        match = started(tmp_path / "game.yaml", "Inês", "Joana", private_contracts=False)

        def refused(self: porto_cli.Match) -> NoReturn:
            raise FileError("The file is write-protected.")

        monkeypatch.setattr(porto_cli.Match, "save", refused)
        asker = Scripted("Draw", None, "Stop, without this turn")
        assert play(match, asker).match.state.turn == 0
        assert not asker.answers


class TestANewGame:
    """The questions that set up a game."""

    @pytest.fixture(autouse=True)
    def _in_an_empty_folder(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        monkeypatch.setenv("LOGNAME", "maria")

    def test_solo(self) -> None:
        asker = Scripted("More", "solo", "Inês", "24", "Without", None, None)
        match = set_up(asker, None, "porto")
        assert (match.players, match.state.config.timer) == (("Inês",), 24)
        assert not match.state.config.private_contracts
        assert str(match.path) == "ines.yaml"
        assert Path("ines.yaml").exists()

    def test_line_by_line_what_was_answered_is_said_once_before_each_question(
        self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Questions that do not apply, as those about bots, say nothing."""
        answers = iter(["2", "Ana", "Rui"])
        monkeypatch.setattr("builtins.input", lambda hint: next(answers))
        set_up(Lines(advice), None, "porto")
        assert capsys.readouterr().out.count("Porto: a new game.") == 2

    def test_three_enters_start_a_solo_game(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """The first one is for the game: see ``test_play_terminal.py``."""
        asker = Scripted()
        match = set_up(asker, None, "porto")
        assert asker.questions == [
            "How many people are playing?",
            "What is your name? Press Enter for Maria.",
        ]
        assert (match.players, str(match.path)) == (("Maria",), "maria.yaml")
        monkeypatch.setenv("PORTO_PLAYER", "Inês")
        assert begin(Scripted("a new", None, ""), None).players == ("Inês",)
        monkeypatch.setenv("PORTO_PLAYER", "")
        asker = Scripted("a new", None, "Rui")
        assert begin(asker, None).players == ("Rui",)
        assert asker.questions[-1] == "What is your name?"

    def test_the_name_that_is_proposed_is_that_of_one_player(self) -> None:
        asker = Scripted("2", "", "", "maria", "Rui")
        assert sorted(begin(asker, Path("g.yaml")).players) == ["Maria", "Rui"]
        assert "A player needs a name." in asker.seen
        assert any("Two players are called" in text for text in asker.seen)

    def test_a_game_like_the_last_one_is_one_answer_away(self) -> None:
        begin(Scripted("bots", "2", "level 2", "1", "Ana"), Path("g.yaml"))
        Path("g.yaml").unlink()
        asker = Scripted("Same")
        match = begin(asker, None)
        assert asker.seen[0].splitlines()[1:4] == [
            "What would you like to play?",
            "Same as last time: Porto, Ana, Rui (bot 2), Bea (bot 2)",
            "Porto: a new game",
        ]
        assert match.bots == {"Rui": "level-2", "Bea": "level-2"}
        assert sorted(match.players) == ["Ana", "Bea", "Rui"]
        asker = Scripted("Same")
        assert begin(asker, Path("other.yaml")).path == Path("other.yaml")
        assert asker.questions == [
            "There is no file other.yaml here. It will be a new game. Which one?"
        ]

    def test_where_nothing_can_be_written_another_file_is_asked_for(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        save = porto_cli.Match.save

        def guarded(self: porto_cli.Match, path: Path) -> tuple[str, ...]:
            if path.parent == Path():
                raise FileError(f"{path} cannot be written.")
            return save(self, path)

        monkeypatch.setattr(porto_cli.Match, "save", guarded)
        Path("games").mkdir()
        asker = Scripted("2", "Ana", "Rui", "games/g.yaml")
        match = set_up(asker, None, "porto")
        assert match.path == Path("games/g.yaml")
        assert "ana-rui.yaml cannot be written." in asker.seen[-1]
        assert asker.questions[-1] == "Which file should the game be saved in?"

    @pytest.mark.skipif(os.name != "posix", reason="Windows has no modes.")
    def test_a_folder_that_is_closed_to_others_is_said(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        own = tmp_path / "own"
        own.mkdir()
        own.chmod(0o777)
        monkeypatch.setenv(home.VARIABLE, str(own))
        asker = Scripted("2", "Ana", "Rui")
        with files.traced():
            begin(asker, Path("g.yaml"))
        assert "Other users of this computer could change" in asker.seen[-1]
        assert own.stat().st_mode & 0o777 == 0o755

    def test_options_are_remembered(self) -> None:
        set_up(Scripted("More", "solo", "Ana", "24", "Without", None, None), None, "porto")
        asker = Scripted("Same")
        config = begin(asker, Path("again.yaml")).state.config
        assert (config.timer, config.private_contracts) == (24, False)

    @pytest.mark.parametrize(
        "text",
        ["", "[]", "Ana", "porto: 1\n", '{"game": "porto", "players": ["Ana"]}', "[" * 100_000],
    )
    def test_what_cannot_be_played_again_is_not_offered(self, text: str) -> None:
        (home.folder() / LAST).write_text(text, "utf-8")
        asker = Scripted("a new game")
        begin(asker, None)
        assert "Same as last time" not in asker.seen[0]

    def test_a_game_with_a_bot_that_is_gone_is_not_offered_again(self) -> None:
        match = porto_cli.new_game(["Ana", "Rui"], bots={"Rui": "greedy"})
        (home.folder() / LAST).write_text(match.record.text, "utf-8")
        asker = Scripted("Same")
        begin(asker, Path("again.yaml"))
        (home.folder() / LAST).write_text(match.record.text.replace("greedy", "gone"), "utf-8")
        asker = Scripted("a new game")
        begin(asker, None)
        assert "Same as last time" not in asker.seen[0]

    @pytest.mark.skipif(sys.platform == "win32", reason="There are no pipes with names.")
    def test_nobody_waits_for_a_pipe_that_has_the_name_of_the_last_game(self) -> None:
        os.mkfifo(home.folder() / LAST)
        asker = Scripted("a new game")
        begin(asker, None)
        assert "Same as last time" not in asker.seen[0]

    def test_three_players(self) -> None:
        names = ("Inês", "João", "Ana Maria")
        asker = Scripted("More", "3", *names, None, None, "João", "games/", "friday")
        match = set_up(asker, None, "porto")
        assert match.players == ("João", "Ana Maria", "Inês")
        assert match.state.config.private_contracts
        assert str(match.path) == "friday.yaml"
        assert "games/ names a folder; name the file of the record in it." in asker.seen

    def test_every_answer_can_be_changed(self) -> None:
        asker = Scripted(
            *("More", "2", "Inês", BACK, "Inês", "inês", "", "refill", "Joana", "With"),
            *(BACK, BACK, BACK, BACK, "1", "Rui", "26", BACK, "28", None, "Yes", BACK, "No", None),
        )
        match = set_up(asker, None, "porto")
        assert (match.players, match.state.config.timer) == (("Rui",), 28)
        assert "A player needs a name." in asker.seen
        assert any("Two players are called" in text for text in asker.seen)
        assert any("has a special meaning" in text for text in asker.seen)

    def test_with_the_real_cards(self) -> None:
        asker = Scripted(
            *("More", "2", "Inês", "Joana", None, "Yes", "Joana"),
            *("1 1 1 1 1 2 2 2 2 3", "1 1 1 1 1 2 2 2 3", "1 1 1 1 1 1 2 2 2 3"),
            "1 1 1 1 1 2 2 2 2 3",
            *("b1 b1 b1 b1 b1", BACK, "1 1 1 1 1 2 2 2 3 3", "b1 r2 y3 b1 g2"),
            *("blue+red 1-red-floor palette 2-blue-floors", "blue+red 1-red-floor b+b green-house"),
            "blue+red 1-red-floor blue+blue green-house",
            "friday",
        )
        few, gone, huge = "1 1 1 1 1 2 2 2 3", "1 1 1 1 1 1 2 2 2 3", "1 1 1 1 1 2 2 2 3 300"
        asker.answers[7:10] = [few, gone, huge]
        match = set_up(asker, None, "porto")
        assert match.players == ("Joana", "Inês")
        assert match.record.secrecy == "table"
        assert not (home.folder() / LAST).exists()
        assert not match.state.dealt
        table_now = table(match.replay)
        tokens = [house["ground_token"] for house in table_now["houses"].values()]
        assert tokens == [1, 1, 1, 1, 1, 2, 2, 2, 3, 3]
        assert table_now["cards"] == ["blue-1", "red-2", "yellow-3", "blue-1", "green-2"]
        assert "Type 10 numbers, one for each of L3 L4 L5 L6 L7 R1 R2 R3 R4 R5." in asker.seen
        assert asker.seen.count("The box does not hold all of these; look again.") == 3

    def test_backing_out_of_the_first_question_makes_no_file(self) -> None:
        with pytest.raises(CancelledError):
            begin(Scripted(BACK), None)
        assert not list(Path().iterdir())

    def test_in_a_file_that_is_named(self) -> None:
        asker = Scripted("2", "Inês", "Joana")
        assert begin(asker, Path("friday.yaml")).path == Path("friday.yaml")
        assert asker.questions[0] == "friday.yaml will be a new game. How many people are playing?"

    def test_a_folder_that_does_not_exist_is_refused_before_anything_is_asked(self) -> None:
        asker = Scripted()
        with pytest.raises(FileError, match="There is no folder nowhere"):
            begin(asker, Path("nowhere/friday.yaml"))
        assert not asker.questions

    def test_a_running_game_of_the_folder_is_offered(self) -> None:
        Path("edition.yaml").write_text("name: mine\n", "utf-8")
        Path("over.yaml").write_bytes((RECORDS / "two-players.yaml").read_bytes())
        porto_cli.new_game(["Inês", "Rui"]).save("running.yaml")
        asker = Scripted("running.yaml")
        assert begin(asker, None).path == Path("running.yaml")
        players = porto_cli.load("running.yaml").players
        assert asker.seen[0].splitlines()[2:4] == [
            f"Continue Porto: {', '.join(players)}; round 1, {players[0]}'s turn (running.yaml)",
            "Porto: a new game",
        ]

    @pytest.mark.parametrize("name", ["friday.yml", "friday.yaml", "Friday"])
    def test_a_running_game_is_offered_whatever_its_file_is_called(self, name: str) -> None:
        porto_cli.new_game(["Inês", "Rui"]).save(name)
        Path("notes.txt").write_text("# Porto game record\n", "utf-8")
        Path("todo").write_text("bread\n", "utf-8")
        Path("folder.yaml").mkdir()
        assert begin(Scripted(f"({name})"), None).path == Path(name)

    def test_a_new_game_gets_a_name_by_which_it_is_offered(self) -> None:
        asker = Scripted("2", "Inês", "Joana")
        assert begin(asker, Path("friday")).path == Path("friday.yaml")
        assert begin(Scripted(), Path("friday")).path == Path("friday.yaml")
        assert begin(Scripted("(friday.yaml)"), None).path == Path("friday.yaml")

    def test_a_running_record_is_joined(self) -> None:
        porto_cli.new_game(["Inês", "Rui"]).save("running.yaml")
        asker = Scripted()
        assert begin(asker, Path("running.yaml")).path == Path("running.yaml")
        assert not asker.questions

    def test_the_file_that_is_proposed_does_not_exist(self) -> None:
        for taken in ("ines-joao.yaml", "ines-joao-2.yaml"):
            Path(taken).touch()
        assert free_name(["Inês", "João"]) == "ines-joao-3.yaml"
        assert free_name(["Ana Maria", "D'Arcy"]) == "ana-maria-d-arcy.yaml"
        assert free_name(["?!"]) == "porto.yaml"
        assert free_name(["김철수"]).endswith(".yaml")


class TestNews:
    """What is new to who reads it is told whole, or in brief."""

    def news(self, match: porto_cli.Match, reader: int) -> str:
        told = news(match.replay, reader)
        return " ".join(sentence for one in told for sentence in one.full)

    def test_it_begins_after_the_own_last_turn(self, tmp_path: Path) -> None:
        match = started(tmp_path / "g.yaml", "Inês", "Joana", "Rui", private_contracts=False)
        for _ in range(5):
            match.play(match.legal_moves()[0])
        assert match.to_move() == ["Rui"]
        assert re.findall(r"(\w+) drew", self.news(match, 2)) == ["Inês", "Joana"]
        assert re.findall(r"(\w+) drew", self.news(match, 0)) == ["Joana"]

    def test_keeping_contracts_is_no_turn(self, tmp_path: Path) -> None:
        match = started(tmp_path / "g.yaml", "Inês", "Joana")
        match.play("keep 1 2 3", player="Inês")
        match.play(match.legal_moves()[0])
        match.play("keep 1 2 3", player="Joana")
        assert "Inês drew" in self.news(match, 1)

    def test_after_a_move_its_consequences_are_shown(self, tmp_path: Path) -> None:
        match = started(tmp_path / "g.yaml", "Inês", "Joana", private_contracts=False)
        texts = map(match.text, match.legal_moves())
        while "build" not in (verbs := {text.split()[0]: text for text in texts}):
            match.play(verbs["draw"])
            texts = map(match.text, match.legal_moves())
        match.play(verbs["build"])
        result = self.news(match, match.replay.steps[-1].seat)
        assert re.search(r"The \d VP token of [LR]\d moved ", result)
        assert " VP (floors " in result
        assert " plays " not in result

    def test_a_turn_that_is_taken_back_leaves_what_was_new_before(self, tmp_path: Path) -> None:
        match = started(tmp_path / "g.yaml", "Inês", "Joana", private_contracts=False)
        for _ in range(2):
            match.play(match.legal_moves()[0])
        match.undo("Joana")
        result = self.news(match, 1)
        assert result.startswith("Inês drew")
        assert result.endswith("You took back the last move.")

    def test_in_a_solo_game_the_timer_comes_first(self, tmp_path: Path) -> None:
        match = cut("solo-won.yaml", 1, tmp_path / "g.yaml")
        match.play("draw green-3")
        assert match.state.phase == TIMER
        assert self.news(match, 0).startswith("The timer drew")
        assert "drew green-3" not in self.news(match, 0)


@pytest.mark.parametrize("record", ["solo-won.yaml", "two-players.yaml"])
def test_each_private_contract_names_a_house_that_can_still_count(record: str) -> None:
    """Where there is room; where not all fit, it says how many more there are."""
    for turn in (2, 5, 8, 11):
        at = after_turn(finished(record), turn)
        seat = at.state.seat
        lines = [*map(plain, above_question(at, seat, seat).lines(Screen(80), 30))]
        first = next(nth for nth, line in enumerate(lines) if line.startswith(" Private"))
        progress = table(at, seat)["players"][seat]["private_progress"]
        for line, one in zip(lines[first : first + 3], progress, strict=True):
            assert not one["ways"] or re.search(r" VP: (complete )?[LR]\d.*\.$", line)


def test_what_the_timer_takes_away_is_read_on_the_lowest_screen() -> None:
    """Contracts, or else cards, also while it builds; and each token that goes with a roof."""
    game = finished("solo-won.yaml")
    seen: set[str] = set()
    for turn in range(1, 14):
        at = after_turn(game, turn)
        lines = above_question(at, 0, 0).lines(Screen(60), 13)
        shown = " ".join(" ".join(map(plain, lines)).split())
        events = at.game.turn(at.steps[-1]).facts["events"]
        gone = next(event for event in events if event["event"] == "timer-turned")
        assert enumerated(gone["contracts"] or gone["cards"]) in shown.partition("discarded")[2]
        for event in events[events.index(gone) :]:
            if event["event"] == "roof-placed" and event["token"]:
                assert re.search(rf"{event['token']} VP token .*left the game\.", shown)
                seen.add("token")
    assert seen
    match = porto_cli.new_game(["Ana"], seed="st3")
    match.play("keep 1 2 4")
    match.play("draw yellow-1 blue-1 red-1")
    options = match.game.words.options(match.state, 0, asking=True)
    lines = above_question(match, 0, 0).lines(Screen(60), 11, options[0].move, wanted=5)
    assert plain(lines[-1]) == " The timer discarded 3-blue-floors and 1-purple-floor."


def test_three_contracts_have_room_on_the_lowest_screen() -> None:
    match = porto_cli.new_game(["Ana"], seed="st4")
    match.play("keep 1 2 4")
    names = match.observe(0)["players"][0]["private"]
    assert all(name.startswith("trios-") for name in names), "the longest"
    shown = " ".join(map(plain, above_question(match, 0, 0).lines(Screen(60), 13)))
    assert len(re.findall(r"trios-\w\+\w\+\w 0/9", shown)) == 3


def test_of_the_news_first_is_read_what_scored_and_of_the_others_the_last() -> None:
    """That there is more stands behind them."""
    at = after_turn(finished("four-players-seat-first.yaml"), 49)
    lines = [plain(line) for line in above_question(at, 1, 1).lines(Screen(72), 13)]
    assert lines[-2:] == [
        " Inês built 3 green floors on L4 for 11 VP, Joana 1 blue floor on R5",
        " for 14 VP. Afonso drew purple-2. (press = for more)",
    ]


def above(game: Replay, told: Sequence[News] = (), seat: int | None = 0) -> Scene:
    """Return what is above a question about a game."""
    return of_view(table(game, seat), told)


def of_view(seen: Mapping[str, Any], told: Sequence[News] = ()) -> Scene:
    return Scene(title(seen), lambda *_: panes(seen, seen, 0), told, lambda: ())


def test_houses_stand_on_a_large_terminal_and_lie_beside_the_contracts_on_a_low_one() -> None:
    game = after_turn(porto_cli.load(RECORDS / "two-players.yaml").replay, 30)
    whole, drawn, low = (
        "\n".join(plain(line) for line in above(game).lines(Screen(100), rows))
        for rows in (28, 16, 12)
    )
    assert "Build exactly" in whole
    assert "Build exactly" not in drawn
    standing = re.compile("L3.* L7.* R1.* R5")
    assert standing.search(whole)
    assert standing.search(drawn)
    assert re.search("L3.* R1.* 1[●○×] ", low)


def test_a_house_is_offered_for_what_the_table_shows_of_it() -> None:
    """And for the most that a build on it scores, which is the one that the board shows."""
    several = 0
    for turn in (5, 24, 28, 33):
        at = after_turn(finished("two-players.yaml"), turn)
        seat = at.state.seat
        scene = above_question(at, seat, seat)
        legal = at.game.words.options(at.state, seat, asking=True)
        for one in entries(groups([one for one in legal if one.verb == "build"], 1), 1):
            scores = re.search(r"(up to )?(\d+) VP", plain(one.label))
            assert scores
            assert scene.preview(one.moves[0])[0].startswith(f"Preview, +{scores[2]} VP: ")
            several += bool(scores[1])
    assert several


def test_any_spaces_of_the_same_cards_are_the_same_draw() -> None:
    """Of equal cards not only the one in the first space."""
    equal = 0
    for turn in range(20, 30):
        at = after_turn(finished("four-players-seat-first.yaml"), turn)
        if at.state.phase != "act":
            continue
        draws = [
            one
            for one in at.game.words.options(at.state, at.state.seat, asking=True)
            if one.verb == "draw" and not one.why_not
        ]
        row = table(at, at.state.seat)["cards"]
        for spaces in combinations(range(len(row)), 2):
            cards = sorted(row[space] or "" for space in spaces)
            same = [one for one in draws if sorted((one.facts or {})["cards"]) == cards]
            menu = Menu(entries(groups(draws, 1), 1), digits=False)
            menu.type("".join(str(space + 1) for space in spaces))
            assert not same or (menu.pointed and menu.pointed.moves[0] == same[0].move)
            equal += bool(same) and any(row.count(card) > 1 for card in cards)
    assert equal


_ENDS = r"( with the roof|, the last roof: round \d+ is the last)"


@pytest.mark.parametrize(
    ("record", "most"),
    [("solo-won", 4), ("two-players", 4), ("three-players", 3), ("four-players-seat-first", 3)],
)
def test_houses_do_not_lie_down_for_what_is_said(record: str, most: int) -> None:
    """At 80 by 24, where other rows give way first."""
    scene = above(after_turn(finished(f"{record}.yaml"), 10))
    for rows in range(most + 1):
        scene.said = [f"{'word ' * 14}end."] * rows
        lines = [*map(plain, scene.lines(Screen(80), 16))]
        assert sum(line.endswith("end.") for line in lines) == rows
        assert re.search("L4.* L7.* R1.* R4", "\n".join(lines)), rows
        assert any(" Cards " in line for line in lines)


@pytest.mark.parametrize("record", ["solo-won", "two-players", "three-players"])
@pytest.mark.parametrize("size", [(80, 16), (100, 20), (120, 28)])
def test_the_cards_stay_in_their_place(record: str, size: tuple[int, int]) -> None:
    """Whatever is said, and whatever contracts are called."""
    columns, rows = size
    places = set()
    for turn in range(4, 14):
        at = after_turn(finished(f"{record}.yaml"), turn)
        for said in range(4):
            scene = above_question(at, at.state.seat, at.state.seat)
            scene.said = [f"{'word ' * 14}end."] * said
            lines = [*map(plain, scene.lines(Screen(columns), rows))]
            places |= {(nth, one.index("Cards")) for nth, one in enumerate(lines) if "Cards" in one}
    assert len(places) == 1


def test_all_that_was_built_since_the_readers_last_turn_has_dotted_walls() -> None:
    match = porto_cli.load(RECORDS / "three-players.yaml")
    several = 0
    for turn in range(6, match.replay.state.turn):
        at = after_turn(match.replay, turn)
        for reader in range(3):
            steps = at.turns()
            while steps and steps[-1].seat != reader:
                steps.pop()
            old = (
                steps[-1].after.floors if steps[-1:] != at.turns()[-1:] else steps[-1].before.floors
            )
            new = sum(at.state.floors) - sum(old)
            lines = [*map(plain, above_question(at, reader, reader).lines(Screen(120), 28))]
            assert "\n".join(lines).count("┋") == 2 * new
            several += new > 3
    assert several


def test_a_build_is_seen_on_the_table_before_it_is_made() -> None:
    """Floors between plus signs, the roof, the token on its new roof."""
    game = after_turn(porto_cli.load(RECORDS / "two-players.yaml").replay, 2)
    seat = game.state.seat
    scene = above_question(game, seat, seat)
    moves = game.game.legal_moves(game.state, seat)
    build = next(
        text for one in moves if "build" in (text := game.game.format_move(one, game.state))
    )
    floors, color, *_ = build.removeprefix("build ").split()
    ghost = f"+{color[0]}+"
    now, then = (
        "\n".join(plain(line) for line in scene.lines(Screen(80), 16, move)) for move in ("", build)
    )
    assert ghost not in now
    assert then.count(ghost) == int(floors[-1])
    low = "\n".join(plain(line) for line in scene.lines(Screen(60), 12, build))
    assert f"+{color[0]}" * int(floors[-1]) in low
    narrow = "\n".join(plain(line) for line in scene.lines(Screen(44), 12, build))
    assert "+" * int(floors[-1]) in narrow, "a letter alone would look like a floor that stands"


def test_the_title_says_what_a_build_would_change_and_bring() -> None:
    game = after_turn(finished("two-players.yaml"), 2)
    seat = game.state.seat
    scene = above_question(game, seat, seat)
    legal = game.game.words.options(game.state, seat)
    build = next(one for one in legal if one.verb == "build" and " token " in one.move)
    title, untouched = (
        plain(scene.lines(Screen(120), 16, move)[0]).strip() for move in (build.move, "")
    )
    house, _, roof = build.move.split()[3:]
    preview = rf"  Preview, \+{build.vp} VP: {build.does} on {house}, token (\d) to roof {roof}$"
    found = re.search(preview, title)
    assert found
    for columns, token in ((120, f"+{found[1]}+"), (60, "╱+╲")):
        rows = [
            "\n".join(map(plain, scene.lines(Screen(columns), 16, move)))
            for move in ("", build.move)
        ]
        assert [token in one for one in rows] == [False, True], "proposed, not placed"
    assert title.startswith(untouched)


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_a_preview_never_hides_how_far_the_game_is(columns: int) -> None:
    """Nor that it is the last turn; nor does anything else move for it."""
    game = finished("two-players.yaml")
    seen: set[str] = set()
    for place in range(4, 44):
        at = after_turn(game, place)
        if at.state.phase != "act":
            continue
        seat = at.state.seat
        scene = above_question(at, seat, seat)
        when = re.match(r".*?\.", plain(scene.lines(Screen(columns), 12)[0]).strip())
        assert when
        seen.add(when[0].partition(",")[0])
        for one in at.game.words.options(at.state, seat)[:1]:
            drawn = [plain(line) for line in scene.lines(Screen(columns), 12, one.move)]
            assert when[0].partition(":")[0].rstrip(".") in drawn[0]
            if one.verb == "build":
                # In full, or without its token, or what the table shows; not without its end.
                house = one.move.split()[3]
                ends = _ENDS if one.facts["completes"] else r"(, token \d to roof ..)?"
                what = rf"(\d \w+ floors? on )?{house}{ends}"
                told = rf" Preview, \+{one.vp} VP: {what}$"
                below = re.match(told, drawn[-1].rstrip())
                assert re.search(told, drawn[0].rstrip()) or below
    assert "Last turn" in seen


@pytest.mark.parametrize("columns", [32, 44])
def test_news_that_are_too_long_end_behind_a_word_and_say_what_shows_the_rest(
    columns: int, tmp_path: Path
) -> None:
    match = table_at("porto/solo-won", 18, tmp_path / "g.yaml")
    told = news(match.replay, 0)
    whole = " ".join(one.text for new in told for one in new.short)
    scene = Scene(["Turn 13."], lambda *_: [], told, lambda: ())
    (_, line) = map(plain, scene.lines(Screen(columns), 2))
    shown, _, rest = line.partition(" … ")
    assert rest == "(press = for more)"
    assert f"{shown.strip()} " in whole


@pytest.mark.parametrize("rows", [2, 3, 4])
def test_a_hint_that_is_too_long_ends_with_a_sentence_or_else_a_phrase(rows: int) -> None:
    scene = Scene(["Turn 13."], lambda *_: [], (), lambda: ())
    why = "Ana can then build for 9 VP (10 or more, if the timer leaves R4 alone), instead of 4 VP"
    scene.note = f"Hint: {why}. About as good: pass."
    for columns in range(40, 80):
        told = " ".join(plain(line).strip() for line in scene.lines(Screen(columns), rows)[1:])
        shown, mark, _ = told.strip().partition(" …")
        assert shown.count("(") == shown.count(")")
        assert "Ana can then build" in shown
        assert told.strip().endswith((".", " …", "(press ! for more)"))
        assert mark or f"{why}." in shown


def test_the_move_of_a_hint_is_whole_before_the_key_for_more() -> None:
    scene = Scene(["Turn 13."], lambda *_: [], (), lambda: ())
    move = "Hint: colonists on all but hacienda and construction-hut."
    scene.note = f"{move} It makes 2 corn when goods are produced."
    assert plain(scene.lines(Screen(60), 2)[1]).strip() == move
    assert plain(scene.lines(Screen(80), 2)[1]).strip() == f"{move} (press ! for more)"


FOUR = after_turn(porto_cli.load(RECORDS / "four-players-seat-first.yaml").replay, 64)


def test_of_hands_that_would_be_cut_the_names_are_shorter() -> None:
    seen = table(FOUR, 0)
    colors = "blue", "green", "purple", "red", "yellow"
    hand = [f"{color}-{value}" for color in colors for value in (1, 2)]
    seen["players"] = [{**player, "hand": hand} for player in seen["players"]]
    lines = [plain(line) for line in of_view(seen).lines(Screen(60), 13)]
    assert " ▸ Afo… 46 VP b12g12p12r12y12   Rui  66 VP b12g12p12r12y12" in lines
    assert "   Inês 50 VP b12g12p12r12y12   Joa… 54 VP b12g12p12r12y12" in lines


@pytest.mark.parametrize("columns", [40, 60, 80, 120])
@pytest.mark.parametrize("ascii_only", [False, True])
def test_every_floor_and_token_of_houses_that_lie_is_seen(columns: int, ascii_only: bool) -> None:
    """``R2 ≈b≈b · ·╱1╲`` has 2 of 4 floors, blue ones, and a token of 1 VP on its roof space."""
    screen = Screen(columns, False, ascii_only)
    lines = [*map(plain, above(FOUR).lines(screen, 20 if columns < 60 else 12))][1:8]
    for name, house in table(FOUR, 0)["houses"].items():
        row = next(line for line in lines if f" {name}" in line).partition(f" {name}")[2]
        front = re.split(r" [LR]\d| \d[●○×*ox]| Cards| (?=[a-z]\d(?: [a-z]\d){4}$)", row)[0]
        if house["color"]:
            assert front.count(house["color"][0]) == house["floors"]
        free = house["height"] - house["floors"] - bool(house["ground_token"])
        if columns > 40 and house["color"] != "yellow":
            assert front.count("." if ascii_only else "·") == free
        tokens = [token for token in (house["ground_token"], house["roof_token"]) if token]
        assert re.findall(r"\d", front) == [*map(str, tokens)]


def test_two_equal_cards_are_drawn_by_the_numbers_of_both_spaces() -> None:
    """The row has these numbers in front of its cards."""
    state = laid("cards: [green-1, blue-3, green-1, red-2, red-2]")
    found = {one.move: one.part(1).key for one in game_of("porto").words.options(state, 0)}
    assert found["draw green-1 green-1"] == "13"
    assert found["draw red-2"] == "4"


@pytest.mark.parametrize("columns", [56, 60, 80])
def test_empty_spaces_of_the_row_look_alike_on_all_screens(columns: int) -> None:
    """On a low screen the cards lie below the contracts, so that private ones have a row."""
    cards = (None, None, "purple-2", None, "yellow-3")
    scene = of_view({**table(FOUR, 0), "cards": cards})
    low = "\n".join(map(plain, scene.lines(Screen(columns), 13)))
    high = "\n".join(map(plain, scene.lines(Screen(80), 40)))
    assert re.search(r" Cards 1  2  3  4  5 ?\n.*       ·· ·· p2 ·· y3\n(.*\n)+ Private", low)
    assert re.search(r" Cards +1 ·· +2 ·· +3 +p2 +4 ·· +5 +y3", high)


def test_at_80_by_24_every_player_is_seen_and_nothing_is_left_out() -> None:
    """Of four players, two in a row."""
    text = "\n".join(plain(line) for line in above(FOUR).lines(Screen(80), 16)[1:])
    for player in table(FOUR, 0)["players"]:
        mine = text.partition(f" {player['name']} ")[2][:40]
        assert f"{player['score']} VP" in mine
        hand = player["hand"]
        assert any(
            all(card in mine for card in way)
            for way in (hand, [f"{card[0]}{card[-1]}" for card in hand])
        )
    assert "Private" in text
    assert all(contract is None or contract in text for contract in table(FOUR, 0)["contracts"])


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        (60, ""),
        (80, " p 2+10 r 2+13 y 3+15 ground+upper floors"),
        (120, " p 2+10 r 2+13 y 3+15 ground+upper floors; 1 card, 18 timer cards"),
    ],
)
def test_what_is_left_is_shown_where_its_numbers_can_be_explained(columns: int, said: str) -> None:
    seen = {**table(FOUR, 0), "deck": 1, "timer": 18}
    seen["tiles"] |= {
        "purple": {"ground": 2, "floor": 10},
        "red": {"ground": 2, "floor": 13},
        "yellow": {"ground": 3, "floor": 15},
    }
    lines = [plain(line) for line in of_view(seen).lines(Screen(columns), 24)]
    left = [line for line in lines if line.startswith(" Left ")]
    assert len(left) == bool(said)
    assert "".join(left).endswith(said)


@pytest.mark.parametrize(
    ("columns", "shown"),
    [
        (60, ("b1,1 r3", "g2", "b3 g1,3 p1,1,2,2 r1", "no cards")),
        (80, ("b1,1 r3", "g2", "b3 g1,3 p1,1,2,2 r1", "no cards")),
        (120, ("b1,1 r3", "g2", "b3 g1,3 p1,1,2,2 r1", "no cards")),
    ],
)
def test_all_cards_of_all_hands_are_seen_however_many_they_are(
    columns: int, shown: Sequence[str]
) -> None:
    """In one form at all sizes, in which no value looks like a number of several digits, and colors
    stand apart: names are cut before.
    """
    hands = (
        ["blue-1", "blue-1", "red-3"],
        ["green-2"],
        ["blue-3", "green-1", "green-3", "purple-1", "purple-1", "purple-2", "purple-2", "red-1"],
        [],
    )
    seen = table(FOUR, 0)
    players = [{**one, "hand": hand} for one, hand in zip(seen["players"], hands, strict=True)]
    lines = of_view({**seen, "players": players}).lines(Screen(columns, False), 14)
    text = "\n".join(map(plain, lines))
    for player, hand in zip(players, shown, strict=True):
        name = f"({player['name']}|{player['name'][:3]}…)"
        assert re.search(rf" {name} +{player['score']} VP +{hand}", text), text


def test_the_order_of_choices_tells_nothing_of_private_contracts() -> None:
    """Not before the last turn either, after which they score: others may see this list."""
    orders = []
    for wanted in ("ends-red houses-red mirror-red", "ends-purple houses-purple mirror-purple"):
        state = laid(
            f"""
            round: 10
            to-move: Joana
            end-triggered: 9
            houses: {{L3: blue 6, L4: green 5, L5: blue 4, L6: purple 5, L7: red 4,
                      R1: blue 5, R2: green 6, R3: red 4}}
            hands: {{Joana: [purple-1, red-1]}}
            private: {{Inês: [side, palette, ends-blue], Joana: [{wanted.replace(" ", ", ")}]}}
            """
        )
        choices = game_of("porto").words.options(state, 1, asking=True)
        orders.append([choice.move for choice in choices])
    assert orders[0] == orders[1]


def test_equal_cards_are_one_draw_which_each_of_their_spaces_finds() -> None:
    """Alone, where the timer tells the spaces apart; with others there is one draw of them."""
    game = finished("solo-won.yaml")
    turns = (after_turn(game, place) for place in range(1, 13))
    at = next(one for one in turns if len({*one.state.cards}) < len(one.state.cards))
    words = at.game.words
    legal = [one for one in words.options(at.state, None) if one.verb == "draw"]
    offered = [one for one in words.choices(at.state, 0, private=True) if one.verb == "draw"]
    taken = [sorted(one.facts["cards"]) for one in offered if one.facts]
    assert len(taken) == len({tuple(cards) for cards in taken}) < len(legal)
    keys = {one.parts[1].key for one in legal}
    found = [f"{one.parts[1].key} {one.parts[1].also}" for one in offered]
    assert keys == {*" ".join(found).split()}


def _in_the_timer(keep: str) -> Match:
    """Return a solo game after its first turn, in which these private contracts are kept."""
    match = porto_cli.new_game(["Nora"], seed="abc")
    match.play(keep)
    match.play(match.legal_moves()[0])
    return match


def _after(match: Match, move: str) -> Match:
    after = porto_cli.new_game(["Nora"], seed="abc")
    for step in match.steps:
        after.play(*step.moves)
    after.play(move)
    return after


def _private(match: Match) -> dict[str, tuple[int, int]]:
    """Return what each private contract of who plays alone brings now, and at most."""
    (player,) = match.observe(0)["players"]
    return {one["contract"]: (one["vp"], one["most"]) for one in player["private_progress"]}


def _builds_from_hand(state: State, hand: bytes) -> dict[str, int]:
    """Return what a hand allows on a table, and the VP of it."""
    table = state.copy()
    table.phase, table.hands = ACT, (hand,)
    builds = (one for one in moves(table, 0) if one["kind"] == "build")
    return {f"{built_of(one)} on {one['house']}": one["vp"] for one in builds}


def built_of(build: Mapping[str, Any]) -> str:
    return floors(int(build["number_card"][-1]), build["color_card"].partition("-")[0])


def test_what_private_contracts_lose_counts_as_a_cost_of_a_build_for_the_timer() -> None:
    """So that Enter alone, which takes the first, spoils none for little. The rest of the cost is
    the same whatever is kept.
    """

    def costs(keep: str) -> dict[str, tuple[float, int]]:
        match = _in_the_timer(keep)
        before, found = _private(match), {}
        for one in match.game.words.options(match.state, 0, asking=True):
            after = _private(_after(match, one.move))
            lost = sum(max(0, most - after[name][1]) for name, (_, most) in before.items())
            found[one.move] = one.estimate, lost
        return found

    some, others = costs("keep 1 2 3"), costs("keep 3 4 5")
    assert {lost for _, lost in some.values()} != {0}
    for every in (some, others):
        assert [cost for cost, _ in every.values()] == sorted(cost for cost, _ in every.values())
    besides = [
        cost - lost - (others[move][0] - others[move][1]) for move, (cost, lost) in some.items()
    ]
    assert max(besides) - min(besides) < 0.25


def test_a_build_for_the_timer_says_what_it_changes_of_private_contracts() -> None:
    """As the table shows them, 0/4 where they were 0/9; and no estimate."""
    match = _in_the_timer("keep 1 2 3")
    before = _private(match)
    options = match.game.words.options(match.state, 0, asking=True)
    for option in (options[0], options[-1]):
        after = _private(_after(match, option.move))
        said = option.parts[-1].note
        for name, (vp, most) in before.items():
            now = "{}/{}".format(*after[name])
            assert (f"{name} {now}, not {vp}/{most}" in said) == (after[name] != (vp, most))
        assert not re.search(r"worse|less|\d\.\d", said)


def test_a_build_for_the_timer_says_which_of_your_builds_it_takes() -> None:
    """One that was possible and is not anymore; and of a house what goes for all builds there."""
    match, takes = _in_the_timer("keep 1 2 3"), dict[str, str]()
    while not takes:
        options = match.game.words.options(match.state, 0, asking=True)
        for one in options:
            _, where, *_, last = one.parts
            assert all(said in last.note for said in where.note.split(", "))
            if found := re.search(r"prevents your (.*) \(\d+ VP\)", last.note):
                takes[one.move] = found[1]
        hand = match.state.hands[0]
        before = _builds_from_hand(match.state, hand)
        for move, taken in takes.items():
            left, _ = apply(match.state, match.move(move), None)
            assert taken in before
            assert taken not in _builds_from_hand(left, hand)
        for _ in range(2):
            match.play(match.legal_moves()[0])
