"""Seats: who plays them, and which ones bots hold.

A record names the bots in its header:

    bots: {Rui: level-4}
    bots-version: 1

How they choose their moves is not part of the record, see :mod:`porto_cli.players.named`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from porto_cli.core import cited
from porto_cli.core.yaml import Node, NotKnownHereError, flow, scalar
from porto_cli.kinds import SEAT, Kind, by
from porto_cli.seam import LEVEL, Event, GameMeta, Seats, with_level


def player_count_fault(meta: GameMeta, count: int) -> str | None:
    """Return why a game cannot have this number of players, or None if it can."""
    if count in meta.players:
        return None
    return f"{meta.title} has {meta.players.start} to {meta.players.stop - 1} players, not {count}."


BOTS, VERSION = "bots", "bots-version"


def level_named(typed: str, names: Collection[str]) -> str | None:
    """Return the player type that was typed, ignoring case, with or without ``level-``; ``None`` if
    there is no such type.
    """
    name = typed.lower()
    if name not in names and name.isdigit():
        name = LEVEL + name
    return name if name in names else None


def shortest(name: str) -> str:
    """Return the shortest form of a player type that can be typed: ``4``."""
    return name.removeprefix(LEVEL)


def in_words(name: str) -> str:
    """Return a player type in words: ``level 4``."""
    return name.replace("-", " ")


def levels_among(names: Iterable[str]) -> list[str]:
    """Return the player types that are levels, in their order; possibly none."""
    return [name for name in names if name.startswith(LEVEL)]


class Holder(NamedTuple):
    """Who plays a seat: a person or a bot called ``name``, or nobody (``out``).

    ``bot``   the bot's player type, of ``version``; empty for a person
    ``turn``  how many turns were over when this began; 0 from the start
    """

    name: str
    bot: str = ""
    version: int = 0
    out: bool = False
    turn: int = 0

    def plays(self, player: str, when: str = "") -> str:
        """Return a sentence about who plays a player's seat; ``when`` is put at its end."""
        if self.out:
            return f"{player} is out{when}; the game goes on without {player}."
        if self.bot:
            return f"A bot ({in_words(self.bot)}) plays for {player}{when}."
        return f"{self.name} plays{'' if self.name == player else f' for {player}'}{when}."


def bots_among(seats: Iterable[Holder]) -> dict[int, str]:
    """Return the seats that bots hold, with their player types."""
    return {seat: holder.bot for seat, holder in enumerate(seats) if holder.bot}


def bot_lines(seats: Iterable[Holder]) -> list[str]:
    """Return the canonical lines of a header about bots; nothing without bots."""
    bots = [holder for holder in seats if holder.bot]
    types = {scalar(bot.name): scalar(bot.bot) for bot in bots}
    return [f"{BOTS}: {flow(types)}", f"{VERSION}: {bots[0].version}"] if bots else []


def read_seats(
    root: Node, players: Sequence[str], meta: GameMeta, *, seeded: bool
) -> tuple[Holder, ...]:
    """Return who plays the seats according to a header. Raises InvalidFileError.

    ``seeded`` says that the seed decides everything that comes up: bots can neither type anything
    in nor sign it.
    """
    found = {key: node for key, node in root.mapping().items() if key in (BOTS, VERSION)}
    if not found:
        return tuple(map(Holder, players))
    if len(found) == 1:
        (alone,) = found.values()
        alone.fail(
            f"The keys {cited(BOTS)} and {cited(VERSION)} go together: who is a bot, and which "
            f"version of the bots of {meta.title} this is. This program has version "
            f"{meta.bots_version}."
        )
    node, version = found[BOTS], found[VERSION].number(least=1)
    if not seeded:
        node.fail("Bots can play only in a game with 'secrecy: open'.")
    held = by(SEAT, Kind(lambda level, _: _read_bot(level, meta))).read(node, Seats((*players,)))
    if not 0 < len(held) < len(players):
        node.fail("'bots' has to name at least one player, and leave at least one who is a person.")
    return seated(players, {players[seat]: name for seat, name in held.items()}, version)


def _read_bot(node: Node, meta: GameMeta) -> str:
    """Return the player type of a bot. Raises InvalidFileError."""
    name = node.text()
    if name not in meta.former_bots and not is_a_bot(name, meta):
        node.fail(
            f"This program does not know the level {cited(name)} of bots of "
            f"{meta.title}; it has {', '.join(meta.bots)}. Update porto, install the package that "
            "adds this player, or name it under 'players' in your config.yaml.",
            NotKnownHereError,
        )
    return name


def seated(players: Sequence[str], bots: Mapping[str, str], version: int) -> tuple[Holder, ...]:
    """Return who plays the seats; ``bots`` has the player types of those who are bots."""
    return tuple(Holder(one, bots[one], version) if one in bots else Holder(one) for one in players)


def is_a_bot(name: str, meta: GameMeta) -> bool:
    """Return whether there is a player type of this name: in the game, in an installed package, or
    in the user's settings. A record contains only the name, never the location of code.
    """
    return name in meta.bots or name in added_players(meta.id)


def added_players(game_id: str) -> frozenset[str]:
    """Return the players of a game that do not come with it, see
    :func:`porto_cli.installed.player_names`, which is imported only here.
    """
    from porto_cli.installed import player_names

    return player_names(game_id)


class BotTurn(NamedTuple):
    """What a bot did, or what was done by a player's order.

    ``bot``    its player type; empty for an order
    ``moves``  the texts of the moves; of a secret one only the verb
    """

    player: str
    bot: str
    moves: tuple[str, ...]
    events: tuple[Event, ...]

    @property
    def who(self) -> str:
        """Who moved: ``Rui (bot 3)``, or by an order ``Rui (ordered)``."""
        return with_level(self.player, self.bot) if self.bot else f"{self.player} (ordered)"
