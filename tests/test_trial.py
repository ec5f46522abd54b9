"""``porto try``: what moves would bring, as far as it can be known."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from porto_cli.match.match import Match, load
from porto_cli.match.trial import Trial, UncertainMoveError
from porto_cli.next_step import what_next
from porto_cli.user import PLAYER
from tests.conftest import Result
from tests.documents import validated
from tests.puerto_rico.tables import table
from tests.puerto_rico.test_commands import at
from tests.sealed_games import NAMES, SMALL_BOX, moved, mover, seen_by, stations

FILE = "game.yaml"
Play = Callable[..., Result]


@pytest.fixture
def porto_game(porto: Play) -> Path:
    """Ana is to move; face up are green-3, red-2, purple-2, blue-1 and red-3."""
    porto("new", FILE, "Ana", "Rui", "--seed", "tram", "--first", "Ana")
    for name in ("Ana", "Rui"):
        assert porto("keep", FILE, 1, 2, 3, "--as", name).code == 0
    return Path(FILE)


@pytest.fixture
def puerto_rico_game(porto: Play) -> Path:
    """Ana is to take the first role."""
    words = ("--game", "puerto-rico", "--seed", "arecibo", "--first", "Ana")
    assert porto("new", FILE, "Ana", "Rui", "Eva", *words).code == 0
    return Path(FILE)


def tried(porto: Play, *moves: str, player: str = "Ana") -> Any:
    """Return the document of moves that can be tried."""
    result = porto("try", FILE, *moves, "--as", player, "--format", "json")
    assert (result.code, result.err) == (0, "")
    return validated("try", result.out)


def refused(porto: Play, *moves: str, player: str = "Ana") -> str:
    """Return why moves cannot be tried; the commands that are proposed instead can be."""
    result = porto("try", FILE, *moves, "--as", player)
    assert (result.code, result.out) == (1, "")
    proposed = [line for line in result.err.splitlines() if line.startswith("  porto ")]
    assert proposed
    for line in proposed:
        assert porto(*shlex.split(line)[1:]).code == 0
    return result.err


def test_moves_are_shown_with_what_they_bring_and_what_is_unknown(
    porto: Play, porto_game: Path
) -> None:
    before = porto_game.read_bytes()
    result = porto("try", FILE, "draw r2 b1", "Rui: draw purple-2", "--as", "Ana")
    assert (result.code, result.err) == (0, "")
    assert result.out == (
        "This would happen:\n"
        "1  Ana: draw red-2 blue-1\n"
        "   Ana drew red-2 and blue-1. What comes up is unknown: cards (2).\n"
        "2  Rui: draw purple-2\n"
        "   Rui drew purple-2. What comes up is unknown: cards (1).\n"
        "\n"
        'Then it would be Ana\'s turn, for example: "draw green-3"; "draw red-3"; "build\n'
        'red-2 blue-1 L3 token L3"\n'
    )
    assert porto_game.read_bytes() == before
    assert [path.name for path in Path().iterdir()] == [FILE]


def test_the_vp_of_a_build_and_the_contract_that_goes_on_with_it(
    porto: Play, porto_game: Path
) -> None:
    moves = ("draw g3", "Rui: draw b1", "draw r2", "Rui: draw p2", "build r2 g3 L3 token L6")
    found = tried(porto, *moves, "contract green+red")
    assert [one["vp"]["Ana"] for one in found["moves"]] == [0, 0, 0, 0, 3, 5]
    assert [one["unknown"] for one in found["moves"]][-2:] == [{}, {"contracts": 1}]
    assert found["to_move"] == ["Rui"]
    plain = porto("try", FILE, *moves, "contract none", "--plain", "--as", "Ana").out
    assert plain.count("VP: ") == 1
    assert "VP: Ana 3, Rui 0.\n" in plain
    page = porto("try", FILE, *moves, "--format", "html", "--as", "Ana").out
    assert page.startswith("<!DOCTYPE html>")
    assert "Ana: build red-2 green-3 L3 token L6" in page


def test_a_move_that_needs_an_unknown_card_is_refused(porto: Play, porto_game: Path) -> None:
    said = refused(porto, "draw red-2 blue-1", "Rui: draw yellow-1")
    assert "Move 2, 'Rui: draw yellow-1', cannot be tried." in said
    assert "it depends on hidden information, either what is revealed before it" in said


@pytest.mark.long
def test_an_illegal_move_is_refused_like_the_real_one(porto: Play, porto_game: Path) -> None:
    real = porto("draw", FILE, "red-3", "blue-1", "--as", "Ana").err.splitlines()[0]
    said = refused(porto, "draw red-3 blue-1")
    assert said.splitlines()[:2] == ["Move 1, 'draw red-3 blue-1', cannot be tried.", real]
    said = refused(porto, "draw blue-1", "draw red-3")
    assert "P-SETUP-4: It is Rui's turn, not Ana's." in said
    assert 'porto try game.yaml "draw blue-1" "Rui: draw ' in said


@pytest.mark.parametrize(
    ("move", "says"),
    [
        ("fly blue-1", "'fly' is not a move; a move begins with"),
        ("Bob: draw blue-1", "There is no player 'Bob'; the players are Ana, Rui"),
        (":", "There is no player ''; the players are Ana, Rui"),
        ("", "No move was given"),
        ("undo", "Undo is not a move of the rules"),
    ],
)
def test_what_is_no_move(porto: Play, porto_game: Path, move: str, says: str) -> None:
    result = porto("try", FILE, "draw blue-1", move, "--as", "Ana")
    assert (result.code, result.out) == (2, "")
    assert f"Move 2, {move!r}, cannot be tried.\n" in result.err
    assert says in result.err


def test_a_move_without_quotes_is_proposed_with_them(porto: Play, puerto_rico_game: Path) -> None:
    done = porto("try", puerto_rico_game.name, "role", "settler")
    assert done.code == 2
    assert done.err.endswith(f'Try:\n  porto try {puerto_rico_game.name} "role settler"\n')
    assert "role nobody" not in " ".join(
        porto("try", puerto_rico_game.name, "role", "nobody").proposed
    )


def test_a_bystander_tries_the_moves_of_who_is_to_move(
    porto: Play, porto_game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = porto("try", FILE, "draw blue-1", "draw red-3", "Ana: draw green-3")
    assert result.code == 0
    assert "2  Rui: draw red-3\n" in result.out
    monkeypatch.setenv(PLAYER, "Rui")
    assert "Ana's turn, not Rui's" in porto("try", FILE, "draw blue-1").err


@pytest.mark.long
def test_private_contracts_of_others_are_neither_asked_for_nor_used(porto: Play) -> None:
    """Two games that differ in them alone have the same answers."""
    said = []
    for places in ((1, 2, 3), (3, 4, 5)):
        porto("new", FILE, "Ana", "Rui", "--seed", "tram", "--first", "Ana")
        said.append(refused(porto, "keep 1 2 3", "draw red-2", "Rui: keep 1 2 3"))
        assert "Only Rui may know this choice, so it is assumed to be made" in said[-1]
        assert refused(porto, "draw red-2").splitlines()[1].startswith("P-SETUP-5")
        porto("keep", FILE, *places, "--as", "Rui")
        found = tried(porto, "keep 1 2 3", "draw red-2", "Rui: draw red-3")
        said.append(json.dumps(found))
        Path(FILE).unlink()
    assert said[:2] == said[2:]


def test_the_timer_cards_of_a_solo_game_are_unknown(porto: Play) -> None:
    porto("new", FILE, "Ana", "--seed", "tram")
    found = tried(porto, "keep 1 2 3", "draw red-2")
    assert found["moves"][-1]["unknown"] == {"cards": 1, "timer": 2}
    assert found["moves"][-1]["depends"]
    assert (found["to_move"], found["possible"]) == (["Ana"], [])
    said = porto("try", FILE, "keep 1 2 3", "draw red-2", "draw blue-1").err
    assert "it depends on hidden information" in said


@pytest.mark.long
def test_roles_and_plantations(porto: Play, puerto_rico_game: Path) -> None:
    first = load(FILE).observe("Ana")["moves"][0]["move"]
    assert first == "role settler"
    moves = ["role settler", "take quarry", "Rui: pass", "Eva: pass", "Rui: role builder"]
    found = tried(porto, *moves, "Rui: build small-market", "Eva: pass", "pass")
    assert found["moves"][3]["unknown"] == {"tiles": 4}
    assert all(not one["unknown"] for one in found["moves"][4:])
    assert found["vp"] == {"Ana": 0, "Rui": None, "Eva": None}
    assert found["to_move"] == ["Eva"]
    said = refused(porto, *moves, "Rui: build small-market", "Eva: pass", "Ana: pass", "role mayor")
    assert "PR-TURN-1: It is Eva's turn, not Ana's." in said
    later = [*moves, "Rui: pass", "Eva: pass", "pass", "Eva: role mayor", "Eva: place indigo"]
    assert "Move 10, 'Eva: place indigo'" in porto("try", FILE, *later, "--as", "Ana").err


def test_the_tile_of_a_hacienda_is_unknown() -> None:
    """It has a circle, so that the placement of all colonists depends on it."""
    has = {"city": "hacienda", "colonists": "hacienda"}
    state = table(3, "settler", a=has, row="corn 2 sugar 2")
    trial = Trial(at(state).replay, 0)
    face_down = trial.play("take face-down", 0)
    assert (face_down.events, face_down.unknown, face_down.depends) == ((), {"tiles": 1}, False)
    assert trial.play("take corn", 0).unknown == {}
    for seat in (1, 2):
        turned = trial.play("pass", seat)
    assert turned.unknown == {"tiles": 4}
    assert trial.play("role mayor", 1).depends is False
    possible = {text: trial.is_legal(text, 0) for text in trial.listed(0)}
    assert possible["place corn hacienda"]
    assert not all(possible.values())


def test_a_sealed_game_is_tried_with_what_its_player_knows() -> None:
    text = stations(2, edition=SMALL_BOX)[-1]
    first_of_all = " ".join(map(str, what_next(seen_by(text, "Ana").replay, FILE)))
    assert f"porto keep {FILE} 1 2 3 --as Ana" in first_of_all
    for seat, name in enumerate(("Ana", "Rui")):
        keep = partial(Match.play, player=seat)
        text = moved(text, lambda match, keep=keep: keep(match, "keep 1 2 3"), name)
    match = seen_by(text, mover(text))
    seat = match.seat(mover(text))
    other = 1 - seat
    trial = Trial(match.replay, seat)
    text_of = next(trial.listed(seat))
    first = trial.play(text_of, seat)
    assert first.unknown["cards"] >= 1
    possible = next(one for one in trial.listed(other) if trial.is_legal(one, other))
    assert trial.play(possible, other).events
    match.play(text_of, player=seat)
    later = Trial(seen_by(match.record.text, NAMES[seat]).replay, seat)
    assert next(one for one in later.listed(other) if later.is_legal(one, other))
    unknown = [one for one in later.listed(other) if not later.is_legal(one, other)]
    with pytest.raises(UncertainMoveError):
        later.play(unknown[0], other)


def test_words_of_moves_are_completed(complete: Any, porto_game: Path) -> None:
    assert complete("try", FILE, "") == ["draw"]
    assert complete("try", FILE, "'dr") == ["draw"]
    assert complete("try", FILE, "'an") == ["ana: draw"]
    assert complete("try", FILE, "--as", "Rui", "") == ["Ana:\\ draw"]
    assert "draw red-2" in complete("try", FILE, "'draw ")
    known = ["Rui: draw green-3", "Rui: draw purple-2", "Rui: draw red-3"]
    assert complete("try", FILE, "--as", "Ana", "'draw red-2 blue-1'", "'Rui: draw ") == known
    assert complete("try", FILE, "draw nothing", "") == []
    assert complete("try", "nowhere.yaml", "") == []


def test_there_is_a_table_for_each_card_that_can_come_up(porto: Play, porto_game: Path) -> None:
    trial = Trial(load(porto_game).replay, 0)
    deck = trial.replay.state.deck
    trial.play("draw green-3", 0)
    assert {table.cards[0] for table in trial.tables} == set(deck)


def test_there_is_a_table_on_which_another_player_has_no_vp_at_all() -> None:
    state = table(3, a={"vp": 2}, b={"vp": 9}, c={"vp": 8})
    found = [[player.vp for player in one.players] for one in Trial(at(state).replay, 0).tables]
    assert [2, 0, 17] in found
    assert [2, 17, 0] in found
