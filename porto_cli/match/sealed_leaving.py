"""Players who have vanished from a sealed game: who leaves it, by what the others have said.

That somebody has vanished is said and proven by nothing, so it may be said by mistake, or to do
harm. Whoever says it stays, and goes on with everybody else except those whom they have named. So
who stays is found from the player who has just spoken: that player stays, and with each player who
stays everybody whom that player has *not* named. All others leave, all at once; each of them was
named by each of those who stay.

Whoever makes a step is there, so what was said of them before is void.

So those who stay can always be rid of those who do not answer; one player who names honest players
and then vanishes changes nothing; and a player who names all others goes on alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

Statements = Mapping[int, frozenset[int]]
"""Of whom it was said that they have vanished, and by whom."""

RULE = 2
"""The number of the rule above in a step. A step without a number follows the first rule."""


def heard(said: Statements, by: int, gone: Iterable[int]) -> dict[int, frozenset[int]]:
    """Return what was said in all when ``by`` has named others as well."""
    return {**said, **{one: said.get(one, frozenset()) | {by} for one in gone}}


def void(said: Statements, seat: int) -> dict[int, frozenset[int]]:
    """Return what was said of all others: this player has made a step."""
    return {one: by for one, by in said.items() if one != seat}


def left_over(said: Statements, gone: frozenset[int]) -> dict[int, frozenset[int]]:
    """Return what was said of and by those who have not left."""
    kept = {one: by - gone for one, by in said.items() if one not in gone}
    return {one: by for one, by in kept.items() if by}


def leaving(playing: frozenset[int], said: Statements, speaker: int) -> frozenset[int]:
    """Return who leaves now that somebody has spoken; not all of those who are ``playing``."""
    staying = {speaker}
    while more := {one for one in playing - staying if not staying <= said.get(one, frozenset())}:
        staying |= more
    return playing - staying


def leaving_by_first_rule(playing: frozenset[int], said: Statements) -> frozenset[int]:
    """Return who leaves by the rule of steps without a number: everybody who was named, by
    whomever, as soon as all who were not named have named each of them.
    """
    named = frozenset(said)
    return named if all(said[one] >= playing - named for one in named) else frozenset()
