"""The Python interface: what a seat may see, who has to be named, and what pydoc tells."""

from __future__ import annotations

import ast
import doctest
import importlib
import pickle
import pydoc
import random
import runpy
from pathlib import Path
from typing import Any

import pytest

import porto_cli
import porto_cli.games.porto
import porto_cli.games.puerto_rico
from porto_cli import games
from porto_cli.games.porto.engine import EMPTY
from porto_cli.games.porto.engine.state import KEEP
from tests.conftest import ROOT
from tests.shares import for_each, one_in

RECORDS = sorted((ROOT / "records" / "porto").glob("*.yaml"))
FOR_RESEARCH = ("openspiel_search", "pettingzoo_random")
"""Examples that need extras and the interface of research, see tests/research."""
EXAMPLES = sorted(
    path for path in (ROOT / "examples").glob("*.py") if path.stem not in FOR_RESEARCH
)


# --- what a seat may see ----------------------------------------------------------------------


def test_nobody_can_look_behind_the_timer() -> None:
    match = porto_cli.new_game(["Inês"], seed="tram", private_contracts=False)
    seen = match.foresee("draw blue-1")
    assert (seen.phase, seen.to_move, seen.certain) == (None, None, False)
    with pytest.raises(porto_cli.IllegalMoveError) as refused:
        match.foresee("draw blue-1", "pass")
    assert refused.value.rulings[0][0] == "P-SOLO-2"


def test_an_observation_is_what_lies_on_the_table() -> None:
    game = porto_cli.load(RECORDS[-1]).replay
    number = next(n for n, step in enumerate(game.steps) if step.before.turn > 40)
    match = game._replace(state=game.steps[number].before, steps=game.steps[:number])
    state = match.state
    for seat, player in enumerate(match.players):
        seen = match.observe(player)
        assert seen["player"] == seen["players"][seat]["name"] == player
        assert [one["score"] for one in seen["players"]] == list(state.scores)
        assert (seen["phase"], seen["round"]) == (state.phase, state.round)
        assert seen["turns_over"] == seen["last_turn"]["turn"] == state.turn
        assert len([card for card in seen["cards"] if card]) == 5 - state.cards.count(EMPTY)
        assert [one["private"] is not None for one in seen["players"]] == [
            other == player for other in match.players
        ]
        legal = {match.text(move) for move in match.legal_moves(player)}
        assert {option["move"] for option in seen["moves"]} == legal
        assert bool(legal) == (seen["to_move"] == [player])
    nobody = match.observe()
    assert (nobody["player"], nobody["count"], nobody["moves"]) == (None, 0, [])
    assert all(one["private"] is None for one in nobody["players"])


def test_how_much_comes_up_is_known_before_the_move() -> None:
    match = porto_cli.new_game(["Inês", "Joana"], seed="tram", private_contracts=False)
    assert match.pending_draws() == {}
    assert match.pending_draws("draw green-3") == {"cards": 1}
    assert match.pending_draws("draw red-2 blue-1") == {"cards": 2}
    assert match.state.turn == 0


def test_a_player_is_a_name_or_a_seat() -> None:
    match = porto_cli.new_game(["Inês", "Joana"], seed="tram", first="Inês")
    assert match.observe(1) == match.observe("Joana") == match.observe("joana")
    for nobody in (-1, 2, "Zoe", ""):
        with pytest.raises(LookupError):
            match.observe(nobody)


# --- whose secret -----------------------------------------------------------------------------


def test_who_keeps_private_contracts_has_to_be_named() -> None:
    match = porto_cli.new_game(["Ana", "Bob"], seed="tram", first="Ana")
    move = match.legal_moves()[0]
    for keep in ("keep 1 2 3", move):
        for attempt in (match.play, match.preview, match.foresee):
            with pytest.raises(porto_cli.PlayerNotNamedError) as unclear:
                attempt(keep)
            assert unclear.value.exit_code == 2
            assert "Ana, Bob" in str(unclear.value)
    match.play("keep 1 2 3", player="Bob")
    with pytest.raises(porto_cli.PlayerNotNamedError):
        match.play("keep 2 3 4")
    assert match.state.kept[0] == b""
    match.play(move, player=0)
    with pytest.raises(porto_cli.IllegalMoveError):
        match.play("keep 2 3 4")


def test_who_takes_back_a_secret_has_to_be_named() -> None:
    match = porto_cli.new_game(["Ana", "Bob"], seed="tram", first="Ana")
    match.play("keep 1 2 3", player="Ana")
    with pytest.raises(porto_cli.PlayerNotNamedError):
        match.undo()
    with pytest.raises(porto_cli.IllegalMoveError):
        match.undo("Bob")
    assert match.state.kept[0]
    match.undo("Ana")
    assert match.state.kept[0] == b""
    match.play("keep 1 2 3", player="Ana")
    match.play("draw blue-1")
    match.undo()
    assert match.state.turn == 0


def test_who_plays_alone_need_not_be_named() -> None:
    match = porto_cli.new_game(["Ana"], seed="tram")
    match.play("keep 1 2 3")
    match.undo()
    assert match.state.phase == KEEP


# --- what pydoc tells -------------------------------------------------------------------------


