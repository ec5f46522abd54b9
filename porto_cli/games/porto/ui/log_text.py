"""The story of a game as text: round by round, with where each VP came from."""

from __future__ import annotations

from collections.abc import Sequence

from porto_cli.core.message import say
from porto_cli.games.porto.history import Turn
from porto_cli.games.porto.ui import phrases
from porto_cli.games.porto.ui.scoring import Standings
from porto_cli.term.spans import BOLD, DIM, PLAIN, SCORED, Line, wrapped

_COLUMN = 6


def log_text(turns: Sequence[Turn], standings: Standings, width: int) -> list[Line]:
    """Return the story as lines; a finished game ends with its private contracts and result."""
    lines: list[Line] = []
    shown = 0
    for turn in turns:
        if turn.round != shown and turn.number is not None:
            shown = turn.round
            lines.append([(str(say("Round {round}", round=shown)), BOLD)])
        lines += _turn(turn, width)
    if standings.over:
        lines += _end(standings, width)
    return lines


def _turn(turn: Turn, width: int) -> list[Line]:
    """What the player did, what that scored, and what the solo timer did then."""
    own, timer = phrases.told_apart(turn)
    scored = phrases.scored(turn)
    if turn.undone:
        own.append(say("(Taken back.)"))
    first: Line = [(f"{turn.number or '':>4}  ", DIM)]
    blank: Line = [(" " * _COLUMN, PLAIN)]
    lines = []
    for sentences, style, start in (
        (own, PLAIN, first),
        ([scored] if scored else [], SCORED, blank),
        (timer, PLAIN, blank),
    ):
        if sentences:
            text = " ".join(map(str, sentences))
            style = DIM if turn.undone else style
            lines += wrapped(text, width, first=start, indent=_COLUMN, style=style)
    return lines


def _end(standings: Standings, width: int) -> list[Line]:
    lines: list[Line] = [[(str(say("The reckoning")), BOLD)]]
    for player in standings.players:
        if standings.private_counted:
            for contract in player.private or ():
                sentence = say(
                    "{player} scores {vp} VP for the private contract {name}.",
                    player=player.name,
                    vp=contract.vp,
                    name=contract.contract,
                )
                lines += wrapped(str(sentence), width, indent=5)
    for name in standings.given_up:
        lines += wrapped(str(phrases.given_up(name)), width, indent=5)
    lines += [
        [(f"{player.place:3}. ", PLAIN), (player.name, BOLD), (f" {player.score} VP", PLAIN)]
        for player in standings.players
    ]
    return lines
