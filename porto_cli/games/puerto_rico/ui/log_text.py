"""The story as text: by round and role, with what each decision brought."""

from __future__ import annotations

from collections.abc import Sequence

from porto_cli.core.message import Sentence, say
from porto_cli.games.puerto_rico import phrases
from porto_cli.games.puerto_rico.notation import UNDO
from porto_cli.games.puerto_rico.ui.history import Turn
from porto_cli.games.puerto_rico.ui.score_text import score_text
from porto_cli.games.puerto_rico.ui.scoring import Standings
from porto_cli.term.spans import BOLD, DIM, PLAIN, SCORED, Line, wrapped

_COLUMN = 6


def log_text(turns: Sequence[Turn], standings: Standings, width: int) -> list[Line]:
    """Return the story as lines; that of a finished game ends with the reckoning."""
    lines: list[Line] = []
    shown_round: int | None = None
    for turn in turns:
        if turn.round != shown_round and turn.kind != UNDO:
            shown_round = turn.round
            lines += [[]] if lines else []
            lines += wrapped(str(_heading(turn)), width, style=BOLD)
        lines += _turn(turn, width)
    if standings.over:
        lines += [[], [(str(say("The reckoning")), BOLD)], *score_text(standings, width)]
    return lines


def _heading(turn: Turn) -> Sentence:
    if not turn.round:
        return say("The draft")
    return say("Round {round}, {player} is governor", round=turn.round, player=turn.governor)


def _turn(turn: Turn, width: int) -> list[Line]:
    """What the player did, what that brought, and what then went by itself."""
    told = list(turn.told)
    if turn.kind == UNDO:
        told = [say("{player} takes back the last move.", player=turn.player)]
    if turn.undone:
        told.append(say("(Taken back.)"))
    number: Line = [(f"{turn.number or '':>4}  ", DIM)]
    style = DIM if turn.undone else BOLD if turn.kind == "role" else PLAIN
    rest: Sequence[Sentence] = ()
    if turn.kind == "role":
        told, rest = told[:1], told[1:]
    lines = _paragraph(told, width, number, style)
    gains = phrases.brought(turn.scores, turn.earns)
    if gains:
        style = DIM if turn.undone else SCORED
        lines += wrapped(f"{gains}.", width, first=_blank(), indent=_COLUMN, style=style)
    lines += _paragraph(rest, width, _blank(), DIM if turn.undone else PLAIN)
    return lines + _paragraph(turn.auto, width, _blank(), DIM)


def _paragraph(sentences: Sequence[Sentence], width: int, first: Line, style: str) -> list[Line]:
    if not sentences:
        return []
    text = " ".join(map(str, sentences))
    return wrapped(text, width, first=first, indent=_COLUMN, style=style)


def _blank() -> Line:
    return [(" " * _COLUMN, PLAIN)]
