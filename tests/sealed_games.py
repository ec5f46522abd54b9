"""Sealed games in one process: everybody has a key, and all share one home."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import pytest

from porto_cli.core.yaml import InvalidFileError
from porto_cli.games import game_of
from porto_cli.games.porto.editions import DEFAULT, shipped
from porto_cli.match import record
from porto_cli.match.match import Match, loads
from porto_cli.match.record import Record
from porto_cli.sealed import chain as sealed_setup
from porto_cli.sealed.chain import Data, check, seals_of, written
from porto_cli.sealed.holder import KeyHolder
from porto_cli.sealed.steps import Chain, Head, Identity
from tests.randomness import seeded_by
from tests.sealed.people import sign

FILE = "game.yaml"
NAMES = ("Ana", "Rui", "Bea", "Eva")
SMALL_BOX = shipped(DEFAULT)._replace(
    name="small-box", private={"houses": (1, 2, 5), "mirror": (5,)}, artificial=True
)
"""A box with ten private contracts, as many as two players are dealt: a short proof."""


def identity(name: str) -> Identity:
    """Return the key of a player, the same in all tests."""
    return Identity(name.encode().ljust(32, b"."))


_tests = [0]


def new_journals() -> None:
    """Forget what was signed: another test tries something else with the same games."""
    _tests[0] += 1


def keys(name: str) -> KeyHolder:
    """Return the keys with which a player signs; the journal is that of the test."""
    own = identity(name)
    holder = KeyHolder(own.public, lambda: own)
    holder.journal._who += f"-{_tests[0]}"
    return holder


BYSTANDER = KeyHolder()


@cache
def set_up(
    players: int = 2, first: int | None = 0, *, which: str = "set up", **options: Any
) -> str:
    """Return the record of a sealed game that has just been set up."""
    return stations(players, first, which=which, **options)[-1]


def stations(
    players: int = 2,
    first: int | None = 0,
    *,
    which: str = "stations",
    hints: str = "",
    **options: Any,
) -> list[str]:
    """Return the record after each station of its setup.

    ``which`` tells games that are begun alike from each other; the cards follow from it.
    """
    game = game_of("porto")
    config = game.new_config(NAMES[:players], **options)
    with seeded_by(which):
        own = keys(NAMES[0])
        begun = sealed_setup.new_sealed(game, config, own, first=first, name=FILE, hints=hints)
    texts = [begun.record.text]
    while begun.next is not None:
        name = begun.chain.players[begun.next]
        read = sealed_setup.read_setup(record.load(texts[-1], FILE), keys(name))
        begun = sealed_setup.take_part(read, keys(name))
        texts.append(begun.record.text)
    return texts


def refused(text: str) -> str:
    """Return why nobody can read a record; it is refused with its place."""
    with pytest.raises(InvalidFileError) as error:
        loads(text, FILE, BYSTANDER)
    assert error.value.place.line > 0
    return str(error.value.sentence)


def seen_by(text: str, name: str) -> Match:
    """Return a game as a player sees it."""
    return loads(text, FILE, keys(name)).known


def mover(text: str) -> str:
    """Return who is to move."""
    return loads(text, FILE, BYSTANDER).to_move()[0]


def moved(text: str, move: Callable[[Match], object], name: str | None = None) -> str:
    """Return the record after a player, who is to move if not said, has done something."""
    match = seen_by(text, name or mover(text))
    move(match)
    match.read_back()
    return match.record.text


def played(text: str, turns: int, seed: int = 1) -> str:
    """Return the record after so many turns more, or at the end of the game."""
    rnd = random.Random(seed)
    match = loads(text, FILE, BYSTANDER)
    until = match.state.turn + turns
    while not (match.over or match.state.turn >= until or is_revealing(match)):
        name = match.to_move()[0]
        match = seen_by(match.record.text, name)
        some_move(match, name, rnd)
    return match.record.text


def is_revealing(match: Match) -> bool:
    """Return whether all moves are made, and the players reveal."""
    return bool(match.state.is_revealing)


def some_move(match: Match, name: str, rnd: random.Random) -> None:
    """Make a move: to build brings the end nearer."""
    legal = match.legal_moves(name)
    best = [move for move in legal if type(move).__name__ in ("Build", "Claim")]
    match.play(rnd.choice(best or legal), player=name)


@cache
def played_out(players: int = 2, **options: Any) -> str:
    """Return a game after its last turn, whose player has revealed."""
    return played(set_up(players, which="played out", **options), 999)


@cache
def finished(players: int = 2, **options: Any) -> str:
    """Return a game in which everybody has revealed."""
    text = played_out(players, **options)
    for name in NAMES[:players]:
        match = seen_by(text, name)
        if match.cannot_reveal(name) is None:
            text = moved(text, lambda match, name=name: match.reveal(name), name)
    return text


# -- What a cheater would do to a record


def chain_of(text: str) -> Chain:
    """Return the signed steps of a record."""
    return check(seals_of(record.load(text, FILE)))


def with_steps(text: str, steps: list[Data]) -> str:
    """Return a record with these steps in its machine part instead of its own."""
    read = record.load(text, FILE)
    lines = written([seals_of(read).genesis, *steps], first=True)
    return read.human + "".join(f"{line}\n" for line in lines)


def steps_of(text: str) -> list[Data]:
    """Return the steps of a record as they are written."""
    return [dict(step) for step in seals_of(record.load(text, FILE)).steps]


def with_step(text: str, name: str, content: Mapping[str, object]) -> str:
    """Return a record with a step at its end that its player has really signed."""
    chain = chain_of(text)
    step = sign(chain.head, identity(name), {"by": chain.players.index(name), **content})
    return with_steps(text, [*steps_of(text), step.to_json()])


def unrevealed(text: str) -> str:
    """Return a game after its last turn before anybody reveals: a changed program can wait."""
    steps = steps_of(text)
    reveals = [step["content"] for step in steps if step["content"]["kind"] == "reveal"]
    said = [f"- {': '.join(one)}" for content in reveals for one in content.get("entries", ())]
    kept = [line for line in human(text).splitlines() if line.strip() not in said]
    return with_steps("\n".join([*kept, machine(text)]), steps[: len(steps) - len(reveals)])


def taken_back(text: str) -> str:
    """Return a record with an undo of its last step, which its player has really signed."""
    name = chain_of(text).by(len(steps_of(text)))
    item = [line for line in human(text).splitlines() if f"- {name}: " in line][-1]
    undo = f"{item[: item.index('-')]}- {name}: undo\n"
    text = human(text) + undo + machine(text)
    return with_step(text, name, {"kind": "turn", "entries": [[name, "undo"]]})


def resigned(text: str, height: int, change: Callable[[Data], object]) -> str:
    """Return a record that ends with a step that was changed and signed again by its player."""
    chain = chain_of(text)
    old = chain.steps[height - 1]
    content = dict(old.content)
    change(content)
    head = Head(chain.game, height - 1, old.previous)
    step = sign(head, identity(chain.by(height)), content)
    return with_steps(text, [*steps_of(text)[: height - 1], step.to_json()])


def human(text: str) -> str:
    """Return the part that people read."""
    return record.divide(text)[0]


def machine(text: str) -> str:
    """Return the part for programs."""
    return record.divide(text)[1]


def as_record(text: str) -> Record:
    """Return the record of a text."""
    return record.load(text, FILE)
