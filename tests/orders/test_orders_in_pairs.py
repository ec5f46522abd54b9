"""Pairs of games that differ only in what Ana has ordered look the same to everybody else.

The record itself, which mails carry, has the orders of all; no command shows those of others.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from email import message_from_string, policy
from pathlib import Path
from typing import NamedTuple

import pytest

import porto_cli
from porto_cli.games.porto import coach as porto_coach
from porto_cli.games.puerto_rico import coach as puerto_rico_coach
from tests.conftest import Result, run_porto
from tests.sealed.test_secrets_in_pairs import CODE, MESSAGE

FILE = "game.yaml"


class Pair(NamedTuple):
    """Two orders for a decision that does not wait, and a game without it."""

    game: str
    orders: tuple[str, str]
    begun: Callable[[porto_cli.Match], None]
    move: str
    """A move of Rui, whose turn it is."""


def the_settler(match: porto_cli.Match) -> None:
    match.play("role settler")
    match.play("take quarry")


def the_first_draw(match: porto_cli.Match) -> None:
    for player in match.players:
        match.play("keep 1 2 3", player=player)
    match.play("draw blue-1")


PAIRS = {
    "puerto-rico": Pair(
        "puerto-rico",
        ("builder small-market", "always captain load corn wharf if Eva plays role captain"),
        the_settler,
        "take corn",
    ),
    "porto": Pair(
        "porto",
        ("act build red-2 blue-1 L3", "contract sensible, else none"),
        the_first_draw,
        "draw green-3",
    ),
}
TOLD = [
    *(("show", FILE, "--format", form) for form in ("text", "json", "svg", "html", "reply")),
    ("show", FILE, "--plain"),
    ("show", FILE, "--turn", "1"),
    ("moves", FILE),
    ("moves", FILE, "--format", "json"),
    ("log", FILE),
    ("log", FILE, "--since", "last"),
    ("log", FILE, "--format", "json"),
    ("log", FILE, "--format", "html"),
    ("score", FILE),
    ("score", FILE, "--format", "json"),
    ("hint", FILE),
    ("verify", FILE),
    ("verify", FILE, "--format", "json"),
    ("games",),
    ("games", "--format", "json"),
    ("order", FILE),
    ("order", FILE, "--format", "json"),
    ("order", FILE, "none", "--dry-run"),
    ("mail", FILE, "--to", "Eva", "--format", "text"),
    ("mail", FILE, "--to", "Rui", "--private", "--format", "eml"),
    ("mail", FILE, "--to", "Eva", "--page", "--format", "eml"),
    ("mail", FILE, "--to", "Eva", "--dry-run"),
    ("undo", FILE, "--dry-run"),
]


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    for coach in (porto_coach, puerto_rico_coach):
        monkeypatch.setattr(coach, "SAMPLES", dict.fromkeys(range(1, 6), 8))


@pytest.fixture(params=PAIRS)
def pair(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Pair, list[Path]]:
    """The folders of the two games of a pair."""
    found = PAIRS[request.param]
    folders = []
    for order in found.orders:
        match = porto_cli.new_game(["Ana", "Rui", "Eva"], game=found.game, seed="tram", first="Ana")
        found.begun(match)
        match.order(order, "Ana")
        folders.append(tmp_path / f"game{len(folders)}")
        folders[-1].mkdir()
        match.save(folders[-1] / FILE)
        os.utime(folders[-1] / FILE, (0, 0))
    return found, folders


def seen(folder: Path, me: str, *words: str) -> tuple[int, str, str]:
    """Return what a command says to somebody, without what follows from the record's bytes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("PORTO_PLAYER", me)
        patch.setenv("COLUMNS", "100")
        result: Result = run_porto(*words)
    assert "Traceback" not in result.err
    return result.code, masked(result.out), masked(result.err)


def masked(out: str) -> str:
    if "MIME-Version:" in out:
        mail = message_from_string(out, policy=policy.default)
        del mail["Date"], mail["Content-Type"]
        out = f"{[*mail.items()]}"
        for part in mail.walk():
            if not part.is_multipart():
                text = part.get_content()
                out += text if isinstance(text, str) else text.decode()
    out = re.sub(r"%[0-9A-F]{2}", "%", out)
    out = re.sub(r"(?m)^[>\s]*- Ana: order .*$", "", out)
    for known in (CODE, MESSAGE, r"\b\d+ bytes", r"(?<![0-9a-f])[0-9a-f]{8,64}(?![0-9a-f])"):
        out = re.sub(known, "…", out)
    return out


@pytest.mark.long_for(
    "puerto-rico-Rui",
    "puerto-rico-Eva",
    "puerto-rico-Zoe",
    "puerto-rico-",
    "porto-Rui",
    "porto-Eva",
    "porto-Zoe",
    "porto-",
)
@pytest.mark.parametrize("me", ["Rui", "Eva", "Zoe", ""])
def test_others_cannot_tell_what_was_ordered(pair: tuple[Pair, list[Path]], me: str) -> None:
    found, (one, other) = pair
    tried = [("try", FILE, found.move), ("try", FILE, f"Rui: {found.move}")]
    for words in [*TOLD, *tried, (*found.move.split()[:1], FILE, *found.move.split()[1:])]:
        assert seen(one, me, *words) == seen(other, me, *words), words


def test_ana_can(pair: tuple[Pair, list[Path]]) -> None:
    """The test above is worth something only where there is a difference."""
    _, (one, other) = pair
    for words in (("order", FILE), ("order", FILE, "--format", "json")):
        assert seen(one, "Ana", *words) != seen(other, "Ana", *words)


@pytest.mark.long
def test_what_ana_makes_for_others_does_not_tell_it(pair: tuple[Pair, list[Path]]) -> None:
    """Pages, pictures and mails are made for others, and so is what she shows as another one."""
    _, (one, other) = pair
    for words in TOLD:
        if words[0] != "order":
            assert seen(one, "Ana", *words) == seen(other, "Ana", *words), words


def test_observations_do_not_tell_it(pair: tuple[Pair, list[Path]]) -> None:
    found, folders = pair
    first, second = (porto_cli.load(folder / FILE) for folder in folders)
    for player in ("Rui", "Eva", None):
        assert first.observe(player) == second.observe(player)
    assert first.preview(found.move) == second.preview(found.move)
