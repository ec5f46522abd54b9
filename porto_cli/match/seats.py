"""Seats: what their players may be called, how names are typed, and which of them bots hold.

A record names the bots in its header:

    bots: {Rui: level-4}
    bots-version: 1

How they choose their moves is not part of the record: see :mod:`porto_cli.players.bots`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from porto_cli.core.characters import find_invisible, without_selectors
from porto_cli.core.message import InvalidMoveError, shown
from porto_cli.core.yaml import Node, NotKnownHereError, flow, scalar
from porto_cli.game import BOX, DEFAULT, GameMeta, Step

RESULT, FINGERPRINT = "result", "fingerprint"
"""Keys that end the record of a finished game, so that no player can be called like them."""
LONGEST_NAME = 40


def player_count_fault(meta: GameMeta, count: int) -> str | None:
    """Return why a game cannot have this number of players, or None if it can."""
    if count in meta.players:
        return None
    return f"{meta.title} has {meta.players.start} to {meta.players.stop - 1} players, not {count}."


def seat_of(players: Iterable[str], name: str) -> int | None:
    """Return the seat of the only player that a name can mean, see :func:`seats_of`; else None."""
    seats = seats_of(players, name)
    return seats[0] if len(seats) == 1 else None


def seat_named(players: Sequence[str], name: str) -> int:
    """Return the seat of the only player that a name can mean. Raises InvalidMoveError."""
    seat = seat_of(players, name)
    if seat is None:
        raise InvalidMoveError(
            f"{shown(name)} has to be the name of one of {', '.join(players)}, or its beginning."
        )
    return seat


def seats_of(players: Iterable[str], name: str) -> list[int]:
    """Return the seats of the players that a typed name can mean; none if there is no match.

    Case and Unicode normalization make no difference. An exact match wins over one that ignores
    accents, and this over names that begin with what was typed.
    """
    names = [_folded(player) for player in players]
    wanted = _folded(name.strip())
    found = [seat for seat, player in enumerate(names) if player == wanted]
    if found or not wanted:
        return found
    plain = [_without_accents(player) for player in names]
    plainly_wanted = _without_accents(wanted)
    accented = not wanted.isascii()
    return (
        [seat for seat, player in enumerate(plain) if player == plainly_wanted]
        or [seat for seat, player in enumerate(names) if accented and player.startswith(wanted)]
        or [seat for seat, player in enumerate(plain) if player.startswith(plainly_wanted)]
    )


def _folded(name: str) -> str:
    # An accent can be a character of its own, so that one name has several forms. The first such
    # character is U+0300; below it every name has one form.
    if max(name, default="") >= "\u0300":
        from unicodedata import normalize

        name = without_selectors(normalize("NFC", name))
    return name.casefold()


def _without_accents(name: str) -> str:
    if name.isascii():
        return name
    from unicodedata import combining, normalize

    return "".join(letter for letter in normalize("NFKD", name) if not combining(letter))


def name_fault(name: str, others: Iterable[str] = (), meta: GameMeta = BOX[DEFAULT]) -> str | None:
    """Return why a name cannot be a player's in a game, or None if it can."""
    if not name or name != name.strip():
        return (
            f"{shown(name)} cannot be a player's name: it has to begin and end with a "
            "visible character."
        )
    invisible = find_invisible(name)
    if invisible is not None:
        code = f"U+{ord(name[invisible]):04X}"
        return (
            f"{shown(name)} cannot be a player's name: its character {code} is invisible, or "
            "too new for some programs."
        )
    if len(name) > LONGEST_NAME:
        return f"A player's name may have {LONGEST_NAME} characters, {shown(name)} has {len(name)}."
    if name.lower() in {RESULT, FINGERPRINT, *meta.item_keys, *BOX[DEFAULT].item_keys}:
        return (
            f"A player cannot be called {shown(name)}: that word has a special meaning in a record."
        )
    if _folded(name) in map(_folded, others):
        return f"Two players are called {shown(name)}; give them different names."
    return None


_LOOKS_LIKE = str.maketrans(
    # Cyrillic, capital and small letters.
    "АВЕЅІЈКМНОРСТУХҮԚԜӀ"
    "асеіјкорѕухһԁԛԝӏү"
    # Greek.
    "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹ"
    "αγικνορυϲϳ",
    "ABESIJKMHOPCTYXYQWIaceijkopsyxhdqwlyABEZHIKMNOPTYXCayikvopucj",
)
"""Letters of two other alphabets that are drawn like Latin ones, and those."""


def alike(names: Iterable[str]) -> list[str]:
    """Warn of names that can be a player's each, and look alike to whoever reads them.

    Covered are Cyrillic and Greek letters that are drawn like Latin ones (``Ana`` and ``Аna``),
    also in names that have no other letters, and forms of letters for their width or style
    (``Ａna``). Not covered are Latin letters and digits that look alike (``I`` and ``l``, ``O`` and
    ``0``), accents, and other scripts.
    """
    found, seen = [], dict[str, str]()
    for name in names:
        drawn = _folded(_drawn(name))
        other = seen.setdefault(drawn, name)
        if _folded(other) != _folded(name):
            found.append(_alike(other, name))
    return found


def _drawn(name: str) -> str:
    """Return a name with Latin letters for all that look like them."""
    if name.isascii():
        return name
    from unicodedata import normalize

    return normalize("NFKD", normalize("NFD", name).translate(_LOOKS_LIKE))


