"""Copies of a sealed game that fork: which of them stays, and what that shows about the players.

Signed steps can be put into another order only by their signers. So one version stays, the same one
on every computer, and the authors of the steps that only the other version has sign these again on
top of it. That is possible for steps whose order does not matter (secret moves, reveals, statements
that a player has vanished) and for turns that are made again without a change.

The version that stays is the longer one. So whoever signs a step again does so at a height above
everything signed before with that key, and no step ever has two versions. With equal lengths it is
the one with more turns, then the one whose first step is of the player who sits earlier.

An undo is the exception: once another player has made a step on top of a turn, that step counts,
and an undo of the turn does not. It would be made with knowledge of what came up.

Whoever has signed two versions of a step has shown different games to different players. The two
signatures prove it to everybody who knows the key; no record is needed.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from porto_cli.core.message import Sentence, say
from porto_cli.core.yaml import InvalidFileError, Place
from porto_cli.crypto import ProofError
from porto_cli.crypto.identity import public_text
from porto_cli.crypto.steps import Fork, Step, fork_of
from porto_cli.game import Move
from porto_cli.match.chain import GONE, JOIN, ORDER, ORDERED, REVEAL, TURN, Chain
from porto_cli.match.orders import NONE
from porto_cli.match.replay import ORDERING, Replay
from porto_cli.match.seals import WIDTH, spelled
from porto_cli.match.undo import UNDO

MARK = "porto-proof: 1"
"""The line with which a proof begins, after comments."""


class TwoVersions(NamedTuple):
    """A player who has signed two versions of a step."""

    player: str
    fork: Fork


def between(one: Chain, other: Chain) -> TwoVersions | None:
    """Return the first step of which two copies of a game have two versions by one signer."""
    if one.game != other.game:
        return None
    for first, second in zip(one.steps, other.steps, strict=False):
        key = one.key_of(first)
        same_signer = first.by == second.by and key == other.key_of(second)
        if same_signer and (first.content, first.previous) != (second.content, second.previous):
            fork = fork_of(one.game, key, first, second)
            if fork:
                return TwoVersions(one.players[first.by], fork)
    return None


class TakenBack(NamedTuple):
    """A turn that was taken back in one copy, but answered by another player in the other."""

    player: str
    turn: Step
    """The step that began the turn."""
    undo: Step
    answerer: str
    answer: Step


def undone_after_answer(one: Chain, other: Chain) -> TakenBack | None:
    """Return the turn that is taken back in ``one`` and was answered in ``other``."""
    if one.game != other.game:
        return None
    common = common_height(one, other)
    undo = standing(one.steps[common:], one.players).undo
    if undo is None:
        return None
    answer = next((step for step in other.steps[common:] if step.by != undo.by), None)
    if answer is None:
        return None
    turn = standing(one.steps[:common], one.players).last_turn[0]
    players = one.players
    return TakenBack(players[undo.by], turn, undo, players[answer.by], answer)


def common_height(one: Chain, other: Chain) -> int:
    """Return the height of the last step that two copies of a game have in common."""
    for first, second in zip(one.steps, other.steps, strict=False):
        if (first.content, first.previous) != (second.content, second.previous):
            return first.height - 1
    return min(len(one.steps), len(other.steps))


def is_undo(step: Step) -> bool:
    """Return whether a step takes a turn back."""
    entries: Any = step.content.get("entries")
    return step.content["kind"] == TURN and entries[0][1].lower() == UNDO


class Standing(NamedTuple):
    """Which of some steps of a game were not taken back."""

    turns: tuple[tuple[Step, ...], ...]
    """The steps with moves that were not taken back, in groups that are taken back together."""
    undo: Step | None
    """The first undo of a turn that begins before these steps."""

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps of all groups."""
        return tuple(step for turn in self.turns for step in turn)

    @property
    def last_turn(self) -> tuple[Step, ...]:
        """The last group."""
        return self.turns[-1]


def standing(steps: Iterable[Step], players: Sequence[str]) -> Standing:
    """Return which of some consecutive steps of a game were not taken back."""
    turns: list[list[Step]] = []
    begun_before = False
    undo: Step | None = None
    for step in steps:
        entries: Any = step.content.get("entries")
        kind = step.content["kind"]
        if kind not in (TURN, ORDERED, REVEAL, GONE):
            continue
        goes_on = kind in (TURN, ORDERED) and entries[0][0] not in players
        if is_undo(step):
            if not turns or (begun_before and len(turns) == 1):
                undo = undo or step
            if turns:
                turns.pop()
        elif goes_on and turns:
            turns[-1].append(step)
        else:
            begun_before = begun_before or (goes_on and not turns)
            turns.append([step])
    return Standing(tuple(map(tuple, turns)), undo)


