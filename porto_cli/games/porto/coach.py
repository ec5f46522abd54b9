"""The coach of Porto: plays on from moves with dice of its own, and says where that leads.

Every move that is judged is played on from with the same luck, so that what differs is the move.
What nobody can try, which private contracts to keep, is judged by what these turned out to be worth
in other games.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from random import Random

from porto_cli.core.chance import Chance
from porto_cli.core.message import Sentence
from porto_cli.game import OVER, View
from porto_cli.games.porto.engine.components import DEALT, KEPT
from porto_cli.games.porto.engine.generate import legal_moves
from porto_cli.games.porto.engine.moves import KEEPS, PASS, Build, Claim, Keep, Move
from porto_cli.games.porto.engine.play import SOLO_WIN
from porto_cli.games.porto.engine.ranking import ranking
from porto_cli.games.porto.engine.state import ACT, CONTRACTS, KEEP, TIMER, State
from porto_cli.games.porto.players.candidates import (
    Ranked,
    after,
    candidates,
    default_builds,
    ranked,
)
from porto_cli.games.porto.players.levels import open_table, weights_for, worths_of_dealt
from porto_cli.games.porto.players.outlook import Outlook, outlook_of
from porto_cli.games.porto.players.search import STARTS, turned_up
from porto_cli.games.porto.players.value import margin_of
from porto_cli.games.porto.reasons import reasons_of
from porto_cli.players import seat_of, seed_of
from porto_cli.players.coach import Coach, Judgment, Prospect
from porto_cli.players.trials import over_chances, tried

SAMPLES = {1: 300, 2: 1000, 3: 800, 4: 500}
"""How often is played on in about a second, by the number of players."""


class PortoCoach:
    """Judges moves of Porto, see :class:`~porto_cli.players.coach.Coach`.

    A build is judged with all public contracts that it meets, unless they wait to be chosen.
    """

    equal = 0.5

    def judge(
        self,
        view: View,
        luck: Random,
        *,
        moves: Sequence[Move] = (),
        width: int = 8,
        samples: int | None = None,
        seconds: float | None = None,
    ) -> list[Judgment]:
        """Judge the moves that look best, and those given; of builds that differ in the roof for
        their token no more than one looks best.

        Without ``samples`` it plays on so often that it takes about a second.
        None can be judged where it is not known what there is to choose: at a real table only the
        players know what was dealt to them.
        """
        table: State = view.table
        seat = seat_of(view)
        legal = legal_moves(table, seat)
        if table.phase == OVER or (seat != table.seat and not legal):
            raise ValueError(f"The seat {seat} has no move to choose.")
        if table.is_revealing:
            return [Judgment(move, self.prospect(view), 0.0, 0.0) for move in legal]
        if not legal or isinstance(legal[0], Keep):
            return _judge_keeping(table, seat, moves, width) if KEEPS[0] in legal else []
        state = _open(view)
        outlook = outlook_of(state, seat)
        tables = {move: leads_to for _, move, leads_to in _worth_a_look(state, outlook)[:width]}
        for move in moves:
            if move not in tables:
                tables[move] = after(state, move)
        seed = seed_of(luck)
        moves, after_them = list(tables), list(tables.values())
        return tried(
            moves,
            lambda place, nth: outlook.look(outlook.play_on(after_them[place], seed + 2 * nth)),
            samples=samples or SAMPLES[table.config.seats],
            seconds=seconds,
            sum_up=lambda means: outlook.sum_up(state, means),
        )

    def prospect(self, view: View) -> Prospect:
        """Return at a glance how the game can be expected to end; at its end how it has ended."""
        table: State = view.table
        seat = seat_of(view)
        if table.phase != OVER:
            state = _open(view)
            return _at_a_glance(state, outlook_of(state, seat))
        if table.config.timer:
            vp = table.scores[0]
            return Prospect(vp - SOLO_WIN, float(vp >= SOLO_WIN))
        return Prospect(margin_of(table.scores, seat), float(ranking(table)[0] == seat))

    def expected(self, view: View, move: Move, luck: Random, *, samples: int = 50) -> Prospect:
        """Return the mean of :meth:`prospect` after a move, when the turn is over."""
        seat = seat_of(view)
        if isinstance(move, Keep):
            judged = {one.move: one.prospect for one in self.judge(view, luck, moves=[move])}
            return judged.get(move) or self.prospect(view)
        state = _open(view)
        outlook = outlook_of(state, seat)
        left = after(state, move)

        def look(chance: Chance) -> tuple[Prospect, bool]:
            state = turned_up(left, chance)
            return _at_a_glance(state, outlook), state != left

        return over_chances(look, luck, samples)

    def reasons(self, view: View, move: Move) -> list[Sentence]:
        """Return why a move may be good or bad, the most important reason first."""
        seat = seat_of(view)
        return reasons_of(view.table, _open(view), seat, move)


COACH: Coach = PortoCoach()


def _open(view: View) -> State:
    """Return the table without private contracts of others, as if all had kept theirs."""
    state = open_table(view)
    if state.phase == KEEP and not view.table.is_revealing:
        state.phase = ACT
    return state


def _worth_a_look(state: State, outlook: Outlook) -> Ranked:
    if state.phase == CONTRACTS:
        return ranked(state, legal_moves(state), outlook.worth)
    found = candidates(state, outlook.worth, starts=STARTS, roofs=None)
    if not found:
        return ranked(state, [PASS], outlook.worth)
    best: dict[object, tuple[float, Move, State]] = {}
    for one in found:
        move = one[1]
        best.setdefault(move[:3] if isinstance(move, Build) else move, one)
    return list(best.values())


def _at_a_glance(state: State, outlook: Outlook) -> Prospect:
    """Return the prospect of a table, in the middle of a turn as well."""
    return outlook.prospect(_settled(state, outlook))


def _settled(state: State, outlook: Outlook) -> State:
    """Return a table at which its prospect can be read off: if a turn has begun, how the best goes
    on with it.
    """
    if state.phase == CONTRACTS:
        return after(state, Claim(state.claimable))
    if state.phase == TIMER and state.turned:
        return max((after(state, build) for build in default_builds(state)), key=outlook.worth)
    if state.config.timer and not state.turn and state.phase == ACT:
        # The weights were never fitted to a table before the first move.
        return _worth_a_look(state, outlook)[0][2]
    return state


def _judge_keeping(state: State, seat: int, moves: Sequence[Move], width: int) -> list[Judgment]:
    """Judge which private contracts to keep; what the others can be expected to keep is even.

    Nothing is tried, so that there is no error of trying.
    """
    table = _open(View(seat, state))
    outlook = outlook_of(table, seat)
    table = _settled(table, outlook)
    weights = weights_for(state)
    even = 0.0 if state.config.timer else _best_of_a_deal(state, weights.keep)
    vps = worths_of_dealt(state, seat, weights)
    total = {keep: sum(vps[place] for place in keep.places) for keep in KEEPS}
    ordered = sorted(KEEPS, key=lambda keep: -total[keep])
    judged = [keep for keep in ordered if keep in ordered[:width] or keep in moves]
    best = total[ordered[0]]
    return [
        Judgment(keep, outlook.prospect(table, total[keep] - even), best - total[keep], 0.0)
        for keep in judged
    ]


def _best_of_a_deal(state: State, worth: Sequence[float]) -> float:
    """Return what the best three of five private contracts are worth on average."""
    pile = sorted((worth[contract] for contract in state.config.private_deck()), reverse=True)
    size = len(pile)
    deals = comb(size, DEALT)
    mean = 0.0
    for better, vp in enumerate(pile):
        # It is dealt with fewer than three of those before it.
        rest = size - better - 1
        with_it = sum(comb(better, few) * comb(rest, DEALT - 1 - few) for few in range(KEPT))
        mean += vp * with_it / deals
    return mean
