"""What a signed step does, in words that tell nothing that only its author may know."""

from __future__ import annotations

from typing import Any

from porto_cli.core.message import Sentence, say
from porto_cli.match.chain import GONE, REVEAL
from porto_cli.match.forks import is_undo
from porto_cli.match.precedence import moves_of
from porto_cli.match.replay import Replay
from porto_cli.sealed.steps import Step


def deed(replay: Replay, step: Step) -> Sentence:
    """Say who has done what with a step of a signed game."""
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
    entries: Any = step.content["entries"]
    texts = [text for key, text in entries if replay.game.read_chance(key, text) is None]
    if any(map(replay.game.is_secret, moves_of(replay)[step.height])):
        texts = [text.split()[0] for text in texts]
    return say("{player} plays {move}", player=player, move=", ".join(texts))
