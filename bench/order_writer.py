"""Orders written by a program that knows only how it would choose itself.

The writer plays on a few times from the table as its seat sees it. In these playouts the seat
chooses as its player does, and the others nearly as they like. For each kind of decision that comes
up it then looks for a short list of choices which, read as an order, decides almost all of them as
the player did. Where there is none, it orders nothing, so that the game will wait for the player.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import NamedTuple, Protocol

from porto_cli.core.chance import random_chance
from porto_cli.games import Game
from porto_cli.match.orders import ELSE, LONGEST, MOST_VP, PASS, orders_of
from porto_cli.seam import OVER, SENSIBLE, Move, State


class Mind(Protocol):
    """What the writer has to know of a game and its player."""

    main: str
    """The kind of decision with which a turn begins. It is ordered once, all others always."""
    heard: bool
    """Whether conditions may ask how others have begun their turns."""

    def choose(self, state: State) -> Move:
        """Return the move of the player to move, by what that player knows."""

    def guess(self, state: State, rng: Random) -> Move:
        """Return a move that another player may make."""

    def picks(self, kind: str, state: State) -> Iterator[str]:
        """Yield choices for a decision besides its moves and what is sensible."""


class Plan(NamedTuple):
    """How orders are written."""

    playouts: int = 20
    turns: int = 2
    """A playout ends when the player's turns are over, so many of them."""
    agreement: float = 0.9
    """The part of the decisions in playouts that a choice has to decide as the player does."""
    main_agreement: float = 0.95
    """The same for the decisions with which a turn begins."""
    orders_turns: bool = True
    """Whether these are ordered at all."""
    conditions: bool = True
    """Whether choices have conditions."""
    choices: int = 9
    """The most choices of an order."""


class Situation(NamedTuple):
    """A decision of the player in a playout."""

    playout: int
    state: State
    move: Move
    legal: Mapping[str, Move]
    """Its legal moves by their texts, if there are few."""
    heard: frozenset[tuple[int, str]]
    """How others have begun their turns in the playout: seats and moves."""


class Written(NamedTuple):
    """One choice of an order.

    ``decides`` has a bit for each decision in playouts that it makes.
    """

    pick: str
    condition: str
    decides: int


MANY = 60
"""Legal moves, beyond which a situation does without their list."""
CONDITION_COSTS = 1.5
"""Decisions by which a condition has to make a choice better."""
WRONG_COSTS = 3
"""How many decisions as the player makes them another one outweighs."""
WITH_CONDITION = 3
"""The fewest decisions for which a choice with a condition is written."""


