"""Which of two versions of a signed game stays, where they part but not for good.

Signed steps cannot be put into another order by anybody but who signed them. So one version stays,
the same one on every computer, and the authors of the steps that only the other version has sign
these again on top of it. That is possible for steps whose order does not matter (secret moves,
reveals, statements that somebody has vanished) and for turns that are made again without a change.

The version that stays is the longer one. So whoever signs a step again does that at a height above
everything signed before with that key, and no step ever has two versions. With equal lengths it is
the one with more turns, then the one whose first step is of the player who sits earlier.

An undo is the exception: as soon as another player has made a step on top of a turn, that step
counts, and an undo of the turn does not. It would be made with knowledge of what came up.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from porto_cli.game import Move
from porto_cli.match.chain import REVEAL, TURN, Chain
from porto_cli.match.forks import (
    TakenBack,
    between,
    common_height,
    is_undo,
    standing,
    undone_after_answer,
)
from porto_cli.match.replay import Replay
from porto_cli.sealed.steps import Step


class Ruling(NamedTuple):
    """Which version stays, and what the other one has that is to be made again."""

    other_stays: bool
    again: tuple[Step, ...]
    """Steps of the version that gives way, to be signed again by their authors."""
    taken_back: TakenBack | None = None
    """An undo that does not count, for which the version that has it gives way."""


class _Deed(NamedTuple):
    """What a step does, wherever it stands."""

    by: int
    kind: str
    moves: tuple[Move, ...]
    gone: tuple[int, ...]


class _Tail(NamedTuple):
    """The steps of a version from where it parts from another one."""

    steps: tuple[Step, ...]
    turns: tuple[Step, ...]
    """Those that stand and have to stay in their order."""
    free: tuple[Step, ...]
    """Those that stand and whose order does not matter."""
    deeds: dict[int, _Deed]
    """What each step does, by its height."""

    def of(self, steps: Iterable[Step]) -> list[_Deed]:
        """Return what some of the steps do."""
        return [self.deeds[step.height] for step in steps]


def rule(own: Replay, other: Replay) -> Ruling | None:
    """Return which of two versions that part stays; ``None`` if people have to decide."""
    ours, theirs = own.chain, other.chain
    assert ours is not None
    assert theirs is not None
    if between(ours, theirs) or _have_other_keys(ours, theirs):
        return None
    common = common_height(ours, theirs)
    mine, yours = _tail(own, common), _tail(other, common)
    if any("setup" in step.content for step in (*mine.steps, *yours.steps)):
        return None
    overruled = undone_after_answer(ours, theirs)
    found = overruled or undone_after_answer(theirs, ours)
    if found:
        stays, leaves = (yours, mine) if overruled else (mine, yours)
        return Ruling(bool(overruled), tuple(_missing(leaves.free, leaves, stays)), found)
    other_stays = _rank(yours) > _rank(mine)
    stays, leaves = (yours, mine) if other_stays else (mine, yours)
    shorter = min(len(stays.turns), len(leaves.turns))
    if stays.of(stays.turns[:shorter]) != leaves.of(leaves.turns[:shorter]):
        return None
    turns = leaves.turns[shorter:]
    if _are_known(turns, leaves) or _are_given_up(turns, stays):
        return None
    present = {step.by for step in (*stays.turns, *stays.free)}
    again = [
        step
        for step in (*_missing(leaves.free, leaves, stays), *turns)
        # Who was said to have vanished has come back since.
        if not present & set(leaves.deeds[step.height].gone)
    ]
    return Ruling(other_stays, tuple(sorted(again, key=lambda step: step.height)))


def turn_made_twice(one: Replay, other: Replay) -> tuple[Step, Step] | None:
    """Return the steps with which a player has made one turn in two ways, in two copies."""
    ours, theirs = one.chain, other.chain
    assert ours is not None
    assert theirs is not None
    common = common_height(ours, theirs)
    mine, yours = _tail(one, common), _tail(other, common)
    for first, second in zip(mine.turns, yours.turns, strict=False):
        if mine.deeds[first.height] != yours.deeds[second.height]:
            return (first, second) if first.by == second.by else None
    return None


def moves_of(replay: Replay) -> dict[int, tuple[Move, ...]]:
    """Return the moves that each signed step of a game has made, by its height."""
    assert replay.chain is not None
    moves = iter([move for step in replay.steps for move in step.moves])
    found: dict[int, tuple[Move, ...]] = {}
    for step in replay.chain.steps:
        entries: Any = step.content.get("entries", ())
        if step.content["kind"] not in (TURN, REVEAL) or is_undo(step):
            entries = ()
        count = sum(replay.game.read_chance(key, text) is None for key, text in entries)
        found[step.height] = tuple(next(moves) for _ in range(count))
    return found


def _have_other_keys(ours: Chain, theirs: Chain) -> bool:
    """Tell whether one player signs with different keys, so at two computers."""
    return any(theirs.keys.get(by, key) != key for by, key in ours.keys.items())


def _tail(replay: Replay, common: int) -> _Tail:
    chain = replay.chain
    assert chain is not None
    steps = chain.steps[common:]
    moves = moves_of(replay)
    deeds = {}
    turns: list[Step] = []
    free: list[Step] = []
    for step in steps:
        gone: Any = step.content.get("without", ())
        kind = str(step.content["kind"])
        deeds[step.height] = _Deed(step.by, kind, moves[step.height], tuple(gone))
    for step in standing(steps, chain.players).steps:
        secret = all(map(replay.game.is_secret, moves[step.height]))
        (free if secret or step.content["kind"] != TURN else turns).append(step)
    return _Tail(steps, tuple(turns), tuple(free), deeds)


def _rank(tail: _Tail) -> tuple[int, int, int]:
    decisive = len(tail.turns) + sum("release" in step.content for step in tail.free)
    return len(tail.steps), decisive, -tail.steps[0].by


def _missing(steps: Sequence[Step], leaves: _Tail, stays: _Tail) -> list[Step]:
    """Return the steps whose order does not matter that the version that stays does not have."""
    there = stays.of(stays.free)
    return [step for step in steps if leaves.deeds[step.height] not in there]


def _are_known(turns: Sequence[Step], leaves: _Tail) -> bool:
    """Tell whether another player has decided what comes up after one of these turns: then it must
    not be made again, as it could be made otherwise.
    """
    movers: set[int] = set()
    for step in leaves.steps:
        if "release" in step.content and movers - {step.by}:
            return True
        if step in turns:
            movers.add(step.by)
    return False


def _are_given_up(turns: Sequence[Step], stays: _Tail) -> bool:
    """Tell whether somebody is said to have vanished who has made one of these turns."""
    gone = {seat for deed in stays.deeds.values() for seat in deed.gone}
    return any(step.by in gone for step in turns)
