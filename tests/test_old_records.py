"""Sealed games that were begun with the first program that had them go on today, and signed ones
are refused.

The records in ``old_records`` were written by former programs, as the keys were; the journals are
those of a computer that has not signed anything yet.
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

SIGNED = ("signed-porto.yaml", "signed-puerto-rico.yaml")


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
@pytest.mark.parametrize("name", sorted(path.name for path in OLD.glob("sealed-*.yaml")))
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
def test_a_game_goes_on(at: Play) -> None:
    """With the steps of all in it: each key signs what follows on those of the old program."""
    file = "sealed-running.yaml"
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


# -- Signed games are no longer played


SAYS_WHICH = (
    "This is a signed game, an open game whose turns are signed; porto 0.2.0 is the last "
    "version that can read it."
)


@pytest.mark.parametrize("file", SIGNED)
def test_of_a_signed_game_it_is_said_which_version_reads_it(at: Play, file: str) -> None:
    before = Path(file).read_bytes()
    for command in (
        *("show", "log", "score", "moves", "verify", "hint", "mail"),
        *("undo", "seat", "order", "pass", "join", "reveal", "receive"),
    ):
        done = at("Ana", command, file)
        assert done.code == 3, command
        assert done.err.startswith(f"{file}:9:9: {SAYS_WHICH}\n"), command
        assert Path(file).read_bytes() == before, command


def test_signed_games_are_listed_as_skipped(at: Play) -> None:
    done = at("Ana", "games", *SIGNED, "--format", "json")
    assert done.code == 0
    skipped = json.loads(done.out)["skipped"]
    assert skipped == [{"file": one, "error": f"{one}:9:9: {SAYS_WHICH}"} for one in SIGNED]


def test_a_message_with_a_signed_game_is_kept_for_that_version(at: Play) -> None:
    done = at("Ana", "receive", SIGNED[0])
    assert "a porto that reads its record can receive it again" in done.err


@pytest.mark.parametrize("command", ["verify", "show", "log"])
def test_a_sealed_game_with_orders_is_refused_with_the_version_that_reads_it(
    at: Play, command: str
) -> None:
    """A newer record, which this program cannot read either, has the same exit status."""
    file = Path(shutil.copy(OLD / "given_up" / "sealed-orders.yaml", "."))
    before = file.read_bytes()
    refused = at("Eva", command, file.name)
    assert (refused.code, refused.out) == (3, "")
    assert refused.err == (
        "sealed-orders.yaml:73:3: This is an order in a sealed game. Orders in sealed games were "
        "given up before they were released; only development versions of porto after 0.2.0 read "
        "them. This is in step 10.\n"
    )
    assert file.read_bytes() == before


# -- Open games keep their digests


def test_a_game_with_an_edition_of_its_own_keeps_its_digest(at: Play) -> None:
    """Names of digits are in quotes in what is hashed, and keys that are numbers are not."""
    (found,) = json.loads(at("Eva", "verify", "open-own-edition.yaml", "--format", "json").out)[
        "files"
    ]
    assert found["digest"] == "b6e76f300867f8cf56263d028938c0dfa6ae225fd81edda16b600489ee2b10f2"


def test_an_edition_of_its_own_is_written_as_before(at: Play) -> None:
    head = Path("open-own-edition.yaml").read_text("utf-8").partition("  heights")[2]
    lines = [line.removeprefix("  ") for line in f"  heights{head}".splitlines()]
    edition = lines[: lines.index("artificial: true") + 1]
    Path("box.yaml").write_text("\n".join(['name: "12"', *edition, ""]), "utf-8")
    done = at("Eva", "new", "mine.yaml", "Inês", "7", "--edition", "box.yaml", "-q")
    assert done.code == 0, done.err
    text = Path("mine.yaml").read_text("utf-8")
    assert "\n".join(["edition:", '  name: "12"', *(f"  {line}" for line in edition)]) in text
