"""Setting up a game in memory, and one like another; sealed games are set up in
:mod:`porto_cli.sealed.chain`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from porto_cli.core.chance import choose, new_seed, seeded_chance
from porto_cli.core.yaml import InvalidFileError, read
from porto_cli.game import Deal, GameMeta
from porto_cli.games import DEFAULT, game_of
from porto_cli.match import find_seat, folded
from porto_cli.match.match import Match, loads
from porto_cli.match.record import OPEN, TABLE, Header, new_text
from porto_cli.match.seats import Holder, is_a_bot, seated


def new_game(
    players: Iterable[str],
    *,
    game: str = DEFAULT,
    seed: str | None = None,
    first: str | None = None,
    title: str = "",
    setup: Deal | None = None,
    name: str = "GAME.yaml",
    bots: Mapping[str, str] | None = None,
    hints: str = "",
    **options: Any,
) -> Match:
    """Set up a game and return it, unsaved.

    ``players`` sit clockwise; the ``first`` is chosen at random by default (P-SETUP-4). With
    ``setup``, what was dealt on a real table, the game has ``secrecy: table`` and no seed.
    ``name`` is the file to be named in the record's first line. ``bots`` are the players that are
    bots, like ``{"Rui": "level-4"}``; they move by :func:`porto_cli.players.named.play_bots`.
    ``hints`` is ``"told"`` if hints are to be noted in the record, ``"none"`` if they are not
    allowed. The ``options`` are those of the game, for Porto ``private_contracts``, ``seat_first``,
    ``timer`` and ``edition``. Raises ValueError for invalid names, seeds, bots or options.
    """
    played = game_of(game)
    order = list(players)
    seed = (seed or new_seed()) if setup is None else ""
    by_chance = choose(seed, "first", 0, len(order)) if seed and order else 0
    start = by_chance if first is None else find_seat(order, first)
    if start is None:
        raise ValueError(f"{first!r} does not play, so cannot be the first player.")
    order = order[start:] + order[:start]
    seats = _seats(played.meta, order, bots or {})
    config = played.new_config(order, **options)
    secrecy = OPEN if setup is None else TABLE
    return _set_up(Header(played, config, setup, secrecy, seed, seats, hints), name, title)


def play_again(match: Match, name: str) -> Match:
    """Set up a game like another one and return it, unsaved: the same players, bots and options.

    The cards are dealt again, and the first player is chosen at random. ``name`` is as in
    :func:`new_game`.
    """
    game, record, seed = match.game, match.record, new_seed()
    start = choose(seed, "first", 0, len(match.players))
    order = (*match.players[start:], *match.players[:start])
    config = game.read_config(read(record.text, name), order)
    seats = _seats(game.meta, order, {one.name: one.bot for one in record.seats if one.bot})
    return _set_up(Header(game, config, None, OPEN, seed, seats, record.hints), name)


def _set_up(head: Header, name: str, title: str = "") -> Match:
    """Return a game with the deal of its header, which came up on a real table, or that of the
    seed.

    Raises ValueError for what a record refuses: names, a seed, a title, bots.
    """
    if head.deal is None:
        head = head._replace(deal=head.game.deal(head.config, seeded_chance(head.seed)))
    try:
        return loads(new_text(head.lines(), title=title, name=name), name)
    except InvalidFileError as error:
        raise ValueError(error.sentence) from None


def _seats(meta: GameMeta, players: Sequence[str], bots: Mapping[str, str]) -> tuple[Holder, ...]:
    """Return who plays the seats. Raises ValueError."""
    for player, name in bots.items():
        if player not in players:
            raise ValueError(f"{player!r} does not play, so cannot be a bot.")
        if not is_a_bot(name, meta):
            raise ValueError(f"There is no bot {name!r}; there are {', '.join(meta.bots)}.")
    return seated(players, bots, meta.bots_version)


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
        drawn = folded(_drawn(name))
        other = seen.setdefault(drawn, name)
        if folded(other) != folded(name):
            found.append(_alike(other, name))
    return found


def _drawn(name: str) -> str:
    """Return a name with Latin letters for all that look like them."""
    if name.isascii():
        return name
    return unicodedata.normalize("NFKD", unicodedata.normalize("NFD", name).translate(_LOOKS_LIKE))


def _alike(one: str, other: str) -> str:
    pairs = zip(one, other, strict=False)
    first, second = next(pair for pair in pairs if folded(pair[0]) != folded(pair[1]))
    letters = [unicodedata.name(letter, f"U+{ord(letter):04X}") for letter in (first, second)]
    return (
        f"{one} and {other} look alike but are two names: the first has {letters[0]} where the "
        f"second has {letters[1]}. Choose names that can be told apart, in commands and in mails."
    )
