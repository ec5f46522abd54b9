"""Copies of a sealed game that part: which of them goes on, and what that shows about the players.
First, which steps of a game count, and which of them have to stay in their order.

Signed steps can be put into another order only by their signers. Several players make secret
choices, reveals, and statements that somebody has vanished at the same time, as the order of these
does not matter. So if the shorter copy has nothing else that the longer one lacks, the longer one
goes on, and the authors of these steps make them again after it. Of two copies of one length, the
one whose first step is of the player who sits earlier counts as longer.

Everything else is for people to settle: the longer copy goes on, unless only the other one has a
turn that was answered, and who has moved in the other one makes the same moves again.

No program signs anything by itself because of that. Whoever makes a move again signs above
everything signed before with that key, so no step ever has two versions; what is safe to make
again, and on which copy, is decided by the journal in :mod:`porto_cli.sealed.holder`.

An undo of a turn that the other copy goes on from is never settled by a program: if another player
has answered the turn, the undo was made with knowledge of what came up.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from porto_cli.core import command, option
from porto_cli.sealed.steps import GONE, REVEAL, TURN, Chain, SignedStep
from porto_cli.seam import UNDO

# -- What steps do: turns, and what may be done before or after any other step


def entries_of(step: SignedStep) -> tuple[tuple[str, str], ...]:
    """Return what a step appends to the turns."""
    entries: Any = step.content.get("entries", ())
    return tuple((key, text) for key, text in entries)


def deed(step: SignedStep) -> tuple[object, ...]:
    """Return what a step does, wherever it is."""
    return step.by, step.content["kind"], entries_of(step)


class Standing(NamedTuple):
    """Which of some steps of a game were not taken back."""

    groups: tuple[tuple[SignedStep, ...], ...]
    """The steps that were not taken back, in groups that are taken back together."""
    undo: SignedStep | None
    """The first undo of a turn that begins before these steps."""

    @property
    def steps(self) -> tuple[SignedStep, ...]:
        """The steps of all groups."""
        return tuple(step for group in self.groups for step in group)

    @property
    def turns(self) -> list[SignedStep]:
        """Those that have to stay in their order."""
        return [step for step in self.steps if not is_free(step)]


def standing(steps: Iterable[SignedStep], players: Sequence[str]) -> Standing:
    """Return which of some consecutive steps of a game were not taken back."""
    groups: list[list[SignedStep]] = []
    begun_before = False
    undo: SignedStep | None = None
    for step in steps:
        entries, kind = entries_of(step), step.content["kind"]
        if kind not in (TURN, REVEAL, GONE):
            continue
        continues = kind == TURN and entries[0][0] not in players
        if is_undo(step):
            if not groups or (begun_before and len(groups) == 1):
                undo = undo or step
            if groups:
                groups.pop()
        elif continues and groups:
            groups[-1].append(step)
        else:
            begun_before = begun_before or (continues and not groups)
            groups.append([step])
    return Standing(tuple(map(tuple, groups)), undo)


def is_undo(step: SignedStep) -> bool:
    """Return whether a step takes a turn back."""
    return step.content["kind"] == TURN and entries_of(step)[0][1].lower() == UNDO


def is_free(step: SignedStep) -> bool:
    """Return whether it does not matter before or after which other steps one is made."""
    kind = step.content["kind"]
    return kind in (REVEAL, GONE) or (kind == TURN and "commitment" in step.content)


# -- Where copies part


def common_height(one: Chain, other: Chain) -> int:
    """Return the height of the last step that two copies of a game have in common."""
    # As each step names the hash of the one before it, no hashes are the same after the first two
    # that are not.
    pairs = zip(one.steps, other.steps, strict=False)
    return sum(one.hash_of(first) == other.hash_of(second) for first, second in pairs)


def _parted(one: Chain, other: Chain) -> tuple[tuple[SignedStep, ...], tuple[SignedStep, ...]]:
    """Return the steps of each of two copies after the last one that they have in common."""
    common = common_height(one, other)
    return one.steps[common:], other.steps[common:]


# -- Which copy goes on


class Precedence(NamedTuple):
    """Which version stays, and which steps of the other are to be made again."""

    other_stays: bool
    again: tuple[SignedStep, ...]
    """Steps of the version that gives way, to be made again by their authors."""


def precedence(ours: Chain, theirs: Chain) -> Precedence | None:
    """Return which of two versions that fork stays; ``None`` if people have to decide."""
    mine, yours = _parted(ours, theirs)
    if any("setup" in step.content for step in (*mine, *yours)) or two_versions(ours, theirs):
        return None
    other_stays = is_longer(theirs, ours)
    here, there = (standing(steps, ours.players) for steps in (mine, yours))
    if not other_stays:
        here, there = there, here
    made, turns = ([deed(step) for step in each.turns] for each in (there, here))
    if here.undo or there.undo or made[: len(turns)] != turns:
        return None
    known, present = set(map(deed, there.steps)), {step.by for step in there.steps}
    lost = [step for step in here.steps if is_free(step) and deed(step) not in known]
    reveals = [step for step in lost if step.content["kind"] == REVEAL]
    if reveals and (made != turns or reveals != lost):
        # Perhaps the game goes on in the other version: nobody may play on with what was revealed.
        return None
    # A player who was reported as vanished has come back since.
    again = (step for step in lost if not present & set(_gone(step)))
    return Precedence(other_stays, tuple(again))


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


def _gone(step: SignedStep) -> tuple[int, ...]:
    gone: Any = step.content.get("without", ())
    return tuple(gone)


def only_in(leaves: Chain, stays: Chain, key: bytes) -> list[SignedStep]:
    """Return the steps that only one of two copies has of the player with a key."""
    first, second = _parted(leaves, stays)
    known = set(map(deed, standing(second, leaves.players).steps))
    own = (one for one in standing(first, leaves.players).steps if leaves.key_of(one) == key)
    return [step for step in own if deed(step) not in known]


# -- What two copies show about the players


def two_versions(one: Chain, other: Chain) -> SignedStep | None:
    """Return the first step of which two copies of a game have two versions by one signer."""
    for first, second in zip(*_parted(one, other), strict=False):
        if one.key_of(first) == other.key_of(second):
            return first
    return None


def contradiction(one: Chain, other: Chain, here: str, there: str) -> tuple[str, str] | None:
    """Say who has contradicted themselves in two copies of a game, in the files ``here`` and
    ``there``: signed two versions of a step, taken back an answered turn, or made one turn in two
    ways. The sentence comes with its key in a document; ``None`` if nobody has.
    """
    if one.game != other.game:
        return None
    step = two_versions(one, other)
    if step:
        return "two_versions", (
            f"{one.players[step.by]} has signed two versions of step {step.height}: one is "
            f"in {here}, the other one in {there}. Keep both files: together they prove it."
        )
    return (
        _taken_back(one, other, here, there)
        or _taken_back(other, one, there, here)
        or _made_twice(one, other, here, there)
    )


def _taken_back(one: Chain, other: Chain, here: str, there: str) -> tuple[str, str] | None:
    """Say who has taken back in one copy what was answered in the other one, if any player has.

    A choice, a reveal or a statement of another player is no answer: it can be made after any turn.
    """
    (mine, yours), players = _parted(one, other), one.players
    undo = standing(mine, players).undo
    if undo is None:
        return None
    answers = (step for step in yours if "release" in step.content or not is_free(step))
    answer = next((step for step in answers if step.by != undo.by), None)
    return answer and (
        "taken_back",
        f"{players[undo.by]} has taken back a turn that {players[answer.by]} had already "
        f"answered: in {here} step {undo.height} takes it back, in {there} step {answer.height} of "
        f"{players[answer.by]} follows it. Both steps are signed by their players. The answer "
        "counts and the undo does not.",
    )


def _made_twice(one: Chain, other: Chain, here: str, there: str) -> tuple[str, str] | None:
    """Say who has made one turn in two ways in two copies, if any player has."""
    players = one.players
    mine, yours = (standing(steps, players).turns for steps in _parted(one, other))
    pairs = zip(mine, yours, strict=False)
    first, second = next((pair for pair in pairs if deed(pair[0]) != deed(pair[1])), (None, None))
    if not first or not second or first.by != second.by:
        return None
    player = players[first.by]
    return (
        "made_twice",
        f"{player} has made one turn in two ways: {describe_step(one, first)} in {here} (step "
        f"{first.height}), and {describe_step(other, second)} in {there} (step {second.height}). "
        f"Both are signed by {player}.",
    )


def describe_step(chain: Chain, step: SignedStep) -> str:
    """Return a sentence with what a signed step does, without what only its author may know."""
    player, kind = chain.players[step.by], step.content["kind"]
    if kind == REVEAL:
        return f"{player} reveals"
    if kind == GONE:
        gone = ", ".join(chain.players[by] for by in _gone(step))
        return f"{player} says that {gone} has vanished"
    if is_undo(step):
        return f"{player} takes a turn back"
    texts = [text.split()[0] if is_free(step) else text for _, text in entries_of(step)]
    return f"{player} plays {', '.join(texts)}"


def commands_again(chain: Chain, steps: Iterable[SignedStep], file: str) -> list[str]:
    """Return the commands with which the authors of some steps make them again in a file. What was
    chosen in secret is not in them: the program asks for it.
    """
    found, players = [], chain.players
    for step in steps:
        player, kind = players[step.by], step.content["kind"]
        if kind in (REVEAL, GONE):
            gone = [option("--without", players[by]) for by in _gone(step)]
            found.append(" ".join([command("reveal", file), *gone, option("--as", player)]))
        elif not is_undo(step):
            texts = (text if key in players else f"{key} {text}" for key, text in entries_of(step))
            hides = "commitment" in step.content
            found += [command(text.split()[0] if hides else text, file, player) for text in texts]
    return found
