"""The games in records/puerto-rico are replayed for ever: the same result, the same fingerprint."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import porto_cli
from porto_cli.core.yaml import InvalidFileError
from porto_cli.match import record, replay
from tests.conftest import ROOT
from tests.puerto_rico import play_records

FOLDER = ROOT / "records" / "puerto-rico"
RECORDS = sorted(FOLDER.glob("*.yaml"))

# file: decisions, VP in turn order, fingerprint
EXPECTED = {
    "two-players.yaml": (133, (30, 36), "cea48aa8"),
    "three-players-guide.yaml": (138, (30, 25, 38), "108d2d25"),
    "four-players-draft.yaml": (203, (32, 37, 21, 34), "e275c7b4"),
    "five-players-random.yaml": (269, (43, 50, 56, 33, 35), "842f5374"),
    "real-table.yaml": (160, (47, 42, 48), "72b51228"),
}


def test_every_record_is_expected() -> None:
    assert [path.name for path in RECORDS] == sorted(EXPECTED)


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.name)
def test_a_finished_game_ends_as_it_did(path: Path) -> None:
    match = porto_cli.load(path)
    outcome = match.game.outcome(match.state)
    assert outcome
    assert (match.state.turn, outcome.scores, match.fingerprint) == EXPECTED[path.name]


def test_every_option_is_played() -> None:
    configs = [porto_cli.load(path).config for path in RECORDS]
    assert {len(config.players) for config in configs} == {2, 3, 4, 5}
    assert {config.buildings for config in configs} == {"base", "draft", "random"}
    assert {config.rulebook for config in configs} == {"printed", "guide"}


@pytest.mark.slow
def test_the_script_still_plays_the_same_games(tmp_path: Path) -> None:
    play_records.main(tmp_path)
    for path in RECORDS:
        assert (tmp_path / path.name).read_text("utf-8") == path.read_text("utf-8")


@pytest.mark.slow
def test_the_script_still_plays_the_same_short_game(tmp_path: Path) -> None:
    play_records.play("two-players.yaml", tmp_path)
    expected = (FOLDER / "two-players.yaml").read_text("utf-8")
    assert (tmp_path / "two-players.yaml").read_text("utf-8") == expected


@pytest.mark.parametrize("changes", [10, pytest.param(500, marks=pytest.mark.slow)])
@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.name)
def test_one_changed_character_is_noticed(path: Path, changes: int) -> None:
    """Every change either means nothing (a comment, the title, upper case) or is named."""
    text = path.read_text("utf-8")
    fingerprint = porto_cli.load(path).fingerprint
    chooser = random.Random(path.name)
    places = [i for i, letter in enumerate(text) if letter.isalnum()]
    noticed = 0
    for place in chooser.sample(places, changes):
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
    assert noticed > changes / 4
