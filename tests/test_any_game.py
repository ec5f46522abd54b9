"""A player of one argument that looks at what every game has plays any game, in any seat."""

from __future__ import annotations

from pathlib import Path

import pytest

import porto_cli
from tests.conftest import ROOT

GAMES = ("porto", "puerto-rico")
PLAYER = ROOT / "examples" / "any_game.py"
every_game = pytest.mark.parametrize("game", GAMES)


@pytest.fixture
def mine(porto, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """The player in the folder of the settings, and settings that name it."""
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    monkeypatch.setenv("PORTO_HOME", str(home))
    (home / "mine.py").write_text(PLAYER.read_text("utf-8"), "utf-8")
    (home / "config.yaml").write_text("players: {mine: mine.py:choose}\n", "utf-8")
    for file in home.iterdir():
        file.chmod(0o600)
    return "mine"


@pytest.mark.long_for("porto")
@every_game
def test_it_plays_whole_games_in_a_simulation(porto, game: str) -> None:
    words = (f"{PLAYER}:choose", "random", "--game", game, "--games", 1, "-j", 1)
    done = porto("simulate", *words, "--rotate", "--seed", "tram")
    assert done.code == 0, done.err
    assert "Games: 2." in done.out


@pytest.mark.long_for("porto")
@every_game
def test_it_holds_a_seat_to_the_end_of_a_game(porto, mine: str, game: str) -> None:
    words = ("--game", game, "--seed", "tram", "--first", "Ana")
    assert porto("new", "x.yaml", "Ana", "--bot", f"Rui {mine}", *words).code == 0
    match = porto_cli.load("x.yaml")
    while not match.over:
        (person,) = match.to_move()
        assert person == "Ana"
        match.play(match.observe(person)["moves"][0]["move"], player=person)
        porto_cli.play_bots(match)
    assert match.record.text.count("\n- Rui: ") > 10
    match.save("x.yaml")
    assert porto("verify", "--bots", "x.yaml").code == 0
