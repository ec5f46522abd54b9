"""Setups of sealed games whose records people or mail programs reformatted, and their terms."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from porto_cli.core.yaml import scalar
from porto_cli.games.porto.editions import edition_lines, shipped
from porto_cli.match.match import loads
from porto_cli.match.record import divide
from tests.conftest import Result
from tests.documents import validated
from tests.sealed_games import BYSTANDER, FILE, moved, played, set_up

pytestmark = pytest.mark.long

ODD = ("Ana #1", "Rui: R", '[Bea] "B"', "Éva's  {x}")
PLAIN = ("Ana", "Rui", "Bea", "Eva")


def with_players(text: str, lines: list[str]) -> str:
    """Return a record whose one line of players was replaced."""
    human, machine = divide(text)
    found = [
        "\n".join(lines) if line.startswith("players:") else line for line in human.split("\n")
    ]
    return "\n".join(found) + machine


def block(text: str, names: tuple[str, ...]) -> str:
    items = [f"  - {scalar(name)}  # number {nth}" for nth, name in enumerate(names, 1)]
    return with_players(text, ["players:  # who sits where", *items])


def flush_block(text: str, names: tuple[str, ...]) -> str:
    return with_players(text, ["players:", "", *(f"- {scalar(name)}" for name in names), "# end"])


def several_lines(text: str, names: tuple[str, ...]) -> str:
    return with_players(
        text,
        ["players: [", *(f"    {scalar(name)},  # and" for name in names), "  ]  # that is all"],
    )


def folded(text: str, names: tuple[str, ...]) -> str:
    return with_players(text, ["players:", *(f"- >-\n  {name}" for name in names[:-1]),
                               f"- {scalar(names[-1])}"])  # fmt: skip


def quoted(text: str, names: tuple[str, ...]) -> str:
    texts = ("'" + name.replace("'", "''") + "'" for name in names)
    return with_players(text, [f"'players':   [ {' ,  '.join(texts)} ]"])


def windows(text: str, names: tuple[str, ...]) -> str:
    return several_lines(text, names).replace("\n", "\r\n")


def indented(text: str, names: tuple[str, ...]) -> str:
    human, machine = divide(block(text, names))
    return "".join(f"  {line}\n" if line else "\n" for line in human.splitlines()) + machine


def marked(text: str, names: tuple[str, ...]) -> str:
    return "\ufeff" + text.replace("# Porto game record", "# ours; a Porto game record", 1)


def other_order(text: str, names: tuple[str, ...]) -> str:
    human, machine = divide(text)
    lines = human.splitlines()
    line = next(line for line in lines if line.startswith("players:"))
    lines.remove(line)
    return "\n".join([*lines, "", line, "# the end", "", ""]) + machine


LAYOUTS = [
    block, flush_block, several_lines, folded, quoted, windows, indented, marked, other_order,
]  # fmt: skip


def set_up_with(
    at: Callable[..., Result],
    names: tuple[str, ...],
    layout: Callable[[str, tuple[str, ...]], str],
    *options: str,
) -> str:
    """Set up a game and reformat its record after every step but the last."""
    file = Path("game.yaml")
    result = at(
        names[0], "new", "game.yaml", *names, "--secrecy", "sealed", "--first-game", *options
    )
    assert result.code == 0, result.err
    plain = file.read_text("utf-8")
    for name in (*names[1:], *names[:-1]):
        human, _ = divide(plain)
        _, machine = divide(file.read_bytes().decode().replace("\r\n", "\n"))
        file.write_bytes(layout(human + machine, names).encode())
        result = at(name, "join", "game.yaml", "--as", name)
        assert result.code == 0, result.err
    return file.read_bytes().decode()


def play_a_turn(at: Callable[..., Result]) -> None:
    """Demand that the player who is first can make a turn, and the next one after that."""
    for _ in range(2):
        match = loads(Path("game.yaml").read_bytes().decode(), FILE, BYSTANDER)
        name = match.to_move()[0]
        result = at(name, "moves", "game.yaml", "--format", "json")
        verb, *words = json.loads(result.out)["moves"][0]["move"].split()
        result = at(name, verb, "game.yaml", *words)
        assert result.code == 0, result.err


@pytest.mark.parametrize("names", [PLAIN[:2], ODD[:2], ODD[1:4], ODD], ids=" ".join)
@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.__name__)
def test_whoever_only_changes_the_layout_stops_nobody(
    at, names: tuple[str, ...], layout: Callable[[str, tuple[str, ...]], str]
) -> None:
    text = set_up_with(at, names, layout)
    human, _ = divide(text)
    line = next(line for line in human.splitlines() if line.strip().startswith("players: ["))
    assert all(scalar(name) in line for name in names)
    play_a_turn(at)


def test_comments_among_the_players_stay(at) -> None:
    human, _ = divide(set_up_with(at, PLAIN[:2], block, "--first", "Rui"))
    assert (
        "rules: 1\n# who sits where\n# number 1\nplayers: [Rui, Ana]  # number 2\nedition: "
        in human
    )


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ("Rui", "Eva", "players"),
        ("Ana, Rui", "Rui, Ana", "players"),
        ("contracts-first", "seat-first", "options"),
    ],
)
def test_whoever_changes_what_was_agreed_is_stopped(at, old: str, new: str, key: str) -> None:
    words = ("new", "game.yaml", *PLAYERS_OF_TWO, "--secrecy", "sealed", "--first-game")
    assert at("Ana", *words).code == 0
    file = Path("game.yaml")
    human, machine = divide(file.read_text("utf-8"))
    file.write_text(human.replace(old, new, 1) + machine, "utf-8")
    before = file.read_text("utf-8")
    result = at("Rui", "join", "game.yaml", "--as", new if new == "Eva" else "Rui")
    assert result.code == 3
    assert "The header of the record was changed" in result.err
    assert key in result.err
    assert file.read_text("utf-8") == before


PLAYERS_OF_TWO = ("Ana", "Rui")


def test_a_head_in_braces_is_refused_before_anybody_signs(at) -> None:
    assert at("Ana", "new", "game.yaml", *PLAYERS_OF_TWO, "--secrecy", "sealed").code == 0
    file = Path("game.yaml")
    human, machine = divide(file.read_text("utf-8"))
    lines = [line for line in human.splitlines() if not line.startswith("#")]
    file.write_text("{" + ", ".join(lines) + "}\n" + machine, "utf-8")
    result = at("Rui", "join", "game.yaml", "--as", "Rui")
    assert result.code == 3
    assert "on its own line" in result.err


# -- Turns


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (" ", "\n      "),
        ("- ", "-   "),
        ("- ", "-\n    "),
        (": ", ":\n      "),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_what_comes_up_is_written_into_an_item_of_any_layout(old: str, new: str, end: str) -> None:
    """Somebody makes a step before the player to move does, so that it goes into the midst."""
    text = played(set_up(4, 0, private_contracts=False), 1)
    text = moved(text, lambda match: match.give_up("Eva", player="Bea"), "Bea")
    human, machine = divide(text)
    line = next(line for line in human.splitlines() if line.startswith("- Ana: draw"))
    head, _, rest = line.rpartition(old) if old == " " else line.partition(old)
    changed = human.replace(line, f"{head}{new}{rest}  # mine") + machine
    after = played(changed.replace("\n", end), 1)
    assert re.search(r"  # mine\r?\n +refill: .+\n- Bea: without Eva\r?\n- Rui: ", after)
    assert loads(after, FILE, BYSTANDER).state.turn == 2


# -- The terms


def test_who_is_asked_to_join_is_told_the_terms(at) -> None:
    words = ("new", "game.yaml", *PLAIN[:3], "--secrecy", "sealed", "--first", "Bea")
    assert at("Ana", *words, "--first-game", "--hints", "told").code == 0
    expected = [
        "A sealed game of Porto for 3 players, who sit in this order: Ana, Rui, Bea.",
        "The box is the edition mebo-2019, which comes with porto.",
        "It is played without private contracts.",
        "Tie-break: contracts-first.",
        "The first player is Bea.",
        "Everybody may take hints, and the record notes who does.",
    ]
    unnamed = at("Rui", "join", "game.yaml")
    assert unnamed.code == 2
    for result in (at("Eva", "show", "game.yaml").out, unnamed.err):
        assert all(line in result for line in expected)
    joined = at("Rui", "join", "game.yaml", "--as", "Rui")
    assert joined.out.splitlines()[:6] == expected
    assert "Warning" not in joined.out + joined.err
    document = validated("verify", at("Eva", "verify", "game.yaml", "--format", "json").out)
    assert document["files"][0]["terms"] == expected
    assert document["files"][0]["warnings"] == []


@pytest.mark.parametrize("name", ["mebo-2019", "Mebo 2019", "ＭＥＢＯ-2019"])
def test_an_edition_that_only_has_the_name_of_a_shipped_one_is_warned_of(at, name: str) -> None:
    box = shipped("mebo-2019")
    other = box._replace(name=name, tokens=bytes([*box.tokens[:-1], 9]))
    Path("box.yaml").write_text("\n".join(edition_lines(other)) + "\n", "utf-8")
    words = ("new", "game.yaml", *PLAYERS_OF_TWO, "--secrecy", "sealed", "--edition", "box.yaml")
    made = at("Ana", *words, "--first-game")
    assert made.code == 0, made.err
    warning = "but is not the edition mebo-2019 that comes with porto. These differ: tokens."
    assert warning in at("Eva", "show", "game.yaml").out
    assert warning in at("Eva", "verify", "game.yaml").out
    joined = at("Rui", "join", "game.yaml", "--as", "Rui", "--quiet")
    assert (joined.code, joined.out) == (0, "")
    assert warning in joined.err


def test_an_honest_edition_of_the_user_is_named_without_a_warning(at) -> None:
    other = shipped("mebo-2019")._replace(name="our box")
    Path("box.yaml").write_text("\n".join(edition_lines(other)) + "\n", "utf-8")
    words = ("new", "game.yaml", *PLAYERS_OF_TWO, "--secrecy", "sealed", "--edition", "box.yaml")
    assert at("Ana", *words).code == 0
    output = at("Eva", "show", "game.yaml").out
    assert "The box is an edition of its own, 'our box'; the record has its numbers." in output
    assert "Warning" not in output
