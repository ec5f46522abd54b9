"""Moves that are offered to who has only a mail or a page: the best under each heading."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from porto_cli.term.spans import PLAIN, text_of
from porto_cli.words import MANY, Option, alike, grouped, groups

MOST_OFFERED = 40
"""Moves that a mail offers; the others are written in words."""


class MoveOffer(NamedTuple):
    """A move, or all moves of a turn, that somebody who has only a mail can choose.

    ``label``  what a person reads, like ``red-2 and yellow-1``
    ``moves``  canonical words, in the order in which they are played
    ``note``   what it scores or costs, like ``5 VP``; may be empty
    """

    label: str
    moves: tuple[str, ...]
    note: str = ""


class MoveGroup(NamedTuple):
    """Moves of one kind, the best-scoring first.

    ``more``  how to write the others in words; may be empty
    """

    title: str
    offers: tuple[MoveOffer, ...]
    more: str = ""


def offered(options: Sequence[Option], most: int = MOST_OFFERED) -> list[MoveGroup]:
    """Return the best moves under each heading, so many in all, for a mail or a page.

    Of moves that differ only in numbers one is offered.
    """
    best = {
        heading: [_one_of(one) for one in alike(group)]
        for heading, group in grouped(options, lambda one: one.heading).items()
    }
    # The best under each heading, then the second best, until there is no more room.
    ranked = sorted((nth, heading) for heading, group in best.items() for nth in range(len(group)))
    room = Counter(heading for _, heading in ranked[:most])
    found = [_offered(heading, group, room[heading]) for heading, group in best.items()]
    are_more = any(one.counts for one in options)
    if found and (are_more or sum(len(group.offers) for group in found) < len(options)):
        example = next(iter(best.values()))[-1].move
        more = f"Any other legal move can be written in the same words, like: {example}"
        found[-1] = found[-1]._replace(more=more)
    return found


def _one_of(option: Option) -> Option:
    """Return the move itself, or of all that differ only in numbers the one with most."""
    if not option.counts:
        return option
    left, words = option.counts.most, []
    for name, most in option.counts.names.items():
        number = min(most, left)
        left -= number
        words += [f"{name} {number}"] if number else []
    move = option.move.replace(MANY, " ".join(words))
    return option._replace(move=move, parts=(option.parts[0]._replace(label=[(move, PLAIN)]),))


def _offered(heading: str, group: Sequence[Option], room: int) -> MoveGroup:
    """Return some moves, each called by what the others have not."""
    parts = range(min(len(one.parts) for one in group))
    shared = next((nth for nth in parts if len(groups(group, nth)) > 1), len(parts))
    offers = []
    for one in group[:room]:
        labels = [" ".join(text_of(part.label).split()) for part in one.parts[shared:]]
        label = ": ".join(filter(None, [", ".join(labels) or one.move, one.does]))
        moves = (one.move, *(then.move for then in one.then[:1]))
        offers.append(MoveOffer(label, moves, one.brings))
    return MoveGroup(heading, tuple(offers))
