"""The story of a game as text: round by round, with where each VP came from."""

from __future__ import annotations

from collections.abc import Sequence

from porto_cli.render import words
from porto_cli.render.spans import BOLD, DIM, PLAIN, Line, cells, padded, wrapped
from porto_cli.rules.sentence import say
from porto_cli.view.reckoning import Standings
from porto_cli.view.story import Turn

_LONGEST_NAME = 16


def log_text(turns: Sequence[Turn], standings: Standings, width: int) -> list[Line]:
    """Return the story as lines; a finished game ends with its private contracts and result."""
    names = [player.name for player in standings.players]
    column = 5 + min(_LONGEST_NAME, max(map(cells, names))) + 1
    lines: list[Line] = []
    shown = 0
    for turn in turns:
        if turn.round != shown and turn.number is not None:
            shown = turn.round
            lines.append([(str(say("Round {round}", round=shown)), BOLD)])
        lines += _turn(turn, column, width)
    if standings.over:
        lines += _end(standings, width)
    return lines


def _turn(turn: Turn, column: int, width: int) -> list[Line]:
    number = f"{turn.number or '':>4} "
    first = padded([(number, DIM), (turn.player[:_LONGEST_NAME], BOLD)], column)
    style = DIM if turn.undone else PLAIN
    text = " ".join(map(str, words.told(turn)))
    if turn.undone:
        text = str(say("{what} (Taken back.)", what=text))
    lines = wrapped(text, width, first=first, indent=column, style=style)
    scored = words.scored(turn)
    if scored:
        blank: Line = [(" " * column, PLAIN)]
        lines += wrapped(
            str(scored), width, first=blank, indent=column, style=DIM if turn.undone else "now"
        )
    return lines


def _end(standings: Standings, width: int) -> list[Line]:
    lines: list[Line] = [[(str(say("The end")), BOLD)]]
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
    lines += [
        [(f"{player.place:3}. ", PLAIN), (player.name, BOLD), (f" {player.score} VP", PLAIN)]
        for player in standings.players
    ]
    return lines
