"""The games in records/ stay as they are: the same result, the same fingerprint."""

from __future__ import annotations

import random
import re
import shlex
from pathlib import Path

import pytest

import porto_cli
from porto_cli.core.yaml import InvalidFileError
from porto_cli.games.porto.editions import DEFAULT, shipped
from porto_cli.games.porto.engine.play import PASS, legal_moves
from porto_cli.games.porto.engine.scoring import level
from porto_cli.match import record
from porto_cli.match.match import opened
from tests.conftest import ROOT

RECORDS = ROOT / "records"
FILES = sorted(RECORDS.glob("*/*.yaml"))

# file: turns or decisions, scores in turn order, fingerprint
EXPECTED = {
    "porto/first-game": (66, (59, 63, 59), "eed68a12"),
    "porto/forced-pass": (76, (27, 96), "343e6ed6"),
    "porto/four-players-seat-first": (80, (59, 77, 59, 68), "7f9a5a9d"),
    "porto/real-table": (48, (68, 70), "48c71ff6"),
    "porto/solo-lost": (12, (32,), "29732288"),
    "porto/solo-won": (14, (60,), "a1afbb4f"),
    "porto/three-players": (66, (61, 76, 67), "c5984e2a"),
    "porto/two-players": (44, (61, 62), "a714d080"),
    "puerto-rico/two-players": (133, (30, 36), "cea48aa8"),
    "puerto-rico/three-players-guide": (138, (30, 25, 38), "108d2d25"),
    "puerto-rico/four-players-draft": (203, (32, 37, 21, 34), "e275c7b4"),
    "puerto-rico/five-players-random": (269, (43, 50, 56, 33, 35), "842f5374"),
    "puerto-rico/real-table": (160, (47, 42, 48), "72b51228"),
}


