"""The comparison of two versions notices what it is there for, and leaves out what is meant."""

from __future__ import annotations

import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.same import before
from tests.same.__main__ import main

pytestmark = pytest.mark.outside

if sys.platform == "win32":
    pytest.skip("The versions here are scripts of a shell.", allow_module_level=True)

PORTO = """#!/bin/sh
[ -n "$_PORTO_COMPLETE" ] && { printf 'green-2\\nred-2\\n'; exit; }
case "$*" in
    *json*) echo '{"porto": 1, "players": [{"name": "Joana"}], "deck": 34}' ;;
    show* | log* | moves* | score* | mail*) echo "Joana: 34 cards, see P-DRAW-1." ;;
    *) printf 'A card is missing.\\nTry:\\n  porto show g.yaml\\n' >&2; exit 2 ;;
esac
"""
"""A program of which the comparison sees as much as it needs here."""


def compared(folder: Path, new: str, only: str, gone: str = "") -> int:
    """Compare the program above with another one; return the exit status."""
    (folder / "gone.txt").write_text(gone, "utf-8")
    for name, text in (("old", PORTO), ("new", new)):
        (folder / name).write_text(text, "utf-8")
        (folder / name).chmod(stat.S_IRWXU)
    options = ["--seconds", "0", "--only", only, "--gone", str(folder / "gone.txt")]
    options += ["--old", str(folder / "old"), "--new", str(folder / "new")]
    return main([*options, "--examples", str(folder / "examples"), "-j", "1"])


@pytest.mark.parametrize("kind", ["tab", "words", "advice"])
def test_a_version_is_like_itself(tmp_path: Path, kind: str) -> None:
    assert compared(tmp_path, PORTO, kind) == 0


@pytest.mark.parametrize(
    ("kind", "was", "now", "says"),
    [
        ("tab", "red-2", "red-3", "red-2 is missing"),
        ("tab", "red-2", "red-2\\nred-3", "red-3 is offered"),
        ("words", "Joana:", "Somebody:", "no more: ['joana']"),
        ("words", "34 cards", "many cards", "no more: ['34']"),
        ("words", "P-DRAW-1", "the rules", "no more: ['P-DRAW-1']"),
        ("advice", "porto show g.yaml", "look at it", "no command is suggested anymore"),
        ("advice", "porto show g.yaml", "porto look g.yaml", "the suggested look ends with 2"),
    ],
)
def test_what_is_lost_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str, was: str, now: str, says: str
) -> None:
    assert compared(tmp_path, PORTO.replace(was, now), kind) == 1
    assert says in capsys.readouterr().out


def test_what_is_meant_is_left_out(tmp_path: Path) -> None:
    """By the title of a difference, or by the words of a command."""
    lost = PORTO.replace("34 cards", "many cards")
    assert compared(tmp_path, lost, "words", "^words: .*deck") == 0
    assert compared(tmp_path, lost, "words", "^(show|log|moves|score|mail) ") == 0
    assert compared(tmp_path, lost, "words", "^words: .*roofs") == 1


def test_without_the_history_nothing_is_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    (tmp_path / "BEFORE").write_text("0" * 40 + "\n", "utf-8")
    monkeypatch.setattr(before, "BEFORE", tmp_path / "BEFORE")
    assert main(["--seconds", "0", "--only", "records"]) == 77
    assert "Not run" in capsys.readouterr().out


def test_the_version_before_is_in_the_history() -> None:
    """Unless the history is short, as in a copy made by a server that runs tests."""
    commit = before.BEFORE.read_text("utf-8").strip()
    if not shutil.which("git"):
        pytest.skip("git is not here.")
    asked = ("git", "-C", str(ROOT), "rev-parse", "--is-shallow-repository")
    known = subprocess.run(asked, capture_output=True, text=True)
    if known.stdout.strip() != "false":
        pytest.skip("The history is not here.")
    found = ("git", "-C", str(ROOT), "cat-file", "-t", commit)
    assert subprocess.run(found, capture_output=True, text=True).stdout.strip() == "commit"
