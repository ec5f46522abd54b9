"""Chance from a seed, specified so that any other program can reproduce it.

To choose one of *n* things in a *stream* (a game's name for one of its piles) for the *index*-th
time, counted from 0:

1. take the UTF-8 text ``porto/1/SEED/STREAM/INDEX/ATTEMPT``, ``ATTEMPT`` being 0 at first;
2. take its SHA-256 and read its first two bytes as a big-endian number *x*;
3. if *x* is less than the largest multiple of *n* that does not exceed 65536, the choice is
   ``x % n``; otherwise add 1 to ``ATTEMPT`` and go back to 1.

The choice is a position in the pile, sorted by the names of the things in it. porto-record(5)
specifies the same, with test vectors.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence, Sized
from typing import TYPE_CHECKING, NamedTuple, Protocol

from porto_cli.core import USAGE, PortoError

if TYPE_CHECKING:
    from hashlib import sha256 as sha256
    from random import Random
else:
    # hashlib loads OpenSSL, which takes longer than replaying a game. Python's random module avoids
    # it in the same way.
    try:
        from _sha2 import sha256  # Python 3.12
    except ImportError:
        try:
            from _sha256 import sha256
        except ImportError:
            from hashlib import sha256

SEED_LENGTH = 16
_RANGE = 1 << 16


class Chance(Protocol):
    """Decides what comes up: ``chance(stream, index, pile)`` returns a position in the sorted pile.

    ``stream`` is a game's name for one of its piles; ``index`` is how many things have come up in
    this stream so far. Seeded chance returns the same for the same arguments, so taking back a move
    changes nothing; what people type is consumed.
    """

    def __call__(self, stream: str, index: int, pile: bytes, /) -> int:
        """Return the position in the pile of what comes up."""


class Stream(NamedTuple):
    """A stream of chance in records, and in what is said about them."""

    names: Sequence[str]
    """The names of the things that can come up, by their numbers."""
    entries: Mapping[str, Callable[[str], bytes]]
    """The keys of the entries for what came up, each with what reads its text. Raises
    InvalidMoveError."""
    missing: str
    """What an item has to say in which nothing came up: ``which cards came up ('refill: …')``."""
    gone: str
    """Where a thing is that cannot come up."""


def seeded_chance(seed: str) -> Callable[[str, int, Sized], int]:
    """Return the chance of an open record, in which everything follows from the seed."""
    lead = f"porto/1/{seed}/"

    def position(stream: str, index: int, pile: Sized, /) -> int:
        """Return the position of what comes up in a sorted pile of 1 to 65536 things."""
        count = len(pile)
        attempt = "0"  # A text, because it rarely changes.
        while True:
            digest = sha256(f"{lead}{stream}/{index}/{attempt}".encode()).digest()
            x = 256 * digest[0] + digest[1]
            choice = x % count
            if x - choice <= _RANGE - count:
                return choice
            attempt = str(int(attempt) + 1)

    return position


def choose(seed: str, stream: str, index: int, count: int) -> int:
    """Return the position, 0 to ``count - 1``, that the seed chooses. ``count`` is 1 to 65536."""
    if not 1 <= count <= _RANGE:
        raise ValueError(f"One of {count} things cannot be chosen.")
    return seeded_chance(seed)(stream, index, range(count))


class NothingTypedError(PortoError):
    """Something has to come up, from this ``stream`` and ``pile``, and none was given."""

    exit_code = USAGE

    def __init__(self, stream: str, pile: bytes) -> None:
        super().__init__(stream, pile)
        self.stream = stream
        self.pile = pile


class NotInPileError(PortoError):
    """What was given cannot come up: it is not in the face-down pile."""

    exit_code = USAGE

    def __init__(self, stream: str, thing: int, pile: bytes) -> None:
        super().__init__(stream, thing, pile)
        self.stream = stream
        self.thing = thing
        self.pile = pile


class TypedChance:
    """The chance of a real table: people type what came up, in order within each stream.

    In ``unordered`` streams any order will do. Raises :class:`NothingTypedError` when a stream has
    run out, and :class:`NotInPileError` when the next thing cannot come up.
    """

    def __init__(self, unordered: Collection[str] = (), /, **streams: bytes) -> None:
        self.unordered = unordered
        self.left = {stream: list(things) for stream, things in streams.items()}

    def __call__(self, stream: str, index: int, pile: bytes, /) -> int:
        """Return the position in the sorted pile of what was typed next."""
        things = self.left.get(stream)
        if not things:
            raise NothingTypedError(stream, pile)
        here = (place for place, thing in enumerate(things) if thing in pile)
        thing = things.pop(next(here, 0) if stream in self.unordered else 0)
        position = pile.find(thing)
        if position < 0:
            raise NotInPileError(stream, thing, pile)
        return position


def first_of_pile(stream: str, index: int, pile: bytes, /) -> int:
    """Return 0: the chance of moves of which it does not matter what comes up."""
    return 0


class Noted:
    """The chance of hypothetical moves: it counts how much of each stream would come up.

    What is ``known`` comes up; after that, the first thing of the pile.
    """

    def __init__(self, known: Chance | None = None) -> None:
        self.known = known or TypedChance()
        self.counts: dict[str, int] = {}

    def __call__(self, stream: str, index: int, pile: bytes, /) -> int:
        """Return a position in the sorted pile."""
        self.counts[stream] = self.counts.get(stream, 0) + 1
        try:
            return self.known(stream, index, pile)
        except NothingTypedError:
            return 0


def scripted_chance(
    seed: str, scripts: Mapping[str, bytes], first: Mapping[str, int], alike: Collection[str]
) -> Chance:
    """Return the chance of a scenario: scripted things come up in order, and then a seed decides.

    ``scripts`` has the things of each stream, ``first`` the index at which each script begins.
    For streams that are ``alike``, the seed does not choose what the script of another one still
    needs. The chance raises :class:`NotInPileError` if a scripted thing cannot come up.
    """

    def chance(stream: str, index: int, pile: bytes, /) -> int:
        script = scripts.get(stream, b"")
        nth = index - first.get(stream, 0)
        if 0 <= nth < len(script):
            position = pile.find(script[nth])
            if position < 0:
                raise NotInPileError(stream, script[nth], pile)
            return position
        free = pile
        for other, things in scripts.items():
            if other != stream and stream in alike and other in alike:
                free = less(free, things)
        free = free or pile
        return pile.index(free[choose(seed, stream, index, len(free))])

    return chance


def random_chance(rng: Random) -> Chance:
    """Return the chance of a random generator, independent of any record's seed."""

    def chance(stream: str, index: int, pile: bytes, /) -> int:
        return int(rng.random() * len(pile))

    return chance


def drawn(
    pile: bytes, count: int, stream: str, chance: Chance, first: int = 0
) -> tuple[bytes, bytes]:
    """Return ``count`` things that come up from a pile, or all it has, and the rest of the pile.

    ``first`` is how many things have come up in the stream before.
    """
    taken = b""
    for index in range(first, first + min(count, len(pile))):
        position = chance(stream, index, pile)
        taken += pile[position : position + 1]
        pile = pile[:position] + pile[position + 1 :]
    return taken, pile


def less(pile: bytes, things: bytes) -> bytes:
    """Return the pile without these things; those not in it are ignored."""
    rest = bytearray(pile)
    for thing in things:
        if thing in rest:
            rest.remove(thing)
    return bytes(rest)


def new_seed() -> str:
    """Return a fresh seed: 16 hexadecimal digits from the operating system."""
    return os.urandom(SEED_LENGTH // 2).hex()