def written(found: TwoVersions) -> str:
    """Return the text of a proof, which explains in its first lines what it proves."""
    fork = found.fork
    headline = say(
        "The owner of the key {key}, who plays as {player}, has signed two versions of step "
        "{height} of one game. 'porto verify' with this file checks it; no record is needed.",
        key=public_text(fork.key),
        player=found.player,
        height=fork.first.height,
    )
    text = spelled(fork.to_json())
    return "\n".join(
        [
            *textwrap.wrap(str(headline), WIDTH, initial_indent="# ", subsequent_indent="# "),
            MARK,
            "proof: |",
            *(f"  {text[start : start + WIDTH - 2]}" for start in range(0, len(text), WIDTH - 2)),
            "",
        ]
    )


def read(text: str, file: str) -> Fork:
    """Return the proof of a text, verified. Raises InvalidFileError."""
    lines = text.splitlines()
    line = next((nth for nth, one in enumerate(lines, 1) if one.strip() == "proof: |"), 0)
    try:
        packed = "".join("".join(lines[line:]).split()) if line else ""
        data = json.loads(packed)
        if spelled(data) != packed:
            raise ValueError("another spelling")
        return Fork.from_json(data)
    except ProofError as error:
        raise InvalidFileError(Place(file, line + 1, 1), error.sentence) from None
    except (TypeError, ValueError, RecursionError):
        raise InvalidFileError(
            Place(file, line + 1, 1),
            say("This proof is damaged: something is missing or was changed. It proves nothing."),
        ) from None


class Precedence(NamedTuple):
    """Which version stays, and which steps of the other are to be made again."""

    other_stays: bool
    again: tuple[Step, ...]
    """Steps of the version that gives way, to be signed again by their authors."""
    taken_back: TakenBack | None = None
    """An undo that does not count, for which the version that has it gives way."""


class _Action(NamedTuple):
    """What a step does, wherever it is."""

    by: int
    """Who signed the step or, of a move that an order decides, the order."""
    kind: str
    """The kind of the step; of a step that gives an order, the order."""
    moves: tuple[Move, ...]
    gone: tuple[int, ...]


class _Tail(NamedTuple):
    """The steps of a version from where it forks from another one."""

    chain: Chain
    steps: tuple[Step, ...]
    turns: tuple[Step, ...]
    """Those not taken back that have to stay in their order."""
    free: tuple[Step, ...]
    """Those not taken back whose order does not matter."""
    actions: dict[int, _Action]
    """What each step does, by its height."""

    def of(self, steps: Iterable[Step]) -> list[_Action]:
        """Return what some of the steps do."""
        return [self.actions[step.height] for step in steps]


def precedence(own: Replay, other: Replay) -> Precedence | None:
    """Return which of two versions that fork stays; ``None`` if people have to decide."""
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
        free = _missing(leaves.free, leaves, stays)
        again = [step for step in free if _can_sign_again(step, leaves, stays)]
        return Precedence(bool(overruled), tuple(again), found)
    other_stays = _rank(yours) > _rank(mine)
    stays, leaves = (yours, mine) if other_stays else (mine, yours)
    shorter = min(len(stays.turns), len(leaves.turns))
    if stays.of(stays.turns[:shorter]) != leaves.of(leaves.turns[:shorter]):
        return None
    turns = leaves.turns[shorter:]
    if _are_known(turns, leaves) or _are_given_up(leaves.of(turns), stays):
        return None
    present = {step.by for step in (*stays.turns, *stays.free)}
    again = [
        step
        for step in (*_missing(leaves.free, leaves, stays), *turns)
        # A player who was reported as vanished has come back since. What orders decide is made by
        # the program again, if they still decide it.
        if not present & set(leaves.actions[step.height].gone) and step.content["kind"] != ORDERED
    ]
    if not all(_can_sign_again(step, leaves, stays) for step in again):
        return None
    return Precedence(other_stays, tuple(sorted(again, key=lambda step: step.height)))


def turn_made_twice(one: Replay, other: Replay) -> tuple[Step, Step] | None:
    """Return the steps with which a player has made one turn in two ways, in two copies."""
    ours, theirs = one.chain, other.chain
    assert ours is not None
    assert theirs is not None
    common = common_height(ours, theirs)
    mine, yours = _tail(one, common), _tail(other, common)
    for first, second in zip(mine.turns, yours.turns, strict=False):
        if mine.actions[first.height] != yours.actions[second.height]:
            is_same = first.by == second.by and ours.key_of(first) == theirs.key_of(second)
            return (first, second) if is_same else None
    return None


def moves_of(replay: Replay) -> dict[int, tuple[Move, ...]]:
    """Return the moves that each signed step of a game has made, by its height."""
    assert replay.chain is not None
    moves = iter([move for step in replay.steps for move in step.moves])
    found: dict[int, tuple[Move, ...]] = {}
    for step in replay.chain.steps:
        entries: Any = step.content.get("entries", ())
        is_move = step.content["kind"] in (TURN, ORDERED, REVEAL)
        if not is_move or is_undo(step):
            entries = ()
        count = sum(replay.game.read_chance(key, text) is None for key, text in entries)
        found[step.height] = tuple(next(moves) for _ in range(count))
    return found


