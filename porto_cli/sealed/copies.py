"""Copies of a sealed game that part: which of them goes on, and what they show about the players.

Only its signer can move a step to another place. But secret choices, reveals, and statements that
somebody has vanished may be made by several players at once, as their order does not matter. So if
the shorter copy has nothing else that the longer one lacks, the longer one goes on, and the authors
of these steps sign them again on top of it: above everything that their keys have signed before, so
no step ever has two versions. Of two copies of equal length, the one counts as longer whose first
step after the common part is by the player who sits earlier.

Everything else is for people to settle: the longer copy goes on, unless only the other one has a
turn that was answered, and who has moved in the other one makes the same moves again by hand.

An undo is the exception: once another player has answered a turn, the answer counts, and an undo of
the turn does not. It would be made with knowledge of what came up. A turn is an answer, and so is a
step that releases a value; other choices, reveals and statements can be made after any turn. The
journal goes by this as well: a copy with the answer may lack the undo, which cannot be made again.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from porto_cli.match.copies import common_length
from porto_cli.match.replay import Replay
from porto_cli.sealed.chain import GONE, REVEAL
from porto_cli.sealed.course import entries_of, is_answer, is_free, is_undo, standing
from porto_cli.sealed.source import chain_of
from porto_cli.sealed.steps import Chain, SignedStep


def common_height(one: Chain, other: Chain) -> int:
    """Return the height of the last step that two copies of a game have in common."""
    return common_length(one.hashes, other.hashes) - 1


def _parted(one: Chain, other: Chain) -> tuple[tuple[SignedStep, ...], tuple[SignedStep, ...]]:
    """Return the steps of each of two copies after the last one that they have in common."""
    common = common_height(one, other)
    return one.steps[common:], other.steps[common:]


# -- Which copy goes on


class TakenBack(NamedTuple):
    """A turn that was taken back in one copy, but answered by another player in the other."""

    player: str
    undo: SignedStep
    answerer: str
    answer: SignedStep


class Precedence(NamedTuple):
    """Which of two copies stays, and which steps of the other have to be made again."""

    other_stays: bool
    again: tuple[SignedStep, ...]
    """Steps of the copy that gives way, to be signed again by their authors."""
    taken_back: TakenBack | None = None
    """The undo that does not count, because of which a copy gives way."""


def precedence(own: Replay, other: Replay) -> Precedence | None:
    """Return which of two copies that part stays; ``None`` if people have to decide."""
    ours, theirs = chain_of(own), chain_of(other)
    mine, yours = _parted(ours, theirs)
    if any("setup" in step.content for step in (*mine, *yours)) or two_versions(ours, theirs):
        return None
    overruled = undone_after_answer(ours, theirs)
    found = overruled or undone_after_answer(theirs, ours)
    other_stays = bool(overruled) if found else is_longer(theirs, ours)
    stays, leaves = (yours, mine) if other_stays else (mine, yours)
    there, here = standing(stays, ours.players), standing(leaves, ours.players)
    made, turns = ([_deed(step) for step in each.turns] for each in (there, here))
    if not found and (here.undo or made[: len(turns)] != turns):
        return None
    known, present = set(map(_deed, there.steps)), {step.by for step in there.steps}
    again = (
        step
        for step in here.steps
        # A player who was reported as vanished has come back since.
        if is_free(step) and _deed(step) not in known and not present & set(_gone(step))
    )
    return Precedence(other_stays, tuple(again), found)


def is_longer(one: Chain, other: Chain) -> bool:
    """Return whether a copy is longer than one that parts from it."""
    first, second = (steps[0] for steps in _parted(one, other))
    return (len(one.steps), -first.by) > (len(other.steps), -second.by)


def goes_on(one: Chain, other: Chain) -> bool:
    """Return whether people should go on with a copy, and not with one that parts from it.

    Where another player has decided what comes up after a turn, that turn must not be dropped, as
    it could be made in another way.
    """
    answered, also = map(_is_answered, _parted(one, other))
    return answered if answered != also else is_longer(one, other)


def _is_answered(steps: Iterable[SignedStep]) -> bool:
    """Return whether some steps have a turn, and another player's value that follows it."""
    movers: set[int] = set()
    for step in steps:
        if "release" in step.content and movers - {step.by}:
            return True
        if not is_free(step):
            movers.add(step.by)
    return False


