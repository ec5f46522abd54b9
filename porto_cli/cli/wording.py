"""How hints and lessons say a move: in the words of the menu that offers it, or of the table."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from porto_cli.core import enumerated, plural, with_article
from porto_cli.installed import lessons_of
from porto_cli.match.replay import Replay
from porto_cli.players.hint import Say
from porto_cli.term import text_of
from porto_cli.words import MANY, Option

_NUMBERED = re.compile(r"([^\W\d]\S*)(?: (\d+)\b)?")
"""A name and its number."""
_LISTED = 5
"""The most names of a move that are listed."""
_MOVED = 3
"""The most things that are told to move from one name to another."""


def as_said(replay: Replay, options: Sequence[Option]) -> Say:
    """Return what says a move of this position in the words of the menu that offers it, or in those
    that the lessons have for a verb, also where it counts 1, and for a thing; or in the phrases of
    its option. Other moves of several parts are told as they are typed; a move that counts by what
    it changes, if that is little. Of one like the best, only what differs is told.
    """
    lessons = lessons_of(replay.game.meta.id)
    ways: dict[str, str] = {**lessons.get("moves", {}), **lessons.get("things", {})}

    def said(move: str, best: str = "") -> str:
        one, other = (
            next((one for one in options if one.can_be(text)), None) for text in (move, best)
        )
        if one and one.says:
            told = other.says if other else ()
            is_alike = told[:1] == one.says[:1]
            return " ".join(own for own in one.says if not (is_alike and own in told))
        if one is None or (len(one.parts) > 1 and not one.form):
            return move
        if one.counts:
            if one.move.partition(MANY)[2] or move.endswith(" none"):
                return move
            before = _given(best) if best else Counter(one.counts.now)
            words = _Words(one.verb, one.counts.names, ways)
            return words.changed(before, _given(move), beside=bool(best)) or words.all(_given(move))
        label = re.split(r":| \(", text_of(one.parts[-1].label))[0]
        if label[0].isupper():
            return f"{label[0].lower()}{label[1:]}"
        return ways.get(one.verb, f"{one.verb} {{}}").format(_in_a_sentence(label))

    return said


def _given(move: str) -> Counter[str]:
    """Return the names in a move, with their numbers."""
    return Counter({name: int(number or 1) for name, number in _NUMBERED.findall(move)[1:]})


class _Words(NamedTuple):
    """Says moves with names that have any numbers.

    ``verb``   their first word
    ``names``  the names with the maximum of each
    ``ways``   other ways to say a verb or a name
    """

    verb: str
    names: Mapping[str, int]
    ways: Mapping[str, str]

    def changed(self, before: Counter[str], given: Counter[str], *, beside: bool) -> str:
        """Return how numbers change from those ``before``: those on the table, or of the move that
        one is compared with (``beside``). Empty if they change much, or there are no ways to say
        it.
        """
        more, less = [*(given - before).elements()], [*(before - given).elements()]
        added = len(more) - len(less)
        is_much = added < 0 or len(less) > _MOVED or (beside and added)
        if is_much or f"{self.verb} moved" not in self.ways:
            return ""
        steps = ((more[:added], "new"), (more[added:], "instead" if beside else "moved"))
        return ", and ".join(self._told(way, to, less) for to, way in steps if to)

    def all(self, given: Counter[str]) -> str:
        """Return all that a move counts: the few names that it leaves out if it has most of
        them.
        """
        left = Counter(self.names) - given
        is_short = len(given) <= max(_LISTED, len(left))
        if is_short:
            return self._told("", [*given.elements()])
        few = f"everything except {self._named(left)}" if left else "everything"
        return self._way("").format(few)

    def _told(self, way: str, to: Sequence[str], of: Sequence[str] = ()) -> str:
        """Return in one of the ways where things go, and maybe where they come from."""
        there, here = (self._named(Counter(some)) for some in (to, of))
        return self._way(way, is_one=len(to) == 1).format(there, here)

    def _way(self, way: str, *, is_one: bool = False) -> str:
        several = " ".join(filter(None, [self.verb, way]))
        one = " ".join(filter(None, [self.verb, "1", way]))
        found = self.ways.get(several, f"{self.verb} {{}}")
        return self.ways.get(one, found) if is_one else found

    def _named(self, some: Counter[str]) -> str:
        """Return names with their numbers; ``the`` with what is there once."""
        said = {name: _in_a_sentence(self.ways.get(name, name)) for name in some}
        return enumerated(
            f"the {said[name]}"
            if self.names.get(name) == 1
            else with_article(said[name])
            if number == 1
            else plural(number, said[name])
            for name, number in some.items()
        )


def _in_a_sentence(name: str) -> str:
    """Return a name of several words, which is typed with hyphens."""
    return name.replace("-", " ") if re.fullmatch(r"[a-z]+(-[a-z]+)+", name) else name