def _alike(one: str, other: str) -> str:
    from unicodedata import name as called

    pairs = zip(one, other, strict=False)
    first, second = next(pair for pair in pairs if _folded(pair[0]) != _folded(pair[1]))
    letters = [called(letter, f"U+{ord(letter):04X}") for letter in (first, second)]
    return (
        f"{one} and {other} look alike but are two names: the first has {letters[0]} where the "
        f"second has {letters[1]}. Choose names that can be told apart, in commands and in mails."
    )


# -- Bots


BOTS, VERSION = "bots", "bots-version"
_LEVEL = "level-"


def level_named(typed: str, names: Collection[str]) -> str | None:
    """Return the player type that was typed, in any case and with or without ``level-``."""
    name = typed.lower()
    if name not in names and name.isdigit():
        name = _LEVEL + name
    return name if name in names else None


def shortest(name: str) -> str:
    """Return the shortest form of a player type that can be typed: ``4``."""
    return name.removeprefix(_LEVEL)


def in_words(name: str) -> str:
    """Return a player type in words: ``level 4``."""
    return name.replace("-", " ")


def levels_among(names: Iterable[str]) -> list[str]:
    """Return the player types that are levels of strength, the weakest first; often none."""
    return [name for name in names if name.startswith(_LEVEL)]


class Holder(NamedTuple):
    """Who plays a seat: a person called ``name``, or with that name a bot, or nobody.

    ``bot``   the player type, of ``version``
    ``turn``  how many turns were over when that began, 0 from the start
    """

    name: str
    bot: str = ""
    version: int = 0
    out: bool = False
    turn: int = 0


def bots_among(seats: Iterable[Holder]) -> dict[int, str]:
    """Return the seats that bots hold, with their player types."""
    return {seat: one.bot for seat, one in enumerate(seats) if one.bot}


def bot_lines(seats: Iterable[Holder]) -> list[str]:
    """Return the canonical lines of a header about bots; none if there are none."""
    bots = [one for one in seats if one.bot]
    held = {scalar(one.name): scalar(one.bot) for one in bots}
    return [f"{BOTS}: {flow(held)}", f"{VERSION}: {bots[0].version}"] if bots else []


def read_seats(
    root: Node, players: Sequence[str], meta: GameMeta, *, seeded: bool
) -> tuple[Holder, ...]:
    """Return who plays the seats by a header. Raises InvalidFileError.

    ``seeded`` if the seed decides everything that comes up: bots can neither type that in nor sign.
    """
    entries = root.mapping()
    if BOTS not in entries and VERSION not in entries:
        return tuple(map(Holder, players))
    if BOTS not in entries:
        entries[VERSION].fail("'bots-version' is allowed only in a game with 'bots'.")
    node = entries[BOTS]
    if not node.mapping():
        node.fail("'bots' should contain players with their levels.")
    if VERSION not in entries:
        node.fail(
            "The key 'bots-version' is missing: it says of which version of the "
            f"players of {meta.title} the bots are. This program has version "
            f"{meta.bots_version}."
        )
    version = entries[VERSION].number(least=1)
    if not seeded:
        node.fail("Bots can play only in a game with 'secrecy: open'.")
    held: dict[str, str] = {}
    for player, value in node.mapping().items():
        if player not in players:
            node.keys[player].fail(
                f"{shown(player)} is not one of the players {', '.join(players)}."
            )
        name = value.text()
        if name not in meta.former_bots and not is_a_bot(name, meta):
            value.fail(
                f"This program does not know the level {shown(name)} of bots of "
                f"{meta.title}; it has {', '.join(meta.bots)}. A newer porto may know it; "
                "or a package that adds the player has to be installed, or 'players' in "
                "your config.yaml has to name it.",
                NotKnownHereError,
            )
        held[player] = name
    if len(held) == len(players):
        node.fail("All players are bots; at least one has to be a person.")
    return seated(players, held, version)


def seated(players: Sequence[str], bots: Mapping[str, str], version: int) -> tuple[Holder, ...]:
    """Return who plays the seats, ``bots`` being the player types of some players."""
    return tuple(Holder(one, bots[one], version) if one in bots else Holder(one) for one in players)


def is_a_bot(name: str, meta: GameMeta) -> bool:
    """Return whether a name is that of a player type that can be a bot.

    A record contains only the name: that of a player of the game, of an installed package, or of
    the user's own settings. It never says where code is.
    """
    if name in meta.bots:
        return True
    from porto_cli.installed import player_names

    return name in player_names(meta.id)


def titled(player: str, name: str) -> str:
    """Return a bot with its level, ``Rui (bot, level 4)``, or who has ordered a move."""
    if not name:
        return f"{player} (ordered)"
    return f"{player} (bot, {in_words(name)})"


Held = Callable[[int], Mapping[int, str]]
"""Returns which seats bots held at a step, which is given by its index."""


def last_of_people(held: Held, steps: Sequence[Step], *, standing: bool = False) -> int:
    """Return the index of the last step that a person made, or -1.

    An undo was made by who made the move that it takes back. If ``standing``, only of moves that
    were not taken back.
    """
    for place in range(len(steps) - 1, -1, -1):
        step = steps[place]
        stands = not step.undone and step.takes_back is None
        made = place if step.takes_back is None else step.takes_back
        if (stands or not standing) and step.seat not in held(made):
            return place
    return -1
