"""Taking back turns: who may (R-UNDO), and how it is marked in the steps of a game.

A person takes back the own last turn, and with it the turns of bots that followed. In the record
each turn is taken back by an item of its own, the last one first.
"""

from __future__ import annotations

from collections.abc import Sequence

from porto_cli.core.message import Sentence, say
from porto_cli.core.violation import Violation
from porto_cli.game import Step
from porto_cli.match.bots import is_bot, last_of_people
from porto_cli.match.record import Record

UNDO = "undo"
R_UNDO = "R-UNDO"
"""The one ruling that is about records, not about the game (see ``porto rules R-UNDO``)."""


def last_standing(steps: Sequence[Step]) -> int:
    """Return the place of the last move that was not taken back, or -1."""
    return last_of_people(None, steps, standing=True)


def take_back(number: int, seat: int, steps: list[Step]) -> None:
    """Mark the last step that stands as undone, and append the undo, which is item ``number``.

    That it may be taken back was checked, see :func:`check_undo`. ``steps`` is changed.
    """
    place = last_standing(steps)
    taken = steps[place]
    steps[place] = taken._replace(undone=True)
    before = steps[-1].after
    entries = ((taken.before.config.players[seat], UNDO),)
    steps.append(Step(number, seat, before, taken.before, (), (), entries, takes_back=place))


def check_undo(record: Record, steps: Sequence[Step], seat: int) -> list[Violation]:
    """Return why a record cannot go on with an undo of this seat; none if it can (R-UNDO)."""
    last = last_standing(steps)
    if last < 0:
        return _forbidden(say("There is no turn to take back."))
    person = seat
    if is_bot(record.bots, seat):
        place = last_of_people(record.bots, steps)
        person = steps[place].seat if place >= 0 else seat
    broken = _check_person(record, steps, person)
    owner = steps[last].seat
    if broken or owner == seat:
        return broken
    players = record.config.players
    return _forbidden(
        say("The turn of {player} that follows is taken back first.", player=players[owner])
    )


def check_whole_undo(record: Record, steps: Sequence[Step], seat: int) -> list[Violation]:
    """Return why a player cannot take back a turn together with those of bots that follow it; none
    if it can be done (R-UNDO).
    """
    if last_standing(steps) < 0:
        return _forbidden(say("There is no turn to take back."))
    if is_bot(record.bots, seat):
        return _forbidden(
            say(
                "{player} is a bot: its turns are taken back together with the turn of the "
                "player that they follow.",
                player=record.config.players[seat],
            )
        )
    return _check_person(record, steps, seat)


def _check_person(record: Record, steps: Sequence[Step], seat: int) -> list[Violation]:
    """Return why a person cannot take back a turn, whatever bots have done since."""
    bots, players = record.bots, record.config.players
    place = last_of_people(bots, steps, standing=True)
    if place < 0:
        return _forbidden(say("There is no turn of a person to take back."))
    mover, owner = steps[last_of_people(bots, steps)].seat, steps[place].seat
    if owner != mover:
        return _forbidden(
            say(
                "The last turn that stands is one of {owner}, and {last} has moved since; so "
                "nobody can take it back.",
                owner=players[owner],
                last=players[mover],
            )
        )
    if owner != seat:
        told = (
            "A turn can be taken back only by the player who moved last, and only until "
            "somebody else moves; the last to move was {last}."
        )
        if bots is not None:
            told = (
                "A turn can be taken back only by the person who moved last, and only until "
                "somebody else moves; the last to move was {last}."
            )
        return _forbidden(say(told, last=players[mover]))
    return []


def _forbidden(why: Sentence) -> list[Violation]:
    return [Violation(R_UNDO, why)]
