"""Games in progress: records, replay, moves, and several copies of a game. This module has the
rules for players' names, and finds the player that a typed name means.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from unicodedata import name as name_of_letter
from unicodedata import normalize

from porto_cli.core import UnknownNameError, cited, nearest, no_player
from porto_cli.core.characters import find_invisible, without_accents, without_selectors
from porto_cli.games import BOX, DEFAULT
from porto_cli.seam import GameMeta

RESULT, FINGERPRINT = "result", "fingerprint"
"""Keys that end the record of a finished game; no player can have these names."""
LONGEST_NAME = 40


def find_seat(players: Iterable[str], name: str) -> int | None:
    """Return the seat of the only player that a name can mean, see :func:`seats_of`; ``None`` if
    there is none, or more than one.
    """
    seats = seats_of(players, name)
    return seats[0] if len(seats) == 1 else None


def seat_named(players: Sequence[str], name: str, seats: Sequence[int] | None = None) -> int:
    """Return the seat of the only player that a name can mean, by default see :func:`seats_of`.
    Raises UnknownNameError.
    """
    seats = seats_of(players, name) if seats is None else seats
    if len(seats) == 1:
        return seats[0]
    if not seats:
        near = nearest(name, players)
        raise UnknownNameError(no_player(name, players), [near] if near else players, name)
    several = [players[seat] for seat in seats]
    could_be = f"{cited(name)} could be one of {', '.join(several)}; type more of it."
    raise UnknownNameError(could_be, several, name)


def with_player(players: Sequence[str], typed: str) -> tuple[int | None, str]:
    """Return the seat and the move of a typed text like ``Bob: draw blue-3``; ``None`` and the
    whole text if it does not begin with the name of a player.
    """
    name, colon, move = typed.rpartition(":")
    seat = find_seat(players, name) if colon else None
    return (None, typed) if seat is None else (seat, move.strip())


def seats_of(players: Iterable[str], name: str) -> list[int]:
    """Return the seats of the players that a typed name can mean; none if there is no match.

    Case and Unicode normalization make no difference. An exact match wins over one that ignores
    accents, which wins over names that begin with the typed text.
    """
    names = [folded(player) for player in players]
    wanted = folded(name.strip())
    found = [seat for seat, player in enumerate(names) if player == wanted]
    if found or not wanted:
        return found
    plain = [without_accents(player) for player in names]
    plainly_wanted = without_accents(wanted)
    accented = not wanted.isascii()
    return (
        [seat for seat, player in enumerate(plain) if player == plainly_wanted]
        or [seat for seat, player in enumerate(names) if accented and player.startswith(wanted)]
        or [seat for seat, player in enumerate(plain) if player.startswith(plainly_wanted)]
    )


def is_called(player: str, name: str) -> bool:
    """Return whether a typed name is a player's full name, ignoring case and accents."""
    return bool(seats_of([player], name) and seats_of([name], player))


def folded(name: str) -> str:
    """Return a name in a form that all of its spellings share, apart from accents."""
    # An accent can be a character of its own, so the same name can be encoded in several ways. The
    # first such character is U+0300; a name without such characters has only one encoding.
    if max(name, default="") >= "\u0300":
        name = without_selectors(normalize("NFC", name))
    return name.casefold()


def name_fault(name: str, others: Iterable[str] = (), meta: GameMeta = BOX[DEFAULT]) -> str | None:
    """Return why a player in a game cannot have a name; ``None`` if they can."""
    if not name or name != name.strip():
        return (
            f"{cited(name)} cannot be a player's name: it has to begin and end with a "
            "visible character."
        )
    invisible = find_invisible(name)
    if invisible is not None:
        code = f"U+{ord(name[invisible]):04X}"
        return (
            f"{cited(name)} cannot be a player's name: its character {code} is invisible, or "
            "too new for some programs."
        )
    if len(name) > LONGEST_NAME:
        return f"A player's name may have {LONGEST_NAME} characters, {cited(name)} has {len(name)}."
    if name.lower() in {RESULT, FINGERPRINT, *meta.item_keys, *BOX[DEFAULT].item_keys}:
        return (
            f"A player cannot be called {cited(name)}: that word has a special meaning in a record."
        )
    if folded(name) in map(folded, others):
        return f"Two players are called {cited(name)}; give them different names."
    return None


# -- Names that look alike

_LOOKS_LIKE = str.maketrans(
    # Cyrillic, capital and small letters.
    "АВЕЅІЈКМНОРСТУХҮԚԜӀ"
    "асеіјкорѕухһԁԛԝӏү"
    # Greek.
    "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹ"
    "αγικνορυϲϳ",
    "ABESIJKMHOPCTYXYQWIaceijkopsyxhdqwlyABEZHIKMNOPTYXCayikvopucj",
)
"""Letters of two other alphabets, and the Latin letters that they look like."""


def alike(names: Iterable[str]) -> list[str]:
    """Return warnings about valid names that look alike to a reader.

    Covered are Cyrillic and Greek letters that look like Latin ones (``Ana`` and ``Аna``), even in
    names without other letters, and variants of letters in width or style (``Ａna``). Not covered
    are Latin letters and digits that look alike (``I`` and ``l``, ``O`` and ``0``), accents, and
    other scripts.
    """
    found, seen = [], dict[str, str]()
    for name in names:
        drawn = folded(_drawn(name))
        other = seen.setdefault(drawn, name)
        if folded(other) != folded(name):
            found.append(_alike(other, name))
    return found


def _drawn(name: str) -> str:
    """Return a name in which letters that look like Latin ones are replaced by those."""
    if name.isascii():
        return name
    return normalize("NFKD", normalize("NFD", name).translate(_LOOKS_LIKE))


def _alike(one: str, other: str) -> str:
    pairs = zip(one, other, strict=False)
    first, second = next(pair for pair in pairs if folded(pair[0]) != folded(pair[1]))
    letters = [name_of_letter(letter, f"U+{ord(letter):04X}") for letter in (first, second)]
    return (
        f"{one} and {other} look alike but are different names: the first has {letters[0]} where "
        f"the second has {letters[1]}. Choose names that can be told apart in commands and mails."
    )