def _deed(step: SignedStep) -> tuple[object, ...]:
    """Return what a step does, whatever its place."""
    return step.by, step.content["kind"], entries_of(step)


def _gone(step: SignedStep) -> tuple[int, ...]:
    return tuple(step.content.get("without", ()))


# -- What two copies show about the players


def two_versions(one: Chain, other: Chain) -> SignedStep | None:
    """Return the first step of which two copies of a game have versions signed by one key."""
    for first, second in zip(*_parted(one, other), strict=False):
        if one.key_of(first) == other.key_of(second):
            return first
    return None


def undone_after_answer(one: Chain, other: Chain) -> TakenBack | None:
    """Return the turn that is taken back in ``one`` but was answered in ``other``, if any."""
    common = common_height(one, other)
    undo = standing(one.steps[common:], one.players).undo
    if undo is None:
        return None
    answers = filter(is_answer, other.steps[common:])
    answer = next((step for step in answers if step.by != undo.by), None)
    if answer is None:
        return None
    players = one.players
    return TakenBack(players[undo.by], undo, players[answer.by], answer)


def contradiction(one: Replay, other: Replay, here: str, there: str) -> tuple[str, str] | None:
    """Return a sentence that names a player who contradicts themselves in two copies of a game,
    preceded by its key in documents; ``None`` if nobody does.

    A contradiction is to sign two versions of a step, to take back an answered turn, or to make one
    turn in two ways. ``here`` and ``there`` are the files.
    """
    ours, theirs = chain_of(one), chain_of(other)
    if ours.game != theirs.game:
        return None
    step = two_versions(ours, theirs)
    if step:
        return "two_versions", (
            f"{ours.players[step.by]} has signed two versions of step {step.height}: one is "
            f"in {here}, the other one in {there}. Keep both files: together they prove it."
        )
    return (
        _taken_back(ours, theirs, here, there)
        or _taken_back(theirs, ours, there, here)
        or _made_twice(one, other, here, there)
    )


def _taken_back(one: Chain, other: Chain, here: str, there: str) -> tuple[str, str] | None:
    """Return the contradiction of a turn taken back in one copy but answered in the other."""
    found = undone_after_answer(one, other)
    return found and (
        "taken_back",
        f"{found.player} has taken back a turn that {found.answerer} had already answered: in "
        f"{here} step {found.undo.height} takes it back, in {there} step {found.answer.height} of "
        f"{found.answerer} follows it. Both steps are signed by their players. The answer counts "
        "and the undo does not.",
    )


def _made_twice(one: Replay, other: Replay, here: str, there: str) -> tuple[str, str] | None:
    """Return the contradiction of one turn that a player made in two ways."""
    ours, theirs = chain_of(one), chain_of(other)
    players = ours.players
    mine, yours = (standing(steps, players).turns for steps in _parted(ours, theirs))
    pairs = zip(mine, yours, strict=False)
    first, second = next((pair for pair in pairs if _deed(pair[0]) != _deed(pair[1])), (None, None))
    if not first or not second or first.by != second.by:
        return None
    player = players[first.by]
    return (
        "made_twice",
        f"{player} has made one turn in two ways: {describe_step(one, first)} in {here} (step "
        f"{first.height}), and {describe_step(other, second)} in {there} (step {second.height}). "
        f"Both are signed by {player}.",
    )


def describe_step(replay: Replay, step: SignedStep) -> str:
    """Describe a signed step, without what only its author may know."""
    chain, kind = chain_of(replay), step.content["kind"]
    player = chain.players[step.by]
    if kind == REVEAL:
        return f"{player} reveals"
    if kind == GONE:
        gone = ", ".join(chain.players[by] for by in _gone(step))
        return f"{player} says that {gone} has vanished"
    if is_undo(step):
        return f"{player} takes a turn back"
    texts = [text.split()[0] if is_free(step) else text for _, text in entries_of(step)]
    return f"{player} plays {', '.join(texts)}"
