"""Pairs of games that differ only in what somebody may not know look the same to them.

The games of a pair are set up with the same keys, and everybody says and sees the same in them. In
one of them another hand lies where only Ana can look, or she has kept other contracts of it, or
something else is about to come up for her. What the program writes for anybody else must not
depend on that, at the computers of the others nor at hers.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
from collections.abc import Callable
from email import message_from_string, policy
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from porto_cli.games.porto import coach
from porto_cli.match.record import divide
from porto_cli.sealed import GameSecrets
from tests.conftest import Result, run_porto
from tests.randomness import seeded_by

pytestmark = pytest.mark.long

NAMES = ("Ana", "Rui", "Bea")
STAGES = ("kept.yaml", "drawn.yaml", "revealing.yaml")
"""After all have kept; when it is Ana's turn, who alone sees what has come up; when the last turn
is over, and everybody but Ana has revealed.
"""

real_permutation, real_release = GameSecrets.permutation, GameSecrets.release


class Kind(NamedTuple):
    """What is hidden in a game."""

    hand: tuple[int, ...] = (0, 1, 2, 3, 4)
    """From which places of the pile, as it was shuffled, Ana gets her hand."""
    keeps: tuple[str, ...] = ("1", "2", "5")
    """What Ana keeps of it."""
    is_lucky: bool = False
    """Whether something else comes up for Ana than what she is going to release."""


FIRST = Kind()
OTHERS = {
    "another hand": Kind(hand=(20, 21, 22, 23, 24)),
    "other contracts kept": Kind(keeps=("2", "3", "4")),
    "something else comes up": Kind(is_lucky=True),
}


class Games(NamedTuple):
    """The games of a kind at their stages, in a folder with the homes of all."""

    folder: Path
    kind: Kind

    def at(self, name: str, *words: str, me: str | None = None) -> Result:
        """Run a command at the computer of somebody."""
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(self.folder)
            patch.setenv("PORTO_HOME", str(self.folder / "homes" / name))
            patch.setenv("PORTO_PLAYER", name if me is None else me)
            patch.setattr(GameSecrets, "permutation", exchanging(self.kind.hand))
            return run_porto(*words)


def exchanging(hand: tuple[int, ...]) -> Callable[[GameSecrets, int], bytes]:
    """Return a shuffle in which who shuffles last exchanges what Ana gets."""

    def permutation(secrets: GameSecrets, count: int) -> bytes:
        order = bytearray(real_permutation(secrets, count))
        if secrets.seat == len(NAMES) - 1:
            for nth, place in enumerate(hand):
                order[nth], order[place] = order[place], order[nth]
        return bytes(order)

    return permutation


def another_release(secrets: GameSecrets, nth: int) -> bytes:
    """Return what no player can tell from what will really be released, nor foresee."""
    return bytes(reversed(real_release(secrets, nth)))


def played(folder: Path, kind: Kind) -> Games:
    """Play a game of a kind to its end; everybody moves alike in all of them."""
    games, rnd = Games(folder, kind), random.Random("pairs")
    folder.mkdir()
    file = str(folder / "game.yaml")
    with seeded_by("pairs"):
        done(games, "Ana", "new", "game.yaml", *NAMES, "--secrecy", "sealed", "--first", "Ana")
        for name in ("Rui", "Bea", "Ana", "Rui"):
            done(games, name, "join", "game.yaml", "--as", name)
    for name in NAMES:
        keeps = kind.keeps if name == "Ana" else FIRST.keeps
        done(games, name, "keep", "game.yaml", *keeps)
    shutil.copy(file, folder / STAGES[0])
    while (now := table(games))["phase"] != "keep":
        name = now["to_move"][0]
        if name == "Ana" and None in now["cards"] and not (folder / STAGES[1]).exists():
            shutil.copy(file, folder / STAGES[1])
        result = json.loads(done(games, name, "moves", "game.yaml", "--format", "json").out)
        others = [one["move"] for one in result["moves"] if one["kind"] != "draw"]
        verb, *words = rnd.choice(others or [one["move"] for one in result["moves"]]).split()
        done(games, name, verb, "game.yaml", *words)
    done(games, "Rui", "reveal", "game.yaml")
    shutil.copy(file, folder / STAGES[2])
    for stage in STAGES:
        os.utime(folder / stage, (0, 0))
    return games


def done(games: Games, name: str, *words: str) -> Result:
    result = games.at(name, *words)
    assert result.code == 0, (words, result)
    return result


def table(games: Games) -> dict[str, Any]:
    return json.loads(done(games, "Eva", "show", "game.yaml", "--format", "json").out)


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Games:
    return played(tmp_path_factory.mktemp("first") / "games", FIRST)


@pytest.fixture(scope="module", params=OTHERS)
def other(
    request: pytest.FixtureRequest, first: Games, tmp_path_factory: pytest.TempPathFactory
) -> Games:
    kind = OTHERS[request.param]
    if kind.is_lucky:
        return first._replace(kind=kind)
    return played(tmp_path_factory.mktemp("other") / "games", kind)


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coach, "SAMPLES", dict.fromkeys(range(1, 5), 8))
    monkeypatch.setenv("COLUMNS", "100")


TOLD_TO = [
    *(("show", "FILE", "--format", form) for form in ("text", "json", "svg", "html")),
    ("show", "FILE", "--plain"),
    ("show", "FILE", "--turn", "3"),
    ("moves", "FILE"),
    ("moves", "FILE", "--format", "json"),
    ("log", "FILE", "--since", "last"),
    ("score", "FILE"),
    ("score", "FILE", "--format", "json"),
    ("score", "FILE", "--plain"),
    ("hint", "FILE"),
    ("hint", "FILE", "--format", "json"),
]
"""What tells something to a player."""
PASSED_ON = [
    ("show", "FILE", "--format", "svg"),
    ("show", "FILE", "--format", "html"),
    ("log", "FILE", "--format", "json"),
    ("log", "FILE", "--format", "html"),
    ("verify", "FILE"),
    ("verify", "FILE", "--format", "json"),
    ("games", "FILE"),
    ("games", "FILE", "--format", "json"),
]
"""What is for everybody."""
TRIED = [
    ("keep", "FILE", "1", "2", "3"),
    ("draw", "FILE", "blue-3", "--dry-run"),
    ("draw", "FILE", "green-1", "red-1", "yellow-1", "blue-1", "purple-1"),
    ("build", "FILE", "blue-1", "green-1", "L3", "--dry-run"),
    ("contract", "FILE", "none"),
    ("pass", "FILE"),
    ("undo", "FILE", "--dry-run"),
    ("reveal", "FILE", "--without", "Eva"),
]
"""What others than Ana cannot do."""
MAILS = [
    ("mail", "FILE", *words)
    for words in (
        ("--to", "Rui", "--format", "text"),
        ("--to", "Rui", "--private", "--format", "text"),
        ("--to", "eva@example.org", "--format", "text"),
        ("--to", "Rui", "--cc", "--format", "eml"),
        ("--to", "Rui", "--private", "--format", "eml"),
        ("--to", "Bea", "--page", "--format", "eml"),
        ("--to", "Rui", "--dry-run"),
    )
]
"""What is written to others than Ana."""

every_stage = pytest.mark.parametrize("stage", STAGES)


def compare(
    first: Games, other: Games, stage: str, name: str, commands: list[tuple[str, ...]], me: str
) -> None:
    """Demand that commands do the same in both games, at the computer of somebody."""
    for words in commands:
        typed = [stage if word == "FILE" else word for word in words]
        seen = first.at(name, *typed, me=me)
        with pytest.MonkeyPatch.context() as patch:
            if other.kind.is_lucky:
                patch.setattr(GameSecrets, "release", another_release)
            same = other.at(name, *typed, me=me)
        assert "Traceback" not in seen.err
        assert answer(same) == answer(seen), (name, typed)


CODE = r"\b\d{3}( \d{3}){4}\b"
MESSAGE = r"<[0-9a-f]{12}\.[0-9a-f]{24}(\.[0-9a-f]{8})?@"
SIZE = r"\(application/yaml, \d+ bytes\)"


def answer(result: Result) -> tuple[int, str, str]:
    """Return what a command did, without what follows from signatures and commitments."""
    out = result.out
    if out.startswith(("From:", "Subject:", "To:", "MIME-Version:")) and "MIME" in out:
        mail = message_from_string(out, policy=policy.default)
        del mail["Date"], mail["Content-Type"]
        out = f"{[*mail.items()]}"
        for part in mail.walk():
            if not part.is_multipart():
                text = part.get_content()
                text = text if isinstance(text, str) else text.decode()
                out += divide(text)[0] if part.get_content_type() == "application/yaml" else text
    for known in (CODE, MESSAGE, SIZE):
        out = re.sub(known, "…", out)
    return result.code, out, result.err


@every_stage
def test_others_cannot_tell_the_games_apart(first: Games, other: Games, stage: str) -> None:
    for name, me in (("Rui", "Rui"), ("Eva", "")):
        compare(first, other, stage, name, [*TOLD_TO, *PASSED_ON, *TRIED, *MAILS], me)
    for_ana = [(*words, "--as", "Ana") for words in [*TOLD_TO, *TRIED]]
    compare(first, other, stage, "Rui", for_ana, "")


@every_stage
def test_what_ana_makes_for_others_does_not_tell_the_games_apart(
    first: Games, other: Games, stage: str
) -> None:
    compare(first, other, stage, "Ana", [*PASSED_ON, *MAILS], "")
    compare(first, other, stage, "Ana", [*PASSED_ON[2:], *MAILS], "Ana")
    compare(first, other, stage, "Ana", [(*words, "--as", "Rui") for words in TOLD_TO], "Ana")


def test_analyses_do_not_tell_the_games_apart(first: Games, other: Games) -> None:
    stage = STAGES[1]
    few = ("--samples", "4")
    words = ("analyze", "FILE", *few, "--all", "-j", "1")
    page = ("log", "FILE", "--format", "html", "--analyze", *few)
    compare(first, other, stage, "Rui", [words, page], "Rui")
    compare(first, other, stage, "Ana", [(*words, "--as", "Rui"), page], "Ana")


def test_ana_herself_can(first: Games, other: Games) -> None:
    """The tests above are worth something only where there is a difference."""
    stage = STAGES[2 if other.kind.keeps != FIRST.keeps else 1]
    with pytest.raises(AssertionError):
        compare(first, other, stage, "Ana", [("show", "FILE"), ("moves", "FILE")], "Ana")


def test_a_dry_run_takes_back_no_more_than_an_undo(first: Games) -> None:
    for more in ((), ("--dry-run",)):
        result = first.at("Rui", "undo", "revealing.yaml", *more)
        assert result.code == 1
        assert "What was revealed, or ends a game, cannot be taken back." in result.err
