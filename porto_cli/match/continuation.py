"""Two records of a game: does one go on where the other stops, or do they part, and where?

What counts is what is played: the head without its title, and every turn as this program would
write it, those taken back and undos included. Comments, the title and the form of the text make
no difference.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from porto_cli.game import Step
from porto_cli.match.replay import Replay

if TYPE_CHECKING:
    from porto_cli.match.chain import Chain


class Relation(StrEnum):
    """How another version of a record stands to the own one."""

    SAME = "same"
    CONTINUES = "continues"
    """It begins with all that the own one has, and goes on."""
    OLDER = "older"
    """The own one begins with all that it has, and goes on."""
    FORK = "fork"
    """From some turn on they differ."""
    OTHER_GAME = "other-game"


class Comparison(NamedTuple):
    """How two versions stand to each other, and from which item of ``turns`` on they differ."""

    relation: Relation
    place: int = 0
    """The number of the first step, counted from 0, that one of them lacks, has only a part of, or
    has otherwise. The steps before it are the same."""


def game_digest(replay: Replay) -> str:
    """Return what tells games apart: the digest of a game before its first turn."""
    return replay._replace(steps=()).digest


def compare(own: Replay, other: Replay) -> Comparison:
    """Return how another version of a record stands to the own one.

    An item that still waits for a decision goes on with it, in the same item; so the last item of
    the shorter version may be the beginning of one.
    """
    if game_digest(own) != game_digest(other):
        return Comparison(Relation.OTHER_GAME)
    if own.chain is not None and other.chain is not None:
        return _compare_signed(own, other, own.chain, other.chain)
    ours, theirs = own.steps, other.steps
    common = _common(ours, theirs)
    if common == len(ours) == len(theirs):
        return Comparison(Relation.SAME, common)
    if _ends_there(ours, theirs, common):
        return Comparison(Relation.CONTINUES, common)
    if _ends_there(theirs, ours, common):
        return Comparison(Relation.OLDER, common)
    return Comparison(Relation.FORK, common)


def _compare_signed(own: Replay, other: Replay, ours: Chain, theirs: Chain) -> Comparison:
    """Return how two versions of a signed game stand to each other: their signed steps say it.

    What came up after a turn of a sealed game is written into it later, which is no difference.
    """
    if ours.game != theirs.game:
        return Comparison(Relation.OTHER_GAME)
    pairs = zip(ours.steps, theirs.steps, strict=False)
    same = [(one.content, one.previous) == (two.content, two.previous) for one, two in pairs]
    place = _common(own.steps, other.steps, later=True)
    if not all(same):
        return Comparison(Relation.FORK, place)
    if len(ours.steps) == len(theirs.steps):
        return Comparison(Relation.SAME, place)
    longer = len(ours.steps) < len(theirs.steps)
    return Comparison(Relation.CONTINUES if longer else Relation.OLDER, place)


def _common(ours: Sequence[Step], theirs: Sequence[Step], *, later: bool = False) -> int:
    """Return how many steps two versions have in common from the beginning on.

    If something may have been written ``later`` into all but the last one, that does not count.
    """
    count = min(len(ours), len(theirs))
    for place, (mine, their) in enumerate(zip(ours, theirs, strict=False)):
        if mine.entries != their.entries:
            shorter = min(len(mine.entries), len(their.entries))
            begun = mine.entries[:shorter] == their.entries[:shorter]
            if not (later and begun and place < count - 1):
                return place
    return count


def _ends_there(short: Sequence[Step], long: Sequence[Step], common: int) -> bool:
    """Tell whether a version is the beginning of another one; its last step may be, too."""
    if len(short) == common:
        return True
    if len(short) > common + 1 or len(long) == common:
        return False
    begun, whole = short[common].entries, long[common].entries
    return whole[: len(begun)] == begun


_COMMENT = re.compile(r"(?:^|\s)#(.*)$", re.MULTILINE)
_MADE_BY_US = "Porto game record."


def comments_missing(own: Replay, other: Replay) -> list[str]:
    """Return the comments of the own record, and its title, that another version does not have.

    Those that this program writes itself do not count.
    """
    made = {_words(step_remark) for step_remark in _remarks(own)}
    lost = Counter(_comments(own)) - Counter(_comments(other))
    missing = [text for text in lost if text not in made and not text.startswith(_MADE_BY_US)]
    if own.record.title and own.record.title != other.record.title:
        missing.insert(0, own.record.title)
    return missing


def _remarks(replay: Replay) -> list[str]:
    return [replay.game.remark(step.events, replay.config) for step in replay.steps]


def _comments(replay: Replay) -> list[str]:
    found = _COMMENT.finditer(replay.record.text)
    return [words for comment in found if (words := _words(comment[1]))]


def _words(text: str) -> str:
    return " ".join(text.split())
