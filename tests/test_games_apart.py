"""Two games at one command line: each refuses what belongs to the other, and says whose it is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import porto_cli
from porto_cli.cli import new_game_prompts
from porto_cli.commands import commands_of
from porto_cli.game import GAMES
from porto_cli.ui import ui_of
from tests.porto.asking import BACK, Scripted


@pytest.fixture(autouse=True)
def records(tmp_path: Path) -> None:
    """A record of each game, called like it."""
    for game in GAMES:
        match = porto_cli.new_game(["Inês", "Joana"], game=game, seed="tram", first="Inês")
        match.save(tmp_path / f"{game}.yaml")


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("role porto.yaml settler", "This is a game of Porto, where nobody can role"),
        ("draw puerto-rico.yaml b1", "This is a game of Puerto Rico, where nobody can draw"),
        ("pass porto.yaml --tiles corn", "--tiles is an option of Puerto Rico"),
        ("build puerto-rico.yaml harbor --token L3", "--token is an option of Porto"),
        ("moves puerto-rico.yaml --house L3", "--house is an option of Porto"),
        ("new x.yaml Inês Joana --buildings draft", "--buildings is an option of Puerto Rico"),
        ("new x.yaml Inês Joana --game puerto-rico --timer 28", "--timer is an option of Porto"),
        ("new x.yaml Inês --game puerto-rico", "Puerto Rico has 2 to 5 players, not 1"),
        ("new x.yaml Inês Joana --game go", "There is no game 'go'"),
    ],
)
def test_what_belongs_to_another_game_is_refused(porto: Any, command: str, told: str) -> None:
    result = porto(*command.split())
    assert (result.code, result.out) == (2, "")
    assert told in result.err
    assert not Path("x.yaml").exists()


def test_a_refused_command_names_the_moves_of_the_game(porto: Any) -> None:
    for game, other in (("porto", "role"), ("puerto-rico", "draw")):
        told = porto(other, f"{game}.yaml").err
        assert all(verb in told for verb in GAMES[game].verbs)


@pytest.mark.parametrize("game", GAMES)
def test_every_verb_is_described_and_only_verbs_are(game: str) -> None:
    commands = commands_of(game)
    assert tuple(commands.verbs) == GAMES[game].verbs
    assert commands.example.split()[0] in GAMES[game].verbs
    assert set(commands.rules) == {"players", "table", "first", "secret"}
    assert set(ui_of(game).setup_questions()) == {option.name for option in commands.setup}


def test_who_starts_a_game_is_asked_which(tmp_path: Path) -> None:
    asker = Scripted("Puerto Rico", "2 players", "Ana", "Bo")
    match = new_game_prompts.begin(asker, tmp_path / "new.yaml")
    assert (match.game.meta.id, sorted(match.players)) == ("puerto-rico", ["Ana", "Bo"])
    assert asker.questions[0] == "Which game?"


def test_the_game_can_be_chosen_anew(tmp_path: Path) -> None:
    asker = Scripted("Puerto Rico", BACK, "Porto", "1 player", "Ana")
    match = new_game_prompts.begin(asker, tmp_path / "new.yaml")
    assert (match.game.meta.id, match.players) == ("porto", ("Ana",))
