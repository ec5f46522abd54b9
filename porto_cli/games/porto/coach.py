"""The coach of Porto: judges moves by playouts, and gives the reasons for and against them.

All moves are judged with the same random numbers, so that only the move differs. Which private
contracts to keep cannot be tried; it is judged by what they were worth in other games. The reasons
use only what the player may know.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from porto_cli.core import enumerated, plural
from porto_cli.game import OVER, View
from porto_cli.games.porto.engine import (
    COLORS,
    EMPTY,
    HOUSES,
    NOWHERE,
    PRIVATE,
    PRIVATE_NAMES,
    PUBLIC_NAMES,
    card_names,
)
from porto_cli.games.porto.engine.build import Build, TokenMoved
from porto_cli.games.porto.engine.cards import KEEPS, Claim, Draw, Keep
from porto_cli.games.porto.engine.moves import EndTriggered, Event, scored_in
from porto_cli.games.porto.engine.play import PASS, Move, Pass, legal_moves
from porto_cli.games.porto.engine.scoring import SOLO_WIN, private_vp, ranking, ranks
from porto_cli.games.porto.engine.state import ACT, CONTRACTS, KEEP, TIMER, State
from porto_cli.games.porto.notation import reasons, scores_json
from porto_cli.games.porto.players import (
    STARTS,
    Forecast,
    evaluation,
    forecast_of,
    open_table,
    turned_up,
    weights_for,
    worths_of_dealt,
)
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
MUCH = 2
"""The VP that a single card adds to the best build of the next player that are worth a sentence."""

MANY = 3
"""The number of cards that the next draw could take that is worth a sentence."""
NAMED = 5
"""The number of cards in hand up to which they are named."""


def reasons_of(table: State, state: State, seat: int, move: Move) -> list[str]:
    """Return why a move may be good or bad, the most important reason first.

    ``table`` is what the seat may know; ``state`` is the same with no private contracts but
    those that the seat kept, see :func:`~porto_cli.games.porto.players.open_table`.
    """
    if isinstance(move, Keep):
        return list(_of_keeping(table, seat, move))
    left, events = played(state, move)
    hand = [*_of_hand(state, left, seat, move)]
    # A draw scores nothing: what it is for comes first, as what others score does.
    is_draw = isinstance(move, Draw)
    return [
        *(hand if is_draw else _of_scores(state, events)),
        *_of_end_and_token(left, events),
        *_of_private(state, left, seat),
        *_of_what_is_left_out(state, left, move),
        *(_of_next(state, left, move) if left.phase == ACT and left.seat != seat else ()),
        *(() if is_draw else hand),
    ]


def _goes_on(left: State, seat: int) -> bool:
    """Return whether the seat has another turn."""
    if left.config.timer:
        return evaluation.solo_turns_left(left) > 0
    if left.phase not in (ACT, TIMER):
        return False
    return not left.end_round or evaluation.turns_left(left, seat) > 0


def _of_keeping(table: State, seat: int, move: Keep) -> Iterator[str]:
    """Return what each contract is worth and all together, of the best ones also how much more than
    the next ones; and which of them count the same houses.
    """
    if not table.dealt or table.is_revealing:
        return
    totals, dealt = _totals(table, seat), table.dealt[seat]
    vps = worths_of_dealt(table, seat, weights_for(table))
    ordered = sorted(move.places, key=lambda place: -vps[place])
    each = ", ".join(f"{PRIVATE_NAMES[dealt[place]]} {vps[place]:.1f}" for place in ordered)
    lead = totals[move] - sorted(totals.values(), reverse=True)[1]
    more = f", {lead:.1f} more than the next best three" if lead >= 0.05 else ""
    yield f"Worth on average: {each}; together about {totals[move]:.1f} VP{more}."
    kept = [PRIVATE[dealt[place]] for place in move.places]
    fitting = [
        f"{enumerated(alike)} count {name} houses"
        for color, name in enumerate(COLORS)
        if len(alike := [contract.name for contract in kept if color in contract.colors]) > 1
    ]
    if twice := {one.name for one in kept if kept.count(one) > 1}:
        fitting.append(f"both cards of {enumerated(twice)} score for the same houses")
    if fitting:
        yield f"They fit together: {'; '.join(fitting)}."
    elif all(contract.colors for contract in kept):
        yield "They ask for different colors, so no house counts for two of them."


def _of_scores(state: State, events: list[Event]) -> Iterator[str]:
    scores = scored_in(events)
    if scores and state.phase != TIMER:
        vp = sum(score.vp for score in scores)
        yield f"It scores {vp} VP now: {reasons(scores_json(scores))}."


def _of_end_and_token(left: State, events: list[Event]) -> Iterator[str]:
    for event in events:
        if isinstance(event, EndTriggered):
            yield f"It triggers the end: the game ends after round {event.round + 1}."
        elif isinstance(event, TokenMoved) and event.roof != NOWHERE:
            yield (
                f"Its token of {event.value} VP goes to the roof of {HOUSES[event.roof]}, which "
                f"{_then(left, event.roof)}."
            )


def _then(left: State, house: int) -> str:
    """Return what a house lacks after a move."""
    missing = left.config.heights[house] - left.floors[house]
    return f"then needs {plural(missing, 'more floor')}" if missing else "is then complete"


def _of_private(state: State, left: State, seat: int) -> Iterator[str]:
    """Return what a move does for the player's private contracts; others' are not known."""
    own = state.kept[seat]
    completion = weights_for(state).completion
    row = evaluation.completion_row(state)
    is_over = left.phase == OVER or left.is_played_out

    def vp(one: State, contracts: bytes) -> float:
        # As much of the game is left before and after: what differs is the houses.
        if is_over:
            return sum(private_vp(one, contract) for contract in contracts)
        return expected_vp(one, contracts, completion, row)

    for contract in dict.fromkeys(own):
        alike = bytes([contract]) * own.count(contract)
        rise = vp(left, alike) - vp(state, alike)
        more = f"{round(abs(rise), 1):g} VP {'more' if rise > 0 else 'less'}"
        worth = f"scores {more}" if is_over else f"is worth about {more} on average"
        if abs(rise) >= WORTH_SAYING:
            yield f"The private contract {PRIVATE_NAMES[contract]} {worth}."
    if state.config.private_contracts and not own:
        yield (
            f"{state.config.players[seat]}'s private contracts are unknown here, so they are not "
            "counted."
        )


def _of_what_is_left_out(state: State, left: State, move: Move) -> Iterator[str]:
    """Return which public contracts a choice leaves out, and what a house needs on which the timer
    builds; of one that gets a token that is said with the token.
    """
    if isinstance(move, Claim):
        spaces = [space for space in state.claimable if space not in move.spaces]
        names = [PUBLIC_NAMES[state.contracts[space]] for space in spaces]
        if names:
            yield f"It leaves {enumerated(names)} unfulfilled."
    elif isinstance(move, Build) and state.phase == TIMER and move.token != move.house:
        yield f"{HOUSES[move.house]} {_then(left, move.house)}."


def _of_next(state: State, left: State, move: Move) -> Iterator[str]:
    """Return what a move leaves to the next player.

    Of the row that is what stays there: spaces are filled again before the next turn, with cards
    that nobody knows.
    """
    hand, board = left.hands[left.seat], Board(left)
    player = left.config.players[left.seat]
    before, then = Board(state).matching(hand).first, board.matching(hand).first
    if then > before:
        yield f"It lets {player} build for {then} VP, up from {before}."
    elif then < before:
        most = f"a build for at most {then} VP" if then else "nothing to build"
        yield f"It leaves {player} {most}, down from {before} VP."
    elif then and not isinstance(move, Draw):
        yield f"{player} can build for {then} VP, as before."
    if left.end_round and evaluation.turns_left(left, left.seat) < 2:
        return
    stay = left.cards.replace(bytes([EMPTY]), b"")
    taken = bytes(state.cards[space] for space in move.spaces) if isinstance(move, Draw) else b""

    (vp, named), (missed, gone) = (_with_one_of(board, hand, cards) for cards in (stay, taken))
    if vp >= then + MUCH:
        yield f"It leaves {named}, with which {player} could build for {vp} VP."
    elif missed >= max(vp, then) + MUCH:
        yield f"It takes {gone}, with which {player} could build for {missed} VP."
    if stay and row_of(stay).most >= MANY:
        yield f"Of the cards that stay, {player} can draw {row_of(stay).most} at once."


def _with_one_of(board: Board, hand: bytes, cards: bytes) -> tuple[int, str]:
    """Return the most VP of a build with a hand and one more of the cards, and which one that is;
    0 without one.
    """
    more = {*cards} - {EMPTY}
    found = ((board.matching(bytes(sorted([*hand, card]))).first, card) for card in more)
    vp, card = max(found, default=(0, EMPTY))
    return vp, card_names(bytes([card]))[0]


def _of_hand(state: State, left: State, seat: int, move: Move) -> Iterator[str]:
    """Return what the player's hand is worth after the move, if there is a turn to use it."""
    if isinstance(move, Pass):
        return
    hand, player = left.hands[seat], left.config.players[seat]
    if not _goes_on(left, seat):
        if isinstance(move, Draw):
            yield f"{player} has no turn left in which to build with it."
        return
    board = Board(left)
    best = board.matching(hand)
    # Of a draw, what it adds to the hand; of other moves, what they change for these cards.
    was = Board(state).matching(state.hands[seat] if isinstance(move, Draw) else hand)
    then, before = best.first, was.first
    named = " ".join(card_names(hand)) or "no cards left"
    cards = named if len(hand) <= NAMED else f"{len(hand)} cards"
    if state.phase in (CONTRACTS, TIMER):
        instead = f", instead of {before}" if then != before else ""
        if len(hand) > 1:
            yield f"{player}'s best pair of cards would then score {then} VP{instead}."
    elif not then:
        only = "only " if len(hand) == 1 else ""
        useless = ", and no build for them" if len(hand) > 1 else ""
        vp, card = _with_one_of(board, hand, left.cards if isinstance(move, Draw) else b"")
        more = f"; {card} from the row would make a build for {vp} VP" if vp else ""
        yield f"{player} would have {only}{cards}{useless}{more}."
    elif isinstance(move, Draw):
        where = f" on {HOUSES[best.home]}" if best.home != NO_HOUSE else ""
        # Alone, the timer builds where the player says.
        free = ", unless somebody builds there first" if where and not left.config.timer else ""
        can = f"It lets {player}" if then > before else f"{player} can still"
        rise = f", up from {before}" if then > before > 0 else ""
        yield f"{can} build{where} for {then} VP next{rise}{free}."
        if best.second > was.second:
            yield f"The best pair of the other cards would score {best.second} VP."
    else:
        yield f"{player} would keep {cards}; the best pair scores {then} VP."


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
            # Nothing comes up.
            return self.prospect(view)
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
    """Judge which private contracts to keep; with others, the best three are taken to be even with
    what they keep.

    Nothing is tried, so that there is no error of trying.
    """
    table = _open(View(seat, state))
    forecast = forecast_of(table, seat)
    table = _settled(table, forecast)
    total = _totals(state, seat)
    ordered = sorted(KEEPS, key=lambda keep: -total[keep])
    judged = [keep for keep in ordered if keep in ordered[:width] or keep in moves]
    best = total[ordered[0]]
    even = 0.0 if state.config.timer else best
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
