"""The games in records/ are replayed for ever: the same result, the same fingerprint."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import porto_cli
from porto_cli.core.yaml import InvalidFileError
from porto_cli.games.porto.editions import DEFAULT, shipped
from porto_cli.games.porto.engine.generate import legal_moves
from porto_cli.games.porto.engine.moves import PASS
from porto_cli.games.porto.engine.ranking import level
from porto_cli.match import record, replay
from tests.conftest import ROOT
from tests.porto import play_records

RECORDS = sorted((ROOT / "records" / "porto").glob("*.yaml"))

# file: turns, scores in turn order, fingerprint
EXPECTED = {
    "first-game.yaml": (66, (59, 63, 59), "eed68a12"),
    "forced-pass.yaml": (76, (27, 96), "343e6ed6"),
    "four-players-seat-first.yaml": (80, (59, 77, 59, 68), "7f9a5a9d"),
    "real-table.yaml": (48, (68, 70), "48c71ff6"),
    "solo-lost.yaml": (12, (32,), "29732288"),
    "solo-won.yaml": (14, (60,), "a1afbb4f"),
    "three-players.yaml": (66, (61, 76, 67), "c5984e2a"),
    "two-players.yaml": (44, (61, 62), "a714d080"),
}


def test_every_record_is_expected() -> None:
    assert [path.name for path in RECORDS] == sorted(EXPECTED)


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.name)
def test_a_finished_game_ends_as_it_did(path: Path) -> None:
    match = porto_cli.load(path)
    assert match.over
    assert (match.state.turn, match.state.scores, match.fingerprint) == EXPECTED[path.name]


def test_the_solo_games_are_won_and_lost() -> None:
    levels = {
        name: level(porto_cli.load(ROOT / "records" / "porto" / name).state)
        for name in ("solo-won.yaml", "solo-lost.yaml")
    }
    assert levels["solo-won.yaml"] != "lost"
    assert levels["solo-lost.yaml"] == "lost"


def test_a_pass_can_be_forced_with_the_default_edition() -> None:
    match = porto_cli.load(ROOT / "records" / "porto" / "forced-pass.yaml")
    assert match.record.config.edition == shipped(DEFAULT)
    (step,) = (step for step in match.replay.steps if step.moves == (PASS,))
    assert legal_moves(step.before) == [PASS]
    assert [len(hand) for hand in step.before.hands] == [49, 1]


@pytest.mark.slow
def test_the_script_still_plays_the_same_games(tmp_path: Path) -> None:
    play_records.main(tmp_path)
    for path in RECORDS:
        assert (tmp_path / path.name).read_text("utf-8") == path.read_text("utf-8")


def test_the_script_still_plays_the_same_short_games(tmp_path: Path) -> None:
    """One with a seed and one with the real box; long hunts play all."""
    name = "solo-lost.yaml"
    play_records.play_open(tmp_path / name, play_records.GAMES[name])
    play_records.play_table(tmp_path / "real-table.yaml")
    for path in tmp_path.iterdir():
        expected = ROOT / "records" / "porto" / path.name
        assert path.read_text("utf-8") == expected.read_text("utf-8")


@pytest.mark.parametrize("changes", [20, pytest.param(1000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.name)
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
            game = replay.replay(record.load(changed, "game.yaml"))
        except InvalidFileError as error:
            noticed += error.place.line > 0
            continue
        assert game.fingerprint == fingerprint, (
            f"line {text.count(chr(10), 0, place) + 1}: {letter!r} became {other!r}"
        )
    assert noticed > changes / 2
