"""Signed and sealed games that were begun with the first program that had them go on today.

The records in ``old_records`` were written by it, as the keys were; the journals are those of a
computer that has not signed anything yet.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import TESTS, Result

OLD = TESTS / "old_records"
Play = Callable[..., Result]

RUNNING = ("sealed-running.yaml", "signed-porto.yaml", "signed-puerto-rico.yaml")


@pytest.fixture
def at(porto, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Play:
    """Run a command in a folder with the records, at the computer of a player."""
    for path in OLD.glob("*.yaml"):
        shutil.copy(path, tmp_path)
    for path in (OLD / "homes").glob("*/key.txt"):
        keys = tmp_path / "homes" / path.parent.name / "keys"
        keys.mkdir(parents=True, mode=0o700)
        Path(shutil.copy(path, keys)).chmod(0o600)

    def run(name: str, *words: str) -> Result:
        monkeypatch.setenv("PORTO_HOME", str(tmp_path / "homes" / name))
        return porto(*words)

    return run


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(path.name for path in OLD.glob("*.yaml")))
def test_it_is_valid_and_can_be_looked_at(at: Play, name: str) -> None:
    for command in ("verify", "show"):
        assert at("Eva", command, name).code == 0


@pytest.mark.long
def test_a_set_up_goes_on(at: Play) -> None:
    file = "sealed-joining.yaml"
    for name in ("Rui", "Bea", "Ana", "Rui"):
        done = at(name, "join", file, "--as", name)
        assert done.code == 0, done.err
    assert "the game can begin" in done.out
    for name in ("Ana", "Rui", "Bea"):
        assert at(name, "keep", file, "1", "2", "3").code == 0
    assert at("Eva", "verify", file).code == 0


@pytest.mark.long
@pytest.mark.parametrize("file", [pytest.param(RUNNING[0], marks=pytest.mark.long), *RUNNING[1:]])
def test_a_game_goes_on(at: Play, file: str) -> None:
    """With the steps of all in it: each key signs what follows on those of the old program."""
    before = Path(file).read_text("utf-8")
    for _ in range(4):
        name = json.loads(at("Eva", "show", file, "--format", "json").out)["to_move"][0]
        result = json.loads(at(name, "moves", file, "--format", "json").out)
        verb, *words = result["moves"][0]["move"].split()
        done = at(name, verb, file, *words, "--as", name)
        assert done.code == 0, done.err
    human, machine = before.split("\nseals: |\n")
    after = Path(file).read_text("utf-8")
    assert after.startswith(human)
    assert machine in after
    assert at("Eva", "verify", file).code == 0


@pytest.mark.long
def test_a_game_comes_to_its_end(at: Play) -> None:
    file = "sealed-revealing.yaml"
    name = json.loads(at("Eva", "show", file, "--format", "json").out)["to_move"][0]
    assert at(name, "reveal", file).code == 0
    assert "finished after" in at("Eva", "verify", file).out
