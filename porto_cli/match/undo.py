"""Taking back turns (R-UNDO): who can, and what becomes of the steps of a game.

Replaying a record (:mod:`porto_cli.match.replay`) and playing (:mod:`porto_cli.match.play`) do it
alike.
"""

from __future__ import annotations

from collections.abc import Sequence

from porto_cli.core.message import Violation
from porto_cli.game import Step
from porto_cli.match.declarations import Declaration, seats_at, table_without
from porto_cli.match.record import Record
from porto_cli.match.seats import Holder, last_of_people

UNDO = "undo"
R_UNDO = "R-UNDO"
"""The one ruling that is about records, not about the game (see ``porto rules R-UNDO``)."""


def last_standing(steps: Sequence[Step]) -> int:
    """Return the index of the last move that was not taken back, or -1."""
    return last_of_people(lambda place: {}, steps, standing=True)


class Past:
    """What was played so far, for taking back: which moves stand, and which of them people made.

    ``steps`` and ``declared`` may grow: what has come since is looked at when something is asked,
    and each step once, so that a game of many undos is not searched through at each of them.
    """

    def __init__(
        self, record: Record, steps: Sequence[Step], declared: Sequence[Declaration] = ()
    ) -> None:
        self._record, self._steps, self._declared = record, steps, declared
        self._seen = 0
        self._standing: list[int] = []
        """The places of the moves that were not taken back."""
        self._by_people: list[int] = []
        """Of those, the ones that people made."""
        self._last_of_people = -1
        """The place of the last step of a person. An undo was made by who made the move that it
        takes back."""

    @property
    def last(self) -> int:
        """The place of the last move that was not taken back, or -1."""
        self._catch_up()
        return _last(self._standing)

    def _catch_up(self) -> None:
        for place in range(self._seen, len(self._steps)):
            step = self._steps[place]
            made = place if step.takes_back is None else step.takes_back
            is_of_a_person = not self._seats_at(made)[step.seat].bot
            if is_of_a_person:
                self._last_of_people = place
            if step.takes_back is None:
                self._standing.append(place)
                self._by_people += [place] * is_of_a_person
            else:
                self._standing.pop()
                if made == _last(self._by_people):
                    self._by_people.pop()
        self._seen = len(self._steps)

    def _seats_at(self, place: int | None = None) -> tuple[Holder, ...]:
        return seats_at(self._record, self._declared, place)

    def check(self, seat: int) -> list[Violation]:
        """Return the reasons why this seat cannot undo now; none if it can. See
        :func:`check_undo`.
        """
        last = self.last
        if last < 0:
            return _forbidden("There is no turn to take back.")
        person, owner = seat, self._steps[last].seat
        at = (None, last) if owner == seat else (None,)
        if any(self._seats_at(one)[seat].bot for one in at):
            place = self._last_of_people
            person = self._steps[place].seat if place >= 0 else seat
        broken = self.check_person(person)
        if broken or owner == seat:
            return broken
        player = self._record.config.players[owner]
        return _forbidden(f"The turn of {player} that follows has to be taken back first.")

    def check_person(self, seat: int) -> list[Violation]:
        """Return why a person cannot take back a turn, whatever bots have done since."""
        players = self._record.config.players
        self._catch_up()
        place = _last(self._by_people)
        if place < 0:
            return _forbidden("There is no turn of a person to take back.")
        mover, owner = self._steps[self._last_of_people].seat, self._steps[place].seat
        if owner != mover:
            return _forbidden(
                f"The last turn that was not taken back is one of {players[owner]}, and "
                f"{players[mover]} has moved since, so it cannot be taken back."
            )
        if owner == seat and self._seats_at(place)[seat] != self._seats_at()[seat]:
            return _forbidden(
                f"The last turn of {players[seat]} cannot be taken back: since then the seat has "
                "changed hands."
            )
        if owner == seat:
            return []
        who = "person" if any(one.bot for one in self._seats_at()) else "player"
        return _forbidden(
            f"A turn can be taken back only by the {who} who moved last, and only until somebody "
            f"else moves; the last to move was {players[mover]}."
        )


def _last(places: Sequence[int]) -> int:
    return places[-1] if places else -1


def replay_undo(
    past: Past,
    record: Record,
    number: int,
    seat: int,
    steps: list[Step],
    declared: Sequence[Declaration],
) -> None:
    """Take back a turn as item ``number`` of a record says; ``past`` is that of ``steps``. Raises
    InvalidFileError.
    """
    violations = past.check(seat)
    if violations:
        record.fail(violations[0].sentence, number)
    if len(record.items[number].entries) > 1:
        record.fail("A new item has to begin after 'undo'.", number, 1)
    take_back(past.last, number, seat, steps, record, declared)


def take_back(
    place: int,
    number: int,
    seat: int,
    steps: list[Step],
    record: Record,
    declared: Sequence[Declaration] = (),
) -> None:
    """Mark the step at a place, the last that was not taken back, as undone, and append the undo,
    item ``number``.

    The undo is legal, see :func:`check_undo`. ``steps`` is changed. Seats that were left out since
    are so on the table before as well.
    """
    taken = steps[place]
    steps[place] = taken._replace(undone=True)
    before = steps[-1].after
    entries = ((taken.before.config.players[seat], UNDO),)
    after = table_without(record, taken.before, declared)
    steps.append(Step(number, seat, before, after, (), (), entries, takes_back=place))


def check_undo(
    record: Record, steps: Sequence[Step], seat: int, declared: Sequence[Declaration] = ()
) -> list[Violation]:
    """Return the reasons why this seat cannot undo now; none if it can.

    A person takes back their own last turn, and with it the turns of bots that followed. In the
    record each turn is taken back by an item of its own, the last turn first.
    """
    return Past(record, steps, declared).check(seat)


def check_whole_undo(
    record: Record, steps: Sequence[Step], seat: int, declared: Sequence[Declaration] = ()
) -> list[Violation]:
    """Return why a player cannot take back a turn together with those of bots that follow it; none
    if they can.
    """
    past = Past(record, steps, declared)
    if past.last < 0:
        return _forbidden("There is no turn to take back.")
    if seats_at(record, declared)[seat].bot:
        return _forbidden(
            f"{record.config.players[seat]} is a bot: its turns are taken back together "
            "with the turn of the player that they follow."
        )
    return past.check_person(seat)


def _forbidden(why: str) -> list[Violation]:
    return [Violation(R_UNDO, why)]