class Writer:
    """Writes the orders of any player of a game."""

    def __init__(self, game: Game, mind: Mind, plan: Plan, rng: Random) -> None:
        self.game, self.mind, self.plan, self.rng = game, mind, plan, rng
        self.orders = orders_of(game)

    def write(self, state: State, seat: int) -> list[str]:
        """Return the orders of a seat that now hands the game on."""
        met: dict[str, list[Situation]] = defaultdict(list)
        view = self.game.view(state, seat)
        for playout in range(self.plan.playouts):
            for kind, one in self._playout(self.game.resample(view, self.rng), seat, playout):
                met[kind].append(one)
        return list(filter(None, (self._order(kind, found) for kind, found in met.items())))

    def _playout(self, state: State, seat: int, playout: int) -> Iterator[tuple[str, Situation]]:
        """Yield the decisions of a seat in a playout."""
        game, orders, mind = self.game, self.orders, self.mind
        chance = random_chance(self.rng)
        heard: set[tuple[int, str]] = set()
        turns = 0
        while state.phase != OVER:
            kind = orders.kind(state)
            if kind == mind.main and turns >= self.plan.turns:
                return
            if state.seat == seat:
                turns += kind == mind.main
                move = mind.choose(state)
                if kind:
                    yield kind, self._situation(state, kind, move, playout, frozenset(heard))
            else:
                move = mind.guess(state, self.rng)
                if kind == mind.main and mind.heard:
                    heard.add((state.seat, game.format_move(move, state)))
            state, _ = game.apply(state, move, chance, state.seat)

    def _situation(
        self, state: State, kind: str, move: Move, playout: int, heard: frozenset[tuple[int, str]]
    ) -> Situation:
        few = self.game.legal_moves(state, state.seat, MANY + 1)
        legal = few if len(few) <= MANY else []
        return Situation(
            playout,
            state,
            move,
            {self.game.format_move(one, state): one for one in legal},
            heard,
        )

    def _order(self, kind: str, met: Sequence[Situation]) -> str:
        """Return an order for a kind of decision; empty if none is good enough."""
        plan, main = self.plan, kind == self.mind.main
        if main:
            if not plan.orders_turns:
                return ""
            met = list({one.playout: one for one in reversed(met)}.values())
        least = plan.main_agreement if main else plan.agreement
        texts = [
            f"{one.pick} if {one.condition}" if one.condition else one.pick
            for one in self._choices(kind, met, least)
        ]
        scope = "" if main else "always "
        while texts and len(order := f"{scope}{kind} {ELSE.join(texts)}") > LONGEST:
            texts.pop()
        return order if texts else ""

    def _choices(self, kind: str, met: Sequence[Situation], least: float) -> list[Written]:
        """Return a list of choices, each of which agrees with the player at least so often.

        The best one comes first, then what is best for the decisions that it leaves. Decisions are
        the bits of numbers here.
        """
        picks = {}
        for pick in dict.fromkeys(pick for one in met for pick in self._picks(kind, one)):
            moves = [self._move(pick, one) for one in met]
            agrees = _bits(move == one.move for move, one in zip(moves, met, strict=True))
            picks[pick] = _bits(move is not None for move in moves), agrees
        left = (1 << len(met)) - 1
        conditions = {"": left}
        if self.plan.conditions:
            conditions |= self._conditions(met)
        written: list[Written] = []
        while len(written) < self.plan.choices:
            best: Written | None = None
            most = float("-inf")
            for pick, (decides, agrees) in picks.items():
                for condition, holds in conditions.items():
                    decided = decides & holds & left
                    number, right = decided.bit_count(), (decided & agrees).bit_count()
                    if right < max(least * number, WITH_CONDITION if condition else 1):
                        continue
                    cost = WRONG_COSTS * (number - right) + CONDITION_COSTS * bool(condition)
                    worth = right - cost
                    if worth > most:
                        best, most = Written(pick, condition, decided), worth
            if best is None:
                break
            written.append(best)
            left &= ~best.decides
        return written

    def _picks(self, kind: str, one: Situation) -> Iterator[str]:
        """Yield picks that may lead to the move of the player, first those that fit more tables."""
        yield from self.mind.picks(kind, one.state)
        if self.orders.kinds[kind].sensible:
            yield SENSIBLE
        if one.legal:
            yield self.game.format_move(one.move, one.state)

    def _move(self, pick: str, one: Situation) -> Move | None:
        """Return the move that a pick leads to in a situation."""
        game, state = self.game, one.state
        if pick in one.legal:
            return one.legal[pick]
        if pick == SENSIBLE:
            return self.orders.sensible(state, state.seat)
        if pick == MOST_VP:
            seen = self.orders.listed(state, state.seat) or ()
            fitting = [each for each in seen if each["move"] != PASS]
            best = max(fitting, key=lambda each: each["vp"], default=None)
            return best and one.legal.get(best["move"])
        if one.legal and not pick.startswith(SHORTHAND):
            return None
        move, _, violations = game.read_move(pick, state, state.seat)
        return None if violations else move

    def _conditions(self, met: Sequence[Situation]) -> dict[str, int]:
        """Return the conditions that hold in some situations only, and in which."""
        found: dict[str, int] = {}
        names = met[0].state.config.players
        for seat, text in sorted({heard for one in met for heard in one.heard}):
            holds = _bits((seat, text) in one.heard for one in met)
            if holds.bit_count() < len(met):
                found[f"{names[seat]} plays {text}"] = holds
        return found


SHORTHAND = "place first"
"""What a pick begins with that becomes a move at a table."""


def _bits(truths: Iterable[bool]) -> int:
    """Return a number with a bit for each truth."""
    return sum(1 << place for place, one in enumerate(truths) if one)