@pytest.mark.parametrize("package", [porto_cli, games.porto, games.puerto_rico])
def test_pydoc_shows_the_whole_interface(package) -> None:
    text = pydoc.plain(pydoc.render_doc(package))
    for name in package.__all__:
        thing = getattr(package, name)
        assert name in dir(package)
        if isinstance(thing, type) and thing.__module__.startswith("porto_cli"):
            assert f"    class {name}(" in text or f"    {name} = class" in text, name
        else:
            assert f"    {name}" in text, name
    with pytest.raises(AttributeError, match="no attribute 'Chess'"):
        package.Chess  # noqa: B018


def test_what_belongs_to_a_game_is_in_its_package() -> None:
    assert {"Match", "PortoError", "GAMES", "Violation"} <= set(porto_cli.__all__)
    for package in (games.porto, games.puerto_rico):
        assert {"Move", "Event", "State"} <= set(package.__all__)


def test_every_error_is_exported_and_can_be_pickled() -> None:
    import porto_cli.core
    from porto_cli.core import Violation

    sentence = "No game."
    made: dict[str, Any] = {
        "FileError": (sentence,),
        "InvalidMoveError": (sentence,),
        "AmbiguousMoveError": (sentence,),
        "IllegalMoveError": ([Violation("P-DRAW-1", sentence)],),
        "PlayerNotNamedError": (("Who?",),),
        "NothingTypedError": ("cards", b"\0"),
        "NotInPileError": ("cards", 1, b"\0"),
        "InvalidFileError": (None, sentence),
    }
    exported = {
        name
        for name in porto_cli.__all__
        if isinstance(getattr(porto_cli, name), type)
        and issubclass(getattr(porto_cli, name), porto_cli.PortoError)
    }
    assert exported == {*made, "PortoError"}
    for name, arguments in made.items():
        error = getattr(porto_cli, name)(*arguments)
        again = pickle.loads(pickle.dumps(error))
        assert (type(again), str(again), again.args) == (type(error), str(error), error.args)
    refused = porto_cli.core.RefusedError(
        (Violation("P-DRAW-1", sentence), sentence), ("porto pass x",)
    )
    again = pickle.loads(pickle.dumps(refused))
    assert (again.rulings, again.suggestions) == (refused.rulings, refused.suggestions)


def test_a_state_is_printed_without_what_is_hidden() -> None:
    match = porto_cli.load(ROOT / "records" / "porto" / "two-players.yaml")
    middle = match.replay.steps[40].before
    text = repr(middle)
    assert text.startswith(f"<State round {middle.round}, turn {middle.current_turn}, act ")
    seen = match.replay._replace(state=middle).observe()
    for name, house in seen["houses"].items():
        shown = f"{name} {house['color']} {house['floors']}/{house['height']}" in text
        assert shown == bool(house["floors"])
    for player in seen["players"]:
        hand = " ".join(player["hand"])
        assert f"{player['name']}: {player['score']} VP {hand}".rstrip() in text
    assert " ".join(card or "none" for card in seen["cards"]) in text


MODULES = [
    *(
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for path in sorted((ROOT / "porto_cli").rglob("*.py"))
        if ">>> " in path.read_text("utf-8")
    ),
]


@for_each("name", MODULES)
def test_an_example_in_a_docstring_says_what_happens(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name))
    assert result.attempted
    assert not result.failed


# --- bots -------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_uses_only_the_interface(path: Path) -> None:
    """Whoever has read ``pydoc porto_cli`` can write it, and it looks at nothing hidden."""
    tree = ast.parse(path.read_text("utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            assert {alias.name for alias in node.names} <= {"porto_cli", "sys"}
        elif isinstance(node, ast.ImportFrom) and node.module != "typing":
            package = {"porto_cli": porto_cli, "porto_cli.games.porto": games.porto}[node.module]
            assert {alias.name for alias in node.names} <= set(package.__all__)
        elif isinstance(node, ast.Attribute):
            assert node.attr not in ("state", "replay", "record")
            assert not node.attr.startswith("_")


@pytest.mark.parametrize("players", one_in(4, [1, 2, 3, 4]))
def test_a_fair_bot_plays_any_game_to_its_end(players: int) -> None:
    bot = runpy.run_path(str(ROOT / "examples" / "fair_bot.py"))
    names = ["Fausto", "Fátima", "Filipa", "Frida"][:players]
    match = bot["play_a_game"](names, seed="fair")
    assert match.over
    assert porto_cli.loads(match.record.text).fingerprint == match.fingerprint


@pytest.mark.long
def test_a_bot_of_twenty_lines_beats_who_takes_what_scores_most() -> None:
    bot = runpy.run_path(str(ROOT / "examples" / "twenty_lines.py"))
    assert sum(bot["play"](f"line-{number}") for number in range(4)) >= 3


@pytest.mark.long
def test_a_fair_bot_is_better_than_none() -> None:
    bot = runpy.run_path(str(ROOT / "examples" / "fair_bot.py"))
    rnd = random.Random(1)
    wins = 0
    for number in range(6):
        match = porto_cli.new_game(["Fausto", "Rui"], seed=f"duel-{number}")
        while not match.over:
            player = match.to_move()[0]
            seen = match.observe(player)
            move = bot["choose"](seen) if player == "Fausto" else rnd.choice(seen["moves"])["move"]
            match.play(move, player=player)
        score = {player["name"]: player["score"] for player in match.observe()["players"]}
        wins += score["Fausto"] > score["Rui"]
    assert wins == 6
