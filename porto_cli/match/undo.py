"""Taking back turns (R-UNDO): who can, and what becomes of the steps of a game.

Replaying a record (:mod:`porto_cli.match.replay`) and playing (:mod:`porto_cli.match.play`) do it
alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from porto_cli.core.message import Sentence, Violation, say
from porto_cli.game import Step
from porto_cli.match.declarations import Declaration
from porto_cli.match.record import Record
from porto_cli.match.seats import Bots, is_bot, last_of_people

UNDO = "undo"
R_UNDO = "R-UNDO"
"""The one ruling that is about records, not about the game (see ``porto rules R-UNDO``)."""


def bots_at(
    record: Record, declarations: Sequence[Declaration], place: int | None = None
) -> Bots | None:
    """Return the seats that bots held at the step with this index, by default now."""
    if not any(one.sits for one in declarations):
        return record.bots
    from porto_cli.match.sitting import bots_among, holders

    return bots_among(holders(record, declarations, place))


def replay_undo(
    record: Record, number: int, seat: int, steps: list[Step], declared: Sequence[Declaration]
) -> None:
    """Take back a turn as item ``number`` of a record says. Raises InvalidFileError."""
    violations = check_undo(record, steps, seat, declared)
    if violations:
        record.fail(violations[0].sentence, number)
    if len(record.items[number].entries) > 1:
        record.fail(say("A new item has to begin after 'undo'."), number, 1)
    take_back(number, seat, steps, record, declared)


def last_standing(steps: Sequence[Step]) -> int:
    """Return the index of the last move that was not taken back, or -1."""
    return last_of_people(lambda place: None, steps, standing=True)


def take_back(
    number: int,
    seat: int,
    steps: list[Step],
    record: Record | None = None,
    declared: Sequence[Declaration] = (),
) -> None:
    """Mark the last step that was not taken back as undone, and append the undo, item ``number``.

    The undo is legal, see :func:`check_undo`. ``steps`` is changed. Seats that were left out since
    are so on the table before as well.
    """
    place = last_standing(steps)
    taken = steps[place]
    steps[place] = taken._replace(undone=True)
    before = steps[-1].after
    entries = ((taken.before.config.players[seat], UNDO),)
    after = taken.before
    if record is not None and any(one.sits for one in declared):
        from porto_cli.match.sitting import holders, table_without

        after = table_without(record.game, after, holders(record, declared))
    steps.append(Step(number, seat, before, after, (), (), entries, takes_back=place))


def check_undo(
    record: Record, steps: Sequence[Step], seat: int, declared: Sequence[Declaration] = ()
) -> list[Violation]:
    """Return the reasons why this seat cannot undo now; none if it can.

    A person takes back their own last turn, and with it the turns of bots that followed. In the
    record each turn is taken back by an item of its own, the last turn first.
    """
    last = last_standing(steps)
    if last < 0:
        return _forbidden(say("There is no turn to take back."))
    held = partial(bots_at, record, declared)
    person, owner = seat, steps[last].seat
    if is_bot(held(), seat) or (owner == seat and is_bot(held(last), seat)):
        place = last_of_people(held, steps)
        person = steps[place].seat if place >= 0 else seat
    broken = _check_person(record, steps, person, declared)
    if broken or owner == seat:
        return broken
    player = record.config.players[owner]
    return _forbidden(
        say("The turn of {player} that follows has to be taken back first.", player=player)
    )


def check_whole_undo(
    record: Record, steps: Sequence[Step], seat: int, declared: Sequence[Declaration] = ()
) -> list[Violation]:
    """Return why a player cannot take back a turn together with those of bots that follow it; none
    if they can.
    """
    if last_standing(steps) < 0:
        return _forbidden(say("There is no turn to take back."))
    if is_bot(bots_at(record, declared), seat):
        return _forbidden(
            say(
                "{player} is a bot: its turns are taken back together with the turn of the "
                "player that they follow.",
                player=record.config.players[seat],
            )
        )
    return _check_person(record, steps, seat, declared)


def _check_person(
    record: Record, steps: Sequence[Step], seat: int, declared: Sequence[Declaration]
) -> list[Violation]:
    """Return why a person cannot take back a turn, whatever bots have done since."""
    held, players = partial(bots_at, record, declared), record.config.players
    place = last_of_people(held, steps, standing=True)
    if place < 0:
        return _forbidden(say("There is no turn of a person to take back."))
    mover, owner = steps[last_of_people(held, steps)].seat, steps[place].seat
    if owner != mover:
        return _forbidden(
            say(
                "The last turn that was not taken back is one of {owner}, and {last} has moved "
                "since, so it cannot be taken back.",
                owner=players[owner],
                last=players[mover],
            )
        )
    if owner == seat and any(one.whose == seat for one in declared):
        from porto_cli.match.sitting import holders

        then, now = (holders(record, declared, at)[seat] for at in (place, None))
        if then != now:
            return _forbidden(
                say(
                    "The last turn of {player} cannot be taken back: since then the seat has "
                    "changed hands.",
                    player=players[seat],
                )
            )
    if owner == seat:
        return []
    allowed = (
        "A turn can be taken back only by the player who moved last, and only until "
        "somebody else moves; the last to move was {last}."
    )
    if held() is not None:
        allowed = (
            "A turn can be taken back only by the person who moved last, and only until "
            "somebody else moves; the last to move was {last}."
        )
    return _forbidden(say(allowed, last=players[mover]))


def _forbidden(why: Sentence) -> list[Violation]:
    return [Violation(R_UNDO, why)]
