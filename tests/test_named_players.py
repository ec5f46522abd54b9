"""Players by what people write: levels, numbers behind a colon, and code of their own."""

from __future__ import annotations

import pickle
import sys
from pathlib import Path
from random import Random

import pytest

from porto_cli.core import FileError
from porto_cli.games import GAMES, game_of
from porto_cli.players import choose
from porto_cli.players.named import (
    UnknownPlayerError,
    WrittenPlayerError,
    is_written,
    player_named,
    players_of,
)
from tests.conftest import ROOT
from tests.shares import for_each


@pytest.mark.parametrize("game", GAMES)
def test_every_player_of_a_game_is_called_as_it_is(game: str) -> None:
    for name, player in players_of(game).items():
        assert player_named(name, game) == (name, player, None)
        assert player_named(name.upper(), game).name == name


@pytest.mark.long_for("puerto-rico")
@pytest.mark.parametrize("game", GAMES)
def test_every_number_of_a_player_is_one_of_its_function(game: str) -> None:
    config = game_of(game).new_config(["Ana", "Rui"])
    state = game_of(game).initial_state(config, game_of(game).deal(config, lambda *_: 0))
    for name, one in game_of(game).players.parameters.items():
        player = player_named(f"{name}:{one.name}={one.least}", game).player
        move = choose(player, game_of(game), state, state.seat, Random(1))
        assert not game_of(game).violations(state, move, state.seat)


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("4", "level-4"),
        ("5:100", "level-5:100"),
        ("Level-5:0100", "level-5:100"),
        ("level-5:Simulations=100", "level-5:100"),
    ],
)
def test_a_player_has_one_name_however_it_is_written(word: str, name: str) -> None:
    assert player_named(word, "porto").name == name


def test_levels_of_puerto_rico_take_a_number_of_simulations() -> None:
    assert player_named("5:24", "puerto-rico").name == "level-5:24"


def test_a_number_is_given_to_the_function_and_goes_to_other_processes() -> None:
    player = player_named("level-5:30", "porto").player
    assert player.keywords == {"simulations": 30}  # type: ignore[attr-defined]
    assert pickle.loads(pickle.dumps(player)).keywords == {"simulations": 30}


@for_each(
    ("word", "said"),
    [
        ("clever", "there are random, greedy, level-1, level-2"),
        ("", "there are random"),
        ("6", "there are random"),
        ("level-4:100", "level-4 takes no number"),
        ("random:choose", "random takes no number"),
        ("level-5:", "whole number from 1 to 1000000"),
        ("level-5:0", "whole number from 1 to 1000000"),
        ("level-5:1_0", "whole number from 1 to 1000000"),
        ("level-5:²", "whole number from 1 to 1000000"),
        ("level-5:-3", "whole number from 1 to 1000000"),
        ("level-5:" + 5000 * "9", "whole number from 1 to 1000000"),
        ("level-5:many", "whole number from 1 to 1000000"),
        ("level-5:depth=3", "simulations is a whole number from 1 to 1000000, like level-5:1"),
        ("level-5:100,100", "whole number from 1 to 1000000"),
    ],
)
def test_what_names_no_player_is_refused_with_what_would(word: str, said: str) -> None:
    with pytest.raises(UnknownPlayerError) as refused:
        player_named(word, "porto")
    assert said in str(refused.value)
    assert refused.value.exit_code == 2


# -- Code of the user

PLAYER = """
from helper import LAST

def choose(seen):
    return seen["moves"][LAST]["move"]

def whole(view, moves, rng, *, deep=False):
    return moves[0]

def lost(view, moves, rng):
    return None

def cheat(view, moves, rng):
    if view.table.phase == "act":
        from porto_cli.games.porto import Draw
        return Draw((0, 1, 2, 3, 4))
    return moves[0]

def broken(seen):
    return 1 / 0

def two(view, moves):
    return moves[0]

number = 3
"""


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of players, with another one beside it. Every test has its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    helper = f"helper_{tmp_path.name}"
    Path(f"{helper}.py").write_text("LAST = -1\n", "utf-8")
    Path("mine.py").write_text(PLAYER.replace("helper", helper), "utf-8")
    return tmp_path