def name_of(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


every_record = pytest.mark.parametrize("path", FILES, ids=name_of)


def test_every_record_is_expected() -> None:
    assert {name_of(path) for path in FILES} == set(EXPECTED)


@every_record
def test_a_finished_game_ends_as_it_did(path: Path) -> None:
    match = porto_cli.load(path)
    outcome = match.game.outcome(match.state)
    assert match.over
    assert outcome
    assert (match.state.turn, outcome.scores, match.fingerprint) == EXPECTED[name_of(path)]


def test_the_solo_games_are_won_and_lost() -> None:
    won, lost = (
        level(porto_cli.load(RECORDS / "porto" / f"solo-{end}.yaml").state)
        for end in ("won", "lost")
    )
    assert won != "lost"
    assert lost == "lost"


def test_a_pass_can_be_forced_with_the_default_edition() -> None:
    match = porto_cli.load(RECORDS / "porto" / "forced-pass.yaml")
    assert match.record.config.edition == shipped(DEFAULT)
    (step,) = (step for step in match.replay.steps if step.moves == (PASS,))
    assert legal_moves(step.before) == [PASS]
    assert [len(hand) for hand in step.before.hands] == [49, 1]


def test_every_option_of_puerto_rico_is_played() -> None:
    configs = [porto_cli.load(path).config for path in FILES if "puerto-rico" in path.parts]
    assert {len(config.players) for config in configs} == {2, 3, 4, 5}
    assert {config.buildings for config in configs} == {"base", "draft", "random"}
    assert {config.rulebook for config in configs} == {"printed", "guide"}


BEGUN = {
    "porto/two-players": "Inês Joana --seed ribeira --title 'Friday night'",
    "porto/three-players": "Inês Joana Afonso --seed clerigos --first Joana",
    "porto/four-players-seat-first": "Inês Joana Afonso Rui --seed douro --tie-break seat-first",
    "porto/first-game": "Inês Joana Afonso --seed bolhao --first-game",
    "porto/forced-pass": "Inês Joana --seed foz --first Inês --first-game"
    " --title 'Inês takes every card'",
    "porto/solo-won": "Inês --seed solo-77",
    "porto/solo-lost": "Inês --seed solo-lost --timer 24",
    "porto/real-table": "Joana Inês --secrecy table --first Joana --title 'Sunday with the box'"
    " --tokens L3=1,L4=3,L5=4,L6=2,L7=1,R1=1,R2=3,R3=1,R4=2,R5=1"
    " --cards red-2,yellow-3,blue-1,green-1,green-2"
    " --contracts blue+red,3-yellow-floors,red+red,1-green-floor",
    "puerto-rico/two-players": "Inês Joana --seed arecibo --title 'Sunday, the two of us'",
    "puerto-rico/three-players-guide": "Inês Joana Afonso --seed ponce --first Joana"
    " --rulebook guide",
    "puerto-rico/four-players-draft": "Inês Joana Afonso Rui --seed caguas --buildings draft",
    "puerto-rico/five-players-random": "Inês Joana Afonso Rui Zé --seed humacao --buildings random",
    "puerto-rico/real-table": "Joana Inês Afonso --secrecy table --first Joana"
    " --title 'With the box' --tiles 'corn indigo sugar coffee'",
}
"""The command that began each game, but for its name and file."""
MOVES = {"contract": "contract", "timer-build": "build"}
"""Keys of an item that are moves with commands of their own."""


@pytest.mark.long_for(*(name for name in BEGUN if name != "porto/solo-lost"))
@every_record
def test_its_moves_as_commands_write_the_same_record(porto, path: Path) -> None:
    """Letter for letter, with its remarks and its result."""
    game, file = path.parent.name, path.name
    begun = porto("new", file, *shlex.split(BEGUN[name_of(path)]), "--game", game)
    assert begun.code == 0, begun.err
    played = porto_cli.load(path).record
    for (name, move), *more in (item.entries for item in played.items):
        if name == "result":
            break
        verb, *words = move.split()
        commands = [[verb, file, *words, "--as", name]]
        for key, text in more:
            if key in MOVES:
                commands.append([MOVES[key], file, *text.split()])
            elif played.secrecy == "table":
                commands[-1] += [f"--{key}", text]
        for command in commands:
            done = porto(*command)
            assert done.code == 0, (command, done.err)
    # So earlier versions wrote it.
    expected = re.sub(r"(?<![0-9])1 doubloons", "1 doubloon", path.read_text("utf-8"))
    assert Path(file).read_text("utf-8") == expected


SHORT = ("solo-lost", "two-players")
"""Records of few turns; those of all others are changed in long runs."""


@pytest.mark.long_for(
    *(f"{name_of(path)}-15" for path in FILES if path.stem not in SHORT),
    "puerto-rico/two-players-15",
)
@pytest.mark.parametrize("changes", [15, pytest.param(1000, marks=pytest.mark.slow)])
@every_record
def test_one_changed_character_is_noticed(path: Path, changes: int) -> None:
    """Every change either means nothing (a comment, the title, upper case) or is named."""
    text = path.read_text("utf-8")
    fingerprint = porto_cli.load(path).fingerprint
    chooser = random.Random(path.name)
    places = [i for i, letter in enumerate(text) if letter.isalnum()]
    noticed = 0
    for place in chooser.sample(places, min(changes, len(places))):
        letter = text[place]
        other = chooser.choice([x for x in "0123456789abgLRz" if x != letter])
        changed = text[:place] + other + text[place + 1 :]
        try:
            game = opened(record.load(changed, "game.yaml"))
        except InvalidFileError as error:
            noticed += error.place.line > 0
            continue
        assert game.fingerprint == fingerprint, (
            f"line {text.count(chr(10), 0, place) + 1}: {letter!r} became {other!r}"
        )
    assert noticed > changes / 4


@pytest.mark.parametrize("size", [120, 700, -20])
def test_a_record_that_was_cut_off_is_recognized(tmp_path: Path, size: int) -> None:
    path = tmp_path / "game.yaml"
    whole = (RECORDS / "porto" / "two-players.yaml").read_bytes()
    path.write_bytes(whole[:size])
    with pytest.raises(InvalidFileError, match="may be cut off after line"):
        porto_cli.load(path)
    # With an end of its last line it is a wrong entry; what can be done is the same.
    path.write_bytes(whole[:size] + b"\n")
    with pytest.raises(InvalidFileError) as error:
        porto_cli.load(path)
    told = error.value.sentence
    assert "an earlier copy" in told
