"""What two signed copies of a game show about their players: two versions of a step, and an undo of
a turn that another player had gone on from.

Who has signed two versions of a step has shown different games to different players. The two
signatures prove it to anybody who knows the key; no record is needed.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from porto_cli.core.message import say
from porto_cli.core.yaml import InvalidFileError, Place
from porto_cli.match.chain import GONE, REVEAL, TURN, Chain
from porto_cli.match.seals import WIDTH, spelled
from porto_cli.match.undoing import UNDO
from porto_cli.sealed.errors import ProofError
from porto_cli.sealed.identity import public_text
from porto_cli.sealed.steps import Fork, Step, fork_of

MARK = "porto-proof: 1"
"""The line with which a proof begins, behind comments."""


class TwoVersions(NamedTuple):
    """A player who has signed two versions of a step."""

    player: str
    fork: Fork


def between(one: Chain, other: Chain) -> TwoVersions | None:
    """Return the first step of which two copies of a game have two versions of one signer."""
    if one.game != other.game:
        return None
    for first, second in zip(one.steps, other.steps, strict=False):
        same_signer = first.by == second.by and one.keys[first.by] == other.keys.get(second.by)
        if same_signer and (first.content, first.previous) != (second.content, second.previous):
            fork = fork_of(one.game, one.keys[first.by], first, second)
            if fork:
                return TwoVersions(one.players[first.by], fork)
    return None


class TakenBack(NamedTuple):
    """A turn that was taken back in one copy, and that another player has gone on from in the other
    one.
    """

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
    """Tell whether a step takes a turn back."""
    entries: Any = step.content.get("entries")
    return step.content["kind"] == TURN and bool(entries[0][1] == UNDO)


class Standing(NamedTuple):
    """Which steps of some of a game's stand."""

    turns: tuple[tuple[Step, ...], ...]
    """Those that make moves and were not taken back, in groups that are taken back together."""
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
    """Return which of some consecutive steps of a game stand."""
    turns: list[list[Step]] = []
    begun_before = False
    undo: Step | None = None
    for step in steps:
        entries: Any = step.content.get("entries")
        if step.content["kind"] not in (TURN, REVEAL, GONE):
            continue
        goes_on = step.content["kind"] == TURN and entries[0][0] not in players
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
    """Return the text of a proof, which says in its first lines what it proves."""
    fork = found.fork
    told = say(
        "The owner of the key {key}, who plays as {player}, has signed two versions of step "
        "{height} of one game. 'porto verify' with this file checks it; no record is needed.",
        key=public_text(fork.key),
        player=found.player,
        height=fork.first.height,
    )
    text = spelled(fork.to_json())
    return "\n".join(
        [
            *textwrap.wrap(str(told), WIDTH, initial_indent="# ", subsequent_indent="# "),
            MARK,
            "proof: |",
            *(f"  {text[start : start + WIDTH - 2]}" for start in range(0, len(text), WIDTH - 2)),
            "",
        ]
    )


def read(text: str, file: str) -> Fork:
    """Return the proof of a text; it holds. Raises InvalidFileError."""
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
