"""The coach of Porto: judges moves by playouts, and gives the reasons for and against them.

All moves are judged with the same random numbers, so that only the move differs. Which private
contracts to keep cannot be tried; it is judged by what they were worth in other games. The reasons
use only what the player may know.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import comb
from random import Random

from porto_cli.core.message import plural
from porto_cli.game import OVER, View
from porto_cli.games.porto.engine.build import Build, TokenMoved
from porto_cli.games.porto.engine.claim import Claim
from porto_cli.games.porto.engine.components import DEALT, EMPTY, HOUSES, KEPT, NOWHERE
from porto_cli.games.porto.engine.draw import Draw
from porto_cli.games.porto.engine.events import EndTriggered, Event, scored_in
from porto_cli.games.porto.engine.keep import KEEPS, Keep
from porto_cli.games.porto.engine.names import PRIVATE_NAMES, PUBLIC_NAMES, card_names
from porto_cli.games.porto.engine.passing import PASS, Pass
from porto_cli.games.porto.engine.play import Move, legal_moves
from porto_cli.games.porto.engine.scoring import SOLO_WIN, ranking, ranks
from porto_cli.games.porto.engine.state import ACT, CONTRACTS, KEEP, TIMER, State
from porto_cli.games.porto.events import reasons, scores_json
from porto_cli.games.porto.players import evaluation, open_table, weights_for, worths_of_dealt
from porto_cli.games.porto.players.board import NO_HOUSE, Board
from porto_cli.games.porto.players.candidates import (
    Ranked,
    after,
    candidates,
    default_builds,
    played,
    ranked,
)
from porto_cli.games.porto.players.evaluation import expected_vp, row_of
from porto_cli.games.porto.players.search import STARTS, Forecast, forecast_of, turned_up
from porto_cli.players import (
    Coach,
    Judgment,
    Prospect,
    margin_of,
    over_chances,
    seat_of,
    seed_of,
    tried,
)

WORTH_SAYING = 0.3
"""The difference in VP of a private contract that is worth a sentence."""
MANY = 3
"""The number of cards that one draw could take that is worth a sentence after any move."""


def reasons_of(table: State, state: State, seat: int, move: Move) -> list[str]:
    """Return why a move may be good or bad, the most important reason first.

    ``table`` is what the seat may know; ``state`` is the same with no private contracts but
    those that the seat kept, see :func:`~porto_cli.games.porto.players.open_table`.
    """
    if isinstance(move, Keep):
        return list(_of_keeping(table, seat, move))
    left, events = played(state, move)
    hand = [*_of_hand(state, left, seat, move)] if _goes_on(left, seat) else []
    # A draw scores nothing: what it is for comes first, as what others score does.
    is_draw = isinstance(move, Draw)
    found = [*hand] if is_draw else [*_of_scores(state, events)]
    found += _of_end_and_token(left, events)
    found += _of_private(state, left, seat)
    if isinstance(move, Claim):
        found += _of_what_is_left_out(state, move)
    if left.phase == ACT and left.seat != seat:
        found += _of_next(state, left, move)
    return found if is_draw else found + hand


def _goes_on(left: State, seat: int) -> bool:
    """Return whether the seat has another turn."""
    if left.config.timer:
        return evaluation.solo_turns_left(left) > 0
    if left.phase not in (ACT, TIMER):
        return False
    return not left.end_round or evaluation.turns_left(left, seat) > 0


def _of_keeping(table: State, seat: int, move: Keep) -> Iterator[str]:
    """Return what the contracts are worth together; of the best ones also what the next are."""
    if not table.dealt or table.is_revealing:
        return
    totals = _totals(table, seat)
    best, second = sorted(totals.values(), reverse=True)[:2]
    worth, others = f"{totals[move]:.1f}", f"{second:.1f}"
    is_better = totals[move] == best and worth != others
    than = f", the next best three about {others}" if is_better else ""
    yield f"On average these three are worth about {worth} VP{than}."


def _of_scores(state: State, events: list[Event]) -> Iterator[str]:
    if state.phase == TIMER:
        return
    scores = scored_in(events)
    if scores:
        vp = sum(score.vp for score in scores)
        yield f"It scores {vp} VP now: {reasons(scores_json(scores))}."


def _of_end_and_token(left: State, events: list[Event]) -> Iterator[str]:
    for event in events:
        if isinstance(event, EndTriggered):
            yield f"It triggers the end: the game ends after round {event.round + 1}."
        elif isinstance(event, TokenMoved) and event.roof != NOWHERE:
            missing = left.config.heights[event.roof] - left.floors[event.roof]
            yield (
                f"Its token of {event.value} VP goes to the roof of {HOUSES[event.roof]}, which "
                f"needs {plural(missing, 'more floor')}."
            )


def _of_private(state: State, left: State, seat: int) -> Iterator[str]:
    """Return what a move does for the player's private contracts; others' are not known."""
    own = state.kept[seat]
    completion = weights_for(state).completion
    row = evaluation.completion_row(state)
    for contract in own:
        # As much of the game is left before and after: what differs is the houses.
        before, then = (
            expected_vp(one, bytes([contract]), completion, row) for one in (state, left)
        )
        if abs(then - before) >= WORTH_SAYING:
            yield (
                f"The private contract {PRIVATE_NAMES[contract]} is worth about "
                f"{abs(then - before):.1f} VP {'more' if then > before else 'less'} on average."
            )
    if state.config.private_contracts and not own:
        yield (
            f"{state.config.players[seat]}'s private contracts are unknown here, so they are not "
            "counted."
        )


def _of_what_is_left_out(state: State, move: Claim) -> Iterator[str]:
    names = [
        PUBLIC_NAMES[state.contracts[space]]
        for space in state.claimable
        if space not in move.spaces
    ]
    if names:
        yield f"It leaves {', '.join(names)} unfulfilled."


def _of_next(state: State, left: State, move: Move) -> Iterator[str]:
    """Return what a move leaves to the next player."""
    hand = left.hands[left.seat]
    before, then = (Board(one).matching(hand).first for one in (state, left))
    player = left.config.players[left.seat]
    if then > before:
        yield f"It lets {player} build for {then} VP, up from {before}."
    elif then < before:
        yield f"It leaves {player} a build for at most {then} VP, down from {before}."
    elif then:
        yield f"{player} can build for {then} VP, as before."
    if left.end_round and evaluation.turns_left(left, left.seat) < 2:
        return
    row = left.cards.replace(bytes([EMPTY]), b"")
    most = row_of(row).most
    if row and (isinstance(move, Draw) or most >= MANY):
        cards = " ".join(card_names(row))
        yield f"It leaves {player} a draw of at most {plural(most, 'card')}, from {cards}."


def _of_hand(state: State, left: State, seat: int, move: Move) -> Iterator[str]:
    """Return what the player's hand is worth after the move."""
    if isinstance(move, Pass):
        return
    hand = left.hands[seat]
    player = left.config.players[seat]
    best = Board(left).matching(hand)
    # Of a draw, what it adds to the hand; of other moves, what they change for these cards.
    before = Board(state).matching(state.hands[seat] if isinstance(move, Draw) else hand).first
    then = best.first
    if state.phase == TIMER:
        instead = f", instead of {before}" if then != before else ""
        yield f"{player}'s best pair of cards would then score {then} VP{instead}."
    elif not hand:
        yield f"{player} would have no cards left."
    elif len(hand) == 1:
        yield f"{player} would have one card: {card_names(hand)[0]}."
    elif not then:
        yield f"{player} would have {len(hand)} cards, and no build for them."
    elif isinstance(move, Draw):
        where = f" on {HOUSES[best.home]}" if best.home != NO_HOUSE else ""
        # Alone, the timer builds where the player says.
        free = ", unless somebody builds there first" if where and not left.config.timer else ""
        if then > before:
            rise = f", up from {before}" if before else ""
            yield f"It lets {player} build{where} for {then} VP next{rise}{free}."
        else:
            yield f"{player} can still build{where} for {then} VP next{free}."
    else:
        yield f"{player} would have {len(hand)} cards; the best pair scores {then} VP."


