"""Random sealed games, played through the seam by players who know only what they may.

There is no cryptography here: a dealer deals, and everybody is told what the protocol would tell.
"""

from __future__ import annotations

import random
from collections import defaultdict
from functools import lru_cache
from typing import NamedTuple

from porto_cli.core.chance import seeded_chance
from porto_cli.games import Game, game_of
from porto_cli.seam import OVER, Event, Move, State, Step
from tests.conformance.games import KINDS, LISTED, LONGEST
from tests.conformance.kinds import GameKind

ALL, NOBODY = "all", None
"""Who looks besides the seats: one who knows every hand, and one who knows none."""
Looker = int | str | None


class Ply(NamedTuple):
    """What one player did."""

    before: dict[Looker, State]
    """The table before it, as each who looks knows it; nobody waits for what comes up."""
    seat: int
    move: Move
    """The move as its player means it."""
    public: Move
    """The move as everybody sees it."""
    hidden: bytes
    between: dict[Looker, State]
    """The table after it, before anything has come up."""
    after: dict[Looker, State]
    """The table after that."""
    events: tuple[Event, ...]
    came_up: tuple[Event, ...]


class SealedGame(NamedTuple):
    """A sealed game that was played."""

    kind: GameKind
    game: Game
    hands: tuple[bytes, ...]
    opening: dict[Looker, State]
    plies: tuple[Ply, ...]

    @property
    def end(self) -> dict[Looker, State]:
        """The table after all, as each who looks knows it."""
        return self.plies[-1].after

    def steps(self, looker: Looker, plies: int) -> list[Step]:
        """Return the first plies as somebody knows them, as items of a record."""
        found: list[Step] = []
        for ply in self.plies[:plies]:
            before, after = ply.before[looker], ply.after[looker]
            goes_on = found and self.game.continues(before, ply.public, ply.seat)
            follow_up = self.game.follow_up(before) if goes_on else None
            key, verb = follow_up or (before.config.players[ply.seat], "")
            text = self.game.format_move(ply.public, before).removeprefix(f"{verb} ")
            came_up = self.game.chance_entries(ply.between[looker], ply.came_up)
            entries = ((key, text), *came_up)
            if goes_on:
                last = found.pop()
                found.append(
                    last._replace(
                        after=after,
                        moves=(*last.moves, ply.public),
                        events=(*last.events, *ply.events, *ply.came_up),
                        entries=(*last.entries, *entries),
                    )
                )
                continue
            events = (*ply.events, *ply.came_up)
            found.append(Step(len(found), ply.seat, before, after, (ply.public,), events, entries))
        return found


def _hands(game: Game, kind: GameKind, rnd: random.Random) -> tuple[bytes, ...]:
    config = game.new_config(kind.names, **kind.options)
    pile = game.sealed_pile(config)
    assert not isinstance(pile, str)
    shuffled = rnd.sample(pile.things, len(pile.things))
    return tuple(
        bytes(shuffled[pile.each * seat : pile.each * (seat + 1)]) for seat in range(kind.players)
    )


@lru_cache(maxsize=32)
def _sealed(name: str, seed: int) -> SealedGame:
    kind = next(kind for kind in SEALABLE if str(kind) == name)
    game = game_of(kind.game)
    rnd = random.Random(f"sealed/{name}/{seed}")
    hands = _hands(game, kind, rnd)
    config = game.new_config(kind.names, **kind.options)
    deal = game.sealed.deal_sealed(config, seeded_chance(f"sealed-{seed}"))
    lookers: list[Looker] = [ALL, NOBODY, *range(kind.players)]
    now: dict[Looker, State] = {}
    for looker in lookers:
        known = deal
        for seat, hand in enumerate(hands):
            if hand and looker in (ALL, seat):
                known = game.sealed.with_hand(known, seat, hand)
        now[looker] = game.initial_state(config, known)
    opening = dict(now)
    hidden: dict[int, bytes] = {}
    plies: list[Ply] = []
    while now[ALL].phase != OVER and len(plies) < LONGEST:
        seat, move = _some_move(game, now, rnd)
        public, hides = game.sealed.seal(now[seat], move, seat)
        if hides:
            hidden[seat] = hides
        between: dict[Looker, State] = {}
        after: dict[Looker, State] = {}
        for looker in lookers:
            own = move if looker in (ALL, seat) else public
            between[looker], events = game.apply(now[looker], own, None, seat)
            after[looker], came_up = between[looker], []
            if game.sealed.is_waiting(between[looker]):
                chance = seeded_chance(f"sealed-{seed}-{len(plies)}")
                after[looker], came_up = game.sealed.turn_up(between[looker], chance)
        plies.append(
            Ply(now, seat, move, public, hides, between, after, tuple(events), tuple(came_up))
        )
        now = after
    return SealedGame(kind, game, hands, opening, tuple(plies))


def _some_move(game: Game, now: dict[Looker, State], rnd: random.Random) -> tuple[int, Move]:
    """Return a move of somebody who is to move, or of another who has a secret one."""
    seat = rnd.choice(game.to_move(now[NOBODY]))
    secret = [one for one in game.secret_movers(now[NOBODY]) if one != seat]
    if secret and rnd.random() < 0.3:
        seat = rnd.choice(secret)
    kinds = defaultdict(list)
    for move in game.legal_moves(now[seat], seat, LISTED):
        kinds[type(move)].append(move)
    return seat, rnd.choice(kinds[rnd.choice(list(kinds))])


def sealed(kind: GameKind, seed: int) -> SealedGame:
    """Return the random sealed game of a kind and a seed."""
    return _sealed(str(kind), seed)


def can_be_sealed(kind: GameKind) -> bool:
    """Return whether games of a kind can be sealed."""
    game = game_of(kind.game)
    config = game.new_config(kind.names, **kind.options)
    return not isinstance(game.sealed_pile(config), str)


SEALABLE = [kind for kind in KINDS if can_be_sealed(kind)]