def opening() -> tuple:
    game = game_of("porto")
    config = game.new_config(["Ana", "Rui"], private_contracts=False)
    return game, game.initial_state(config, game.deal(config, lambda *_: 0))


@pytest.mark.parametrize(("function", "place"), [("choose", -1), ("whole", 0)])
def test_a_function_of_a_file_plays(mine: Path, function: str, place: int) -> None:
    game, state = opening()
    named = player_named(f"mine.py:{function}", "porto")
    assert named.name == f"mine.py:{function}"
    move = choose(named.player, game, state, state.seat, Random(1))
    wanted = game.observe(state, state.seat)["moves"][-1]["move"]
    moves = game.legal_moves(state, state.seat)
    assert move == (moves[0] if place == 0 else game.parse_move(wanted, state, state.seat))
    again = pickle.loads(pickle.dumps(named.player))
    assert choose(again, game, state, state.seat, Random(1)) == move


def test_the_example_of_twenty_lines_can_be_named() -> None:
    game, state = opening()
    named = player_named(f"{ROOT / 'examples' / 'twenty_lines.py'}:choose", "porto")
    assert not game.violations(
        state, choose(named.player, game, state, state.seat, Random(1)), state.seat
    )


def test_a_function_of_a_module_plays() -> None:
    named = player_named("porto_cli.players:random_player", "porto")
    assert named.name == "porto_cli.players:random_player"
    assert named.digest


def test_the_digest_changes_with_the_code(mine: Path) -> None:
    before = player_named("mine.py:whole", "porto").digest
    assert player_named("mine.py:choose", "porto").digest == before
    with Path("mine.py").open("a", encoding="utf-8") as file:
        file.write("# another one\n")
    assert player_named("mine.py:whole", "porto").digest != before


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("mine.py:nobody", "has no function nobody"),
        ("mine.py:number", "has no function number"),
        ("mine.py:two", "takes 2 arguments"),
        ("nowhere:choose", "mine.py:choose"),
        ("syntax.py:choose", "line 2"),
        ("fails.py:choose", "failed in line 2: KeyError: 'x'"),
        ("exits.py:choose", "failed in line 2"),
    ],
)
def test_code_that_is_no_player_says_why(mine: Path, word: str, said: str) -> None:
    Path("syntax.py").write_text("def choose(seen):\nreturn 1\n", "utf-8")
    Path("fails.py").write_text("\n{}['x']\n", "utf-8")
    Path("exits.py").write_text("\nraise SystemExit\n", "utf-8")
    with pytest.raises(WrittenPlayerError) as refused:
        player_named(word, "porto")
    assert said in str(refused.value)
    assert refused.value.exit_code == 3
    assert str(pickle.loads(pickle.dumps(refused.value))) == str(refused.value)


def test_a_missing_file(mine: Path) -> None:
    with pytest.raises(FileError, match=r"other\.py"):
        player_named("other.py:choose", "porto")


@pytest.mark.parametrize(
    ("function", "said"),
    [
        ("lost", "has failed"),
        ("cheat", "illegal move: "),
        ("broken", "failed in line 20: ZeroDivisionError"),
    ],
)
def test_a_player_that_makes_no_move_says_why(mine: Path, function: str, said: str) -> None:
    game, state = opening()
    player = player_named(f"mine.py:{function}", "porto").player
    with pytest.raises(WrittenPlayerError) as failed:
        choose(player, game, state, state.seat, Random(1))
    assert said in str(failed.value)


@for_each(
    ("word", "is_code"),
    [
        ("mine.py:choose", True),
        ("C:\\games\\mine.py:choose", True),
        ("clever.players:best", True),
        ("level-5:100", False),
        ("5:many", False),
        ("greedy:choose", False),
        ("mine.py", False),
        (":choose", False),
        ("mine.py:\x1b", False),
        ("mine\n.py:choose", False),
    ],
)
def test_only_what_looks_like_code_is_run(word: str, is_code: bool) -> None:
    assert is_written(word, "porto") == is_code
