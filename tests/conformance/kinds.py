"""What the conformance suite (:mod:`porto_cli.testing`) has to know of the games of the box."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import partial
from itertools import product
from typing import TYPE_CHECKING

from porto_cli.seam import Move, State
from porto_cli.testing.games import REGISTERED, GameKind, Registered

if TYPE_CHECKING:
    from porto_cli.players import Player

# --- Porto -------------------------------------------------------------------------------------


def _porto_kinds() -> list[GameKind]:
    from tests.porto.playing import BARE, CRAMPED

    first_game = {"private_contracts": False}
    return [
        *(GameKind("porto", players, {}) for players in (1, 2, 3, 4)),
        *(GameKind("porto", players, first_game) for players in (1, 3)),
        *(GameKind("porto", 1, {"timer": timer}) for timer in (26, 24)),
        GameKind("porto", 2, {"seat_first": True}),
        GameKind("porto", 3, {"edition": CRAMPED}, endless=True),
        GameKind("porto", 1, {"edition": CRAMPED, "timer": 24}, endless=True),
        GameKind("porto", 4, {"edition": BARE, **first_game}, endless=True),
    ]


def _porto_otherwise(state: State, seat: int | None, rnd: random.Random) -> State:
    """Other cards face down, other private contracts of the others."""
    from porto_cli.games.porto.engine import CARDS, PRIVATE, PUBLIC

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
    from porto_cli.games.porto.engine.cards import Keep

    return Keep((), tuple(seeded.kept[seat])) if typed.phase == "keep" else None


def _porto_tables(kind: GameKind, rnd: random.Random) -> Iterator[State]:
    from tests.porto import playing, strategies

    options = kind.options
    solo = {"timer": options.get("timer", 28)} if kind.players == 1 else {}
    private = options.get("private_contracts", True)
    edition = options.get("edition", playing.BOX)
    return strategies.tables(playing.Kind(kind.players, edition, private, **solo), rnd)


def _porto_candidates(state: State, rnd: random.Random) -> list[Move]:
    from tests.porto.strategies import candidates

    return candidates(state, rnd)


# --- Puerto Rico -------------------------------------------------------------------------------


def _puerto_rico_kinds() -> list[GameKind]:
    kinds = [
        GameKind("puerto-rico", players, {"buildings": buildings, "rulebook": rulebook})
        for players, buildings, rulebook in product(
            (2, 3, 4, 5), ("base", "draft", "random"), ("printed", "guide")
        )
    ]
    # Every number of players, every box and both rulebooks, but not all of it together; and so it
    # is with every second one of these, which the ordinary tests take.
    return [kinds[nth] for nth in (0, 3, 4, 7, 9, 17, 12, 18, 23)]


def _puerto_rico_players() -> dict[str, Player]:
    from porto_cli.games.puerto_rico.players import PLAYERS

    slow = ("level-4", "level-5")
    return {**PLAYERS, **{name: partial(PLAYERS[name], simulations=4) for name in slow}}


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
    new.players = players
    return new


def _puerto_rico_tables(kind: GameKind, rnd: random.Random) -> Iterator[State]:
    from tests.puerto_rico.playing import tables

    return tables((kind.players, kind.options["buildings"], kind.options["rulebook"]), rnd)


def _puerto_rico_candidates(state: State, rnd: random.Random) -> list[Move]:
    from tests.puerto_rico.playing import candidates

    return candidates(state, rnd)


REGISTERED |= {
    "porto": Registered(
        kinds=_porto_kinds,
        otherwise=_porto_otherwise,
        other_secrets=_porto_other_secrets,
        players=_porto_players,
        at_a_table=lambda deal: deal._replace(private=()),
        revealed=_porto_revealed,
        tables=_porto_tables,
        candidates=_porto_candidates,
    ),
    "puerto-rico": Registered(
        kinds=_puerto_rico_kinds,
        otherwise=_puerto_rico_otherwise,
        other_secrets=_puerto_rico_otherwise,
        players=_puerto_rico_players,
        tables=_puerto_rico_tables,
        candidates=_puerto_rico_candidates,
    ),
}
