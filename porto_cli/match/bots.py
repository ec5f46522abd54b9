"""Seats that programs hold: what the head of a record says of them, and whose turns they are.

    bots: {Rui: level-4}
    bots-version: 1

How they come to their moves is no part of the record: see :mod:`porto_cli.players.bots`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from porto_cli.core.message import Sentence, say
from porto_cli.core.schema import Reader
from porto_cli.core.yaml import Mapping as Block
from porto_cli.core.yaml import flow, scalar
from porto_cli.game import GameMeta, Step
from porto_cli.match.levels import in_words

BOTS, VERSION = "bots", "bots-version"


class Bots(NamedTuple):
    """The seats that programs hold."""

    seats: Mapping[int, str]
    """Which player of the game's ``PLAYERS`` holds a seat, in the order of the seats."""
    version: int
    """The version of the game's players with which the game was begun."""

    def lines(self, players: Sequence[str]) -> list[str]:
        """Return the canonical lines of a head."""
        held = {scalar(player): name for player, name in self.by_player(players).items()}
        return [f"{BOTS}: {flow(held)}", f"{VERSION}: {self.version}"]

    def by_player(self, players: Sequence[str]) -> dict[str, str]:
        """Return which program each player is that is one: ``{"Rui": "level-4"}``."""
        return {players[seat]: name for seat, name in self.seats.items()}


def read_bots(
    root: Block, players: Sequence[str], meta: GameMeta, reader: Reader, *, seeded: bool
) -> Bots:
    """Return what a head says of its bots. Raises InvalidFileError.

    ``seeded`` says that the seed decides and nothing is signed: what else is there to decide and to
    sign no program can do for its seat.
    """
    entries = root.entries
    if BOTS not in entries:
        reader.fail(entries[VERSION], say("'bots-version' is there only in a game with 'bots'."))
    node = entries[BOTS]
    if VERSION not in entries:
        reader.fail(
            node,
            say(
                "The key 'bots-version' is missing: it says of which version of the players of "
                "{game} the bots are. This program has version {version}.",
                game=meta.title,
                version=meta.bots_version,
            ),
        )
    version = reader.number(entries[VERSION], VERSION, least=1)
    if not seeded:
        reader.fail(
            node,
            say("There are bots only in a game with 'secrecy: open' whose turns are not signed."),
        )
    found = reader.mapping(node, BOTS)
    if not found.entries:
        reader.fail(node, say("Under 'bots' there should be players with their levels."))
    held: dict[int, str] = {}
    for player, value in found.entries.items():
        if player not in players:
            reader.fail(
                found.keys[player],
                say(
                    "{name!r} is not one of the players {players}.",
                    name=player,
                    players=", ".join(players),
                ),
            )
        name = reader.text(value, BOTS)
        if not is_a_bot(name, meta):
            reader.fail(
                value,
                say(
                    "This program does not know the level {name!r} of bots of {game}; it has "
                    "{names}. A newer porto may know it, or a package that adds the player has to "
                    "be installed.",
                    name=name,
                    game=meta.title,
                    names=", ".join(meta.bots),
                ),
            )
        held[players.index(player)] = name
    if len(held) == len(players):
        reader.fail(
            node, say("All players are bots; at least one seat has to be that of a person.")
        )
    return Bots(dict(sorted(held.items())), version)


def is_a_bot(name: str, meta: GameMeta) -> bool:
    """Tell whether a name is that of a program that can hold a seat."""
    if name in meta.bots:
        return True
    from porto_cli.installed import player_entries

    return name in player_entries(meta.id)


def is_bot(bots: Bots | None, seat: int) -> bool:
    """Tell whether a program holds a seat."""
    return bots is not None and seat in bots.seats


def people(bots: Bots | None, count: int) -> list[int]:
    """Return the seats, of so many, that people have."""
    return [seat for seat in range(count) if not is_bot(bots, seat)]


def titled(player: str, name: str) -> Sentence:
    """Return a bot with its level: ``Rui (bot, level 4)``."""
    return say("{player} (bot, {level})", player=player, level=in_words(name))


def last_of_people(bots: Bots | None, steps: Sequence[Step], *, standing: bool = False) -> int:
    """Return the place of the last step that a person made, or -1.

    If ``standing``, of those that are no undo and were not taken back.
    """
    for place in range(len(steps) - 1, -1, -1):
        step = steps[place]
        stands = not step.undone and step.takes_back is None
        if not is_bot(bots, step.seat) and (stands or not standing):
            return place
    return -1