SAMPLES = {1: 300, 2: 1000, 3: 800, 4: 500}
"""Playouts in about a second, by the number of players."""


SAFE = 0.9
"""The chance of winning a solo game from which on its rank is the aim."""
MISJUDGED = 1.0
"""By how many VP differences between moves are misjudged however often is played on: a standard
error. Of the moves that are behind by more than the ± that follows, nine in ten are worse in whole
games; ``python -m bench.judgment`` finds it."""


class PortoCoach(Coach):
    """Judges moves of Porto, see :class:`~porto_cli.players.Coach`.

    A build is judged with all public contracts that it meets, unless they wait to be chosen.
    """

    samples = 500

    def judge(
        self,
        view: View,
        rng: Random,
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
        forecast = forecast_of(state, seat)
        tables = {move: leads_to for _, move, leads_to in _worth_a_look(state, forecast)[:width]}
        for move in moves:
            if move not in tables:
                tables[move] = after(state, move)
        seed = seed_of(rng)
        after_them = list(tables.values())
        return tried(
            list(tables),
            lambda place, nth: forecast.look(forecast.play_on(after_them[place], seed + 2 * nth)),
            samples=samples or SAMPLES[table.config.seats],
            seconds=seconds,
            wanted=moves,
            sum_up=lambda means: forecast.sum_up(state, means),
            misjudged=MISJUDGED,
        )

    def prospect(self, view: View) -> Prospect:
        """Return at a glance how the game can be expected to end; at its end how it has ended."""
        table: State = view.table
        seat = seat_of(view)
        if table.phase != OVER:
            state = _open(view)
            return _at_a_glance(state, forecast_of(state, seat))
        if table.config.timer:
            vp = table.scores[0]
            return Prospect(vp - SOLO_WIN, float(vp >= SOLO_WIN))
        return Prospect(margin_of(table.scores, seat), float(ranking(table)[0] == seat))

    def expected(self, view: View, move: Move, rng: Random, *, samples: int = 50) -> Prospect:
        """Return the mean of :meth:`prospect` after a move, when the turn is over."""
        seat = seat_of(view)
        if isinstance(move, Keep):
            judged = {one.move: one.prospect for one in self.judge(view, rng, moves=[move])}
            return judged.get(move) or self.prospect(view)
        state = _open(view)
        forecast = forecast_of(state, seat)
        left = after(state, move)
        return over_chances(
            lambda chance: _at_a_glance(turned_up(left, chance), forecast), rng, samples
        )

    def reasons(self, view: View, move: Move) -> list[str]:
        """Return why a move may be good or bad, the most important reason first."""
        seat = seat_of(view)
        return reasons_of(view.table, _open(view), seat, move)

    def aim(self, expected: Prospect) -> str:
        """Say which rank a solo game that is as good as won is on course for, and the next one."""
        if expected.win < SAFE or expected.margin < 0:
            return ""
        vp = round(SOLO_WIN + expected.margin)
        return f"On course for about {vp} VP: {ranks(vp)}."


COACH: Coach = PortoCoach()


def _open(view: View) -> State:
    """Return the table without private contracts of others, as if all had kept theirs."""
    state = open_table(view)
    if state.phase == KEEP and not view.table.is_revealing:
        state.phase = ACT
    return state


def _worth_a_look(state: State, forecast: Forecast) -> Ranked:
    if state.phase == CONTRACTS:
        return ranked(state, legal_moves(state), forecast.worth)
    found = candidates(state, forecast.worth, starts=STARTS, roofs=None)
    if not found:
        return ranked(state, [PASS], forecast.worth)
    best: dict[object, tuple[float, Move, State]] = {}
    for one in found:
        move = one[1]
        best.setdefault(move[:3] if isinstance(move, Build) else move, one)
    return list(best.values())


def _at_a_glance(state: State, forecast: Forecast) -> Prospect:
    """Return the prospect of a table, in the middle of a turn as well."""
    return forecast.prospect(_settled(state, forecast))


def _settled(state: State, forecast: Forecast) -> State:
    """Return a table at which its prospect can be read off: if a turn has begun, how the best goes
    on with it.
    """
    if state.phase == CONTRACTS:
        return after(state, Claim(state.claimable))
    if state.phase == TIMER and state.turned:
        return max((after(state, build) for build in default_builds(state)), key=forecast.worth)
    if state.config.timer and not state.turn and state.phase == ACT:
        # The weights were never fitted to a table before the first move.
        return _worth_a_look(state, forecast)[0][2]
    return state


def _judge_keeping(state: State, seat: int, moves: Sequence[Move], width: int) -> list[Judgment]:
    """Judge which private contracts to keep; what the others can be expected to keep is even.

    Nothing is tried, so that there is no error of trying.
    """
    table = _open(View(seat, state))
    forecast = forecast_of(table, seat)
    table = _settled(table, forecast)
    weights = weights_for(state)
    even = 0.0 if state.config.timer else _best_of_a_deal(state, weights.keep)
    total = _totals(state, seat)
    ordered = sorted(KEEPS, key=lambda keep: -total[keep])
    judged = [keep for keep in ordered if keep in ordered[:width] or keep in moves]
    best = total[ordered[0]]
    return [
        Judgment(
            keep,
            forecast.prospect(table, total[keep] - even),
            best - total[keep],
            error=0.0,
            misjudged=MISJUDGED,
        )
        for keep in judged
    ]


def _totals(state: State, seat: int) -> dict[Keep, float]:
    """Return what each three of the private contracts dealt to a seat are worth together, in VP."""
    vps = worths_of_dealt(state, seat, weights_for(state))
    return {keep: sum(vps[place] for place in keep.places) for keep in KEEPS}


def _best_of_a_deal(state: State, worth: Sequence[float]) -> float:
    """Return what the best three of five private contracts are worth on average."""
    pile = sorted((worth[contract] for contract in state.config.private_deck), reverse=True)
    size = len(pile)
    deals = comb(size, DEALT)
    mean = 0.0
    for better, vp in enumerate(pile):
        # It is dealt with fewer than three of those before it.
        rest = size - better - 1
        with_it = sum(comb(better, few) * comb(rest, DEALT - 1 - few) for few in range(KEPT))
        mean += vp * with_it / deals
    return mean
