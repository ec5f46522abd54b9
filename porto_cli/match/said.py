"""What players say to each other: comments in a record like ``# Ana says: Well played!``, each
below the turn that it goes with.

They are not part of the game: no digest, signature or proof covers them, and anyone who can write
into a record can write one in any player's name.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Collection, Iterator
from itertools import chain
from typing import NamedTuple

from porto_cli.core import usage
from porto_cli.core.characters import find_forbidden, printable
from porto_cli.core.yaml import is_too_large, newline_of
from porto_cli.match import LONGEST_NAME
from porto_cli.match.items import SEAT, begins_with, read_seat
from porto_cli.match.record import SAID, Record
from porto_cli.match.replay import AnyReplay, Replay
from porto_cli.seam import Heard

_SIGN = "# "
LONGEST = 500
"""Maximum number of characters of one comment."""
_MARKS = str.maketrans(dict.fromkeys("\u201c\u201d", '"'))


class Said(NamedTuple):
    """What a player said; ``item`` is the index of the item above it, -1 if there is none."""

    item: int
    player: str
    text: str

    @property
    def sentence(self) -> str:
        """The text and its speaker as shown to people. The quotation marks cannot occur in the
        text, so no part of it can pass for other news.
        """
        text = self.text.translate(_MARKS)
        return f"{self.player} says: \u201c{text}\u201d"

    @property
    def comment(self) -> str:
        """The text of the comment in a record, without ``#``."""
        return f"{self.player}{SAID}{self.text}"


def one_line(typed: str) -> str:
    """Return the typed text on one line. Raises WrongUsageError if it is empty, too long, or not
    printable.
    """
    text = " ".join(typed.split())
    if not text:
        usage("--say needs a text, like: --say 'Well played!'")
    if printable(text) != text or find_forbidden(text) is not None:
        usage(
            f"--say takes printable text, but got '{printable(text)}'; leave out invisible "
            "characters."
        )
    if len(text) > LONGEST:
        usage(f"--say takes at most {LONGEST} characters, but got {len(text)}.")
    return text


def said_in(record: Record) -> list[Said]:
    """Return what was said, in the order of the record."""
    if SAID not in record.human:
        return []
    names = names_in(record)
    return [
        Said(item, player, printable(text[:LONGEST])[:LONGEST])
        for item, block in enumerate(record.blocks(), start=-1)
        for line in block
        if SAID in line
        for player, text in _divided(line, names)
    ]


def _divided(line: str, names: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield the speaker and the text if a line of a record is a comment of this form.

    A name can itself contain `` says: ``: the longest one counts.
    """
    comment = line.lstrip(" \t")
    if not comment.startswith(_SIGN):
        return
    end = len(_SIGN) + LONGEST_NAME + len(SAID)
    while (place := comment.rfind(SAID, len(_SIGN), end)) >= 0:
        player, text = comment[len(_SIGN) : place], comment[place + len(SAID) :].rstrip()
        if player in names and text:
            yield player, text
            return
        end = place + len(SAID) - 1


def names_in(record: Record) -> set[str]:
    """Return the names of everybody who plays or has played."""
    players = record.config.players
    names = {*players}
    for player, text in (item.entries[0] for item in record.items):
        if begins_with(text, SEAT):
            _, holder = read_seat(text, record, players.index(player))
            names.add(holder.name)
    return names


def said_after(replay: Replay) -> Iterator[tuple[int, Said]]:
    """Yield what was said, each with the index of the last step above it, -1 if there is none.

    What is below an item other than a step, such as an order, goes with the step before that.
    """
    items = [step.item for step in replay.steps]
    for one in said_in(replay.record):
        yield bisect(items, one.item) - 1, one


def with_news(replay: AnyReplay) -> AnyReplay:
    """Return a game whose steps include what was said after them, and which seats changed hands;
    the first step also has what came before it.
    """
    news = [(place, Heard(one.sentence, one.player)) for place, one in said_after(replay)]
    if replay.has_sittings:
        news += (
            (one.place - 1, Heard(one.seats[one.seat].plays(one.entries[0][0], " from here on")))
            for one in replay.declarations
            if one.order is None
        )
    below: dict[int, list[Heard]] = {}
    for place, one in news:
        below.setdefault(max(place, 0), []).append(one)
    steps = (
        step._replace(said=(*step.said, *below[place])) if place in below else step
        for place, step in enumerate(replay.steps)
    )
    return replay._replace(steps=tuple(steps)) if below else replay


def ordered(replay: Replay, place: int) -> list[str]:
    """Return the note ``(Ordered.)`` for a step that orders decided, else nothing. For a game
    without orders nothing is loaded.
    """
    if not replay.declarations:
        return []
    from porto_cli.match.orders import was_ordered

    return ["(Ordered.)"] if was_ordered(replay, place) else []


def heard(replay: Replay, place: int, reader: int | None) -> list[str]:
    """Return what players other than the reader said after a step, and which seats changed hands
    there.
    """
    own = "" if reader is None else replay.holders[reader]
    return [one.sentence for one in replay.steps[place].said if one.player != own]


def sat_down(replay: Replay, place: int) -> list[str]:
    """Return which seats changed hands after a step."""
    return [one.sentence for one in replay.steps[place].said if one.player is None]


def with_said_of(record: Record, other: Record) -> Record:
    """Return a record to which is added what was said only in another version of its game; the
    record as it is if it would become too large.
    """
    known, blocks, end = set(said_in(record)), record.blocks(), newline_of(record.text)
    new = [one for one in said_in(other) if one not in known]
    for one in new:
        blocks[min(one.item + 1, len(blocks) - 1)].append(f"# {one.comment}{end}")
    text = "".join(chain(*blocks)) + record.machine
    return record._replace(text=text) if new and not is_too_large(text) else record