def _have_other_keys(ours: Chain, theirs: Chain) -> bool:
    """Return whether one player has joined with different keys, so on two computers."""
    mine, yours = (
        {one.by: chain.key_of(one) for one in chain.steps if one.content["kind"] == JOIN}
        for chain in (ours, theirs)
    )
    return any(yours.get(by, key) != key for by, key in mine.items())


def _tail(replay: Replay, common: int) -> _Tail:
    chain = replay.chain
    assert chain is not None
    steps = chain.steps[common:]
    moves = moves_of(replay)
    actions = {}
    turns: list[Step] = []
    free: list[Step] = []
    for step in steps:
        gone: Any = step.content.get("without", ())
        order: Any = step.content.get("order")
        by, kind = step.by, order_in(step)
        if kind is not None:
            free.append(step)
            kind += str(step.content.get("commitment", ""))
        elif order is not None:
            by, kind = chain.steps[order - 1].by, TURN
        actions[step.height] = _Action(
            by, kind or str(step.content["kind"]), moves[step.height], tuple(gone)
        )
    for step in standing(steps, chain.players).steps:
        secret = all(map(replay.game.is_secret, moves[step.height]))
        is_turn = not secret and step.content["kind"] in (TURN, ORDERED)
        (turns if is_turn else free).append(step)
    return _Tail(chain, steps, tuple(turns), tuple(free), actions)


def _rank(tail: _Tail) -> tuple[int, int, int]:
    decisive = len(tail.turns) + sum("release" in step.content for step in tail.free)
    return len(tail.steps), decisive, -tail.steps[0].by


def _missing(steps: Sequence[Step], leaves: _Tail, stays: _Tail) -> list[Step]:
    """Return the steps whose order does not matter that the version that stays lacks."""
    there = stays.of(stays.free)
    return [step for step in steps if leaves.actions[step.height] not in there]


def _can_sign_again(step: Step, leaves: _Tail, stays: _Tail) -> bool:
    """Return whether who has signed a step plays that seat in the version that stays, too."""
    key = leaves.chain.key_of(step)
    return stays.chain.keys.get(step.by, key) == key


def _are_known(turns: Sequence[Step], leaves: _Tail) -> bool:
    """Return whether another player has decided what comes up after one of these turns: then it
    must not be made again, as it could be made differently.
    """
    movers: set[int] = set()
    for step in leaves.steps:
        by = leaves.actions[step.height].by
        if "release" in step.content and movers - {by}:
            return True
        if step in turns:
            movers.add(by)
    return False


def _are_given_up(turns: Iterable[_Action], stays: _Tail) -> bool:
    """Return whether a player who made one of these turns is reported as vanished."""
    gone = {seat for action in stays.actions.values() for seat in action.gone}
    return any(turn.by in gone for turn in turns)


def order_in(step: Step) -> str | None:
    """Return the order that a step gives, as people read it, without the word ``order``; ``None``
    if it gives none.
    """
    entries: Any = step.content.get("entries")
    return entries[0][1][len(ORDERING) :] if step.content["kind"] == ORDER else None


def order_again(replay: Replay, step: Step) -> str | None:
    """Return the order to be given again for a step that its player gave it with; ``None`` if there
    is none, or a sealed one does not stand any more.
    """
    text = order_in(step)
    if text == NONE:
        return text
    given = replay.sealed and replay.sealed.orders.get(step.by)
    if not given or given.height != step.height:
        return None
    one = next(one for one in replay.declarations if one.item == given.item)
    return str(one.what.text(replay.config.players))


def describe_step(replay: Replay, step: Step) -> Sentence:
    """Return a sentence with what a signed step does, without what only its author may know."""
    chain = replay.chain
    assert chain is not None
    player = chain.players[step.by]
    if step.content["kind"] == REVEAL:
        return say("{player} reveals", player=player)
    if step.content["kind"] == GONE:
        without: Any = step.content["without"]
        gone = ", ".join(chain.players[by] for by in without)
        return say("{player} says that {gone} has vanished", player=player, gone=gone)
    if is_undo(step):
        return say("{player} takes a turn back", player=player)
    if order_in(step) is not None:
        return say("{player} gives an order", player=player)
    entries: Any = step.content["entries"]
    texts = [text for key, text in entries if replay.game.read_chance(key, text) is None]
    if any(map(replay.game.is_secret, moves_of(replay)[step.height])):
        texts = [text.split()[0] for text in texts]
    number: Any = step.content.get("order")
    if number is not None:
        return say(
            "{player} carries out an order of {owner}: {move}",
            player=player,
            owner=chain.by(number),
            move=", ".join(texts),
        )
    return say("{player} plays {move}", player=player, move=", ".join(texts))
