"""What the conformance suite has to know of each game; everything else it asks of the seam.

A new game is registered by one more entry in :data:`REGISTERED`. Modules of a game are imported
when its entry is asked for.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

from porto_cli.game import Deal, Move, State

if TYPE_CHECKING:
    from porto_cli.players import Player

NAMES = ("Inês", "Joana", "Afonso", "Rui", "Zé")


class Kind(NamedTuple):
    """A kind of game: ``options`` are those of ``new_game``."""

    game: str
    players: int
    options: dict[str, Any]

    @property
    def names(self) -> tuple[str, ...]:
        """Who plays."""
        return NAMES[: self.players]

    def __str__(self) -> str:
        options = (f"{key}={getattr(value, 'name', value)}" for key, value in self.options.items())
        return "-".join([self.game, f"{self.players}p", *options])


def _nothing_typed_late(state: State, typed: State, seat: int) -> Move | None:
    return None


class Registered(NamedTuple):
    """A game, as this suite knows it."""

    kinds: Callable[[], list[Kind]]
    """The kinds of games to play: numbers of players, options, editions."""
    otherwise: Callable[[State, int | None, random.Random], State]
    """Return a table that differs in all that is hidden from a seat, or from a bystander."""
    other_secrets: Callable[[State, int | None, random.Random], State]
    """Return a table that differs in all that the players know and a seat does not."""
    players: Callable[[], dict[str, Player]]
    """Return the programs that play it, those in a hurry that take long otherwise."""
    at_a_table: Callable[[Deal], Deal] = lambda deal: deal
    """Return what of a deal the players of a game with ``secrecy: table`` type in."""
    revealed: Callable[[State, State, int], Move | None] = _nothing_typed_late
    """Return the secret move that is made only at the end there, by a player to move, if it is
    one: of the state of the typed game, and that of the seeded one."""


# --- Porto -------------------------------------------------------------------------------------


def _porto_kinds() -> list[Kind]:
    from tests.porto.playing import BARE, CRAMPED

    first_game = {"private_contracts": False}
    return [
        *(Kind("porto", players, {}) for players in (1, 2, 3, 4)),
        *(Kind("porto", players, first_game) for players in (1, 3)),
        *(Kind("porto", 1, {"timer": timer}) for timer in (26, 24)),
        Kind("porto", 2, {"seat_first": True}),
        Kind("porto", 3, {"edition": CRAMPED}),
        Kind("porto", 1, {"edition": CRAMPED, "timer": 24}),
        Kind("porto", 4, {"edition": BARE, **first_game}),
    ]


def _porto_otherwise(state: State, seat: int | None, rnd: random.Random) -> State:
    """Other cards face down, other private contracts of the others."""
    from porto_cli.games.porto.engine.components import CARDS, PRIVATE, PUBLIC

    def others(pile: bytes, kinds: int) -> bytes:
        return bytes(sorted(rnd.randrange(kinds) for _ in pile))

    def deals(all_: tuple[bytes, ...]) -> tuple[bytes, ...]:
        return tuple(
            cards if owner == seat or state.phase == "over" else others(cards, len(PRIVATE))
            for owner, cards in enumerate(all_)
        )

    new = state.copy()
    new.deck = others(state.deck, len(CARDS))
    new.timer_deck = others(state.timer_deck, len(CARDS))
    new.contract_deck = others(state.contract_deck, len(PUBLIC))
    new.dealt, new.kept = deals(state.dealt), deals(state.kept)
    return new


def _porto_other_secrets(state: State, seat: int | None, rnd: random.Random) -> State:
    """Other private contracts of the others; who sees the turns knows what is face down."""
    new = state.copy()
    other = _porto_otherwise(state, seat, rnd)
    new.dealt, new.kept = other.dealt, other.kept
    return new


def _porto_players() -> dict[str, Player]:
    from porto_cli.games.porto.players import PLAYERS

    return {**PLAYERS, "level-5": partial(PLAYERS["level-5"], simulations=4)}


def _porto_revealed(typed: State, seeded: State, seat: int) -> Move | None:
    """P-SETUP-5: with real cards the players reveal at the end what they have kept."""
    from porto_cli.games.porto.engine.moves import Keep

    return Keep((), tuple(seeded.kept[seat])) if typed.phase == "keep" else None


# --- Puerto Rico -------------------------------------------------------------------------------


def _puerto_rico_kinds() -> list[Kind]:
    kinds = [
        Kind("puerto-rico", players, {"buildings": buildings, "rulebook": rulebook})
        for players, buildings, rulebook in product(
            (2, 3, 4, 5), ("base", "draft", "random"), ("printed", "guide")
        )
    ]
    # Every number of players, every box and both rulebooks, but not all of it together.
    return [kinds[nth] for nth in (0, 3, 4, 7, 9, 12, 17, 18, 23)]


def _puerto_rico_players() -> dict[str, Player]:
    from porto_cli.games.puerto_rico.players import PLAYERS

    hasty = partial(PLAYERS["search"], simulations=4)
    return {**PLAYERS, "search": hasty, "level-3": hasty}


def _puerto_rico_otherwise(state: State, seat: int | None, rnd: random.Random) -> State:
    """PR-SECRET-1: of the others only the sum of their VP chips is known."""
    if state.phase == "over":
        return state
    others = [other for other in range(state.config.seats) if other != seat]
    left = sum(state.players[other].vp for other in others)
    players = list(state.players)
    for other in others:
        players[other] = players[other].copy()
        players[other].vp = left if other == others[-1] else rnd.randint(0, left)
        left -= players[other].vp
    new = state.copy()
    new.players = tuple(players)
    return new


REGISTERED: dict[str, Registered] = {
    "porto": Registered(
        kinds=_porto_kinds,
        otherwise=_porto_otherwise,
        other_secrets=_porto_other_secrets,
        players=_porto_players,
        at_a_table=lambda deal: deal._replace(private=()),
        revealed=_porto_revealed,
    ),
    "puerto-rico": Registered(
        kinds=_puerto_rico_kinds,
        otherwise=_puerto_rico_otherwise,
        other_secrets=_puerto_rico_otherwise,
        players=_puerto_rico_players,
    ),
}
"""The games that this suite plays."""
