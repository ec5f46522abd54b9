"""Records that are not what the head of their message says: cut off on the way, or older."""

from __future__ import annotations

from porto_cli.core.message import Sentence, say
from porto_cli.mail.incoming import Incoming
from porto_cli.mail.threads import code_in, has_been_at, named
from porto_cli.match.arrival import Verdict
from porto_cli.match.replay import SHORT, Replay


def cut_off(message: Incoming, replay: Replay, verdict: Verdict) -> Sentence | None:
    """Return a warning if a message names a state that the only record in it has never been at.

    A record that is cut at the end of a turn is valid, and only lacks what was played after that.
    """
    state = _state_in_id(message, replay)
    if not state and verdict in (Verdict.CONTINUES, Verdict.SAME) and replay.chain is None:
        # A new game can come in an answer to a mail of another one.
        state = code_in(message.subject)
    if not state or verdict not in _WARNED or has_been_at(replay, state):
        return None
    return say(
        "The message says that its game is at [{code}], and the record in it does not go as far: "
        "it was cut off on its way, or is an older one. Ask for the message again.",
        code=state[:SHORT],
    )


def _state_in_id(message: Incoming, replay: Replay) -> str:
    """Return the state that a message of this game names by its own id, or nothing."""
    game = replay.chain.game.hex() if replay.chain is not None else named(replay).game
    own = message.own_id
    return own.state if own and game.startswith(own.game) else ""


_WARNED = (Verdict.NEW, Verdict.CONTINUES, Verdict.SAME)
"""Of an older record, or one that parts from the local copy, more is said anyway."""
