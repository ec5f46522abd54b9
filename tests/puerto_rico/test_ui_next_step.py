"""What can be done next: the commands that are told can be typed."""

from __future__ import annotations

import re
import shlex

import pytest

from porto_cli.games.puerto_rico.engine.explain import violations
from porto_cli.games.puerto_rico.engine.state import OVER
from porto_cli.games.puerto_rico.notation import expand_move
from porto_cli.games.puerto_rico.ui.next_step import commands, what_next
from tests.puerto_rico.playing import KINDS
from tests.puerto_rico.tables import expansion, table
from tests.puerto_rico.ui_games import game, named

FILE = '"my game.yaml"'
COMMAND = re.compile(r"porto (\w+) (.*)")


def told(text: str) -> list[tuple[str, list[str]]]:
    found = []
    for line in text.split("\n"):
        match = COMMAND.search(line)
        if match:
            verb, rest = match.groups()
            file, *words = shlex.split(rest)
            assert file == "my game.yaml"
            found.append((verb, words))
    return found


@pytest.mark.parametrize("kind", KINDS[::4], ids=str)
def test_every_example_is_a_legal_move(kind) -> None:
    for ply in game(*kind, seed=3)[::3]:
        state = ply.before
        text = what_next(state, FILE)
        assert text.startswith(state.config.players[state.seat])
        moves = [
            " ".join([verb, *words])
            for verb, words in told(text)
            if verb not in ("moves", "score") and "PLACE" not in words
        ]
        assert moves
        for move in moves:
            assert violations(state, expand_move(move, state)) == [], move
        for line in commands(state, FILE):
            ((verb, words),) = told(line)
            assert violations(state, expand_move(" ".join([verb, *words]), state)) == []


def test_after_the_end() -> None:
    state = game(3)[-1].after
    assert state.phase == OVER
    text = what_next(state, FILE)
    assert "wins with" in text
    assert told(text) == [("score", [])]


def test_the_doubloons_on_the_cards_are_named() -> None:
    state = table(3, role_doubloons=(1, 0, 2, 0, 0, 0, 0, 0))
    assert "Doubloons lie on settler 1 and builder 2." in what_next(state, "f.yaml")


def test_a_guest_can_move_first() -> None:
    state = expansion(
        3,
        "trader",
        "guest-house small-market",
        a={"goods": "coffee", "city": "guest-house small-market", "colonists": "guest-house"},
    )
    text = what_next(named(state), "f.yaml")
    assert "porto sell f.yaml coffee" in text
    assert "To move a guest before that, for example: porto guest f.yaml indigo" in text


def test_at_a_real_table_what_comes_up_is_told_with_the_move() -> None:
    state = table(3, "settler", a={"full": "hacienda"})
    assert "--tiles" not in what_next(state, "f.yaml")
    text = what_next(state, "f.yaml", on_a_table=True)
    assert '--tiles "corn 2 sugar"' in text
    assert "--tile corn" in text
    assert "--tile" not in what_next(table(3, "captain", a={"goods": "corn"}), "f.yaml")
