"""Two signed versions of one step: found in two copies of a game, and proven to third persons.

Who has signed two versions of a step has shown different games to different players. The two
signatures prove it to anybody who knows the key; no record is needed.
"""

from __future__ import annotations

import json
import textwrap
from typing import NamedTuple

from porto_cli.core.message import say
from porto_cli.core.yaml import InvalidFileError, Place
from porto_cli.match.chain import Chain
from porto_cli.match.seals import WIDTH, spelled
from porto_cli.sealed.errors import ProofError
from porto_cli.sealed.identity import public_text
from porto_cli.sealed.steps import Fork, fork_of

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
