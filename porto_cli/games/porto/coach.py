"""The coach of Porto: judges moves by playouts, and gives the reasons for and against them.

All moves are judged with the same random numbers, so that only the move differs. Which private
contracts to keep cannot be tried by playouts; they are judged by what they were worth in other
games. The reasons use only what the player may know.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import NamedTuple

from porto_cli.core import enumerated, plural
from porto_cli.games.porto.engine import (
    CARD_SPACES,
    COLOR_OF,
    COLORS,
    EMPTY,
    HOUSES,
    NOWHERE,
    PRIVATE,
    PRIVATE_NAMES,
    PUBLIC_NAMES,
    VALUE_OF,
    card_names,
)
from porto_cli.games.porto.engine.cards import KEEPS, Claim, Draw, Keep
from porto_cli.games.porto.engine.play import PASS, Build, Move, RoofPlaced, TokenMoved, legal_moves
from porto_cli.games.porto.engine.scoring import SOLO_WIN, private_vp, ranking, ranks, scale_of
from porto_cli.games.porto.engine.state import ACT, CONTRACTS, KEEP, TIMER, State
from porto_cli.games.porto.engine.turn import EndTriggered, Event, Scored, scored_in
from porto_cli.games.porto.notation import reasons, scores_json
from porto_cli.games.porto.phrases import less_of, most_of, private_in_short
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
from porto_cli.games.porto.players.candidates import (
    Ranked,
    after,
    candidates,
    default_builds,
    distinct_draws,
    played,
    ranked,
    worth,
)
from porto_cli.games.porto.players.evaluation import expected_vp
from porto_cli.players import (
    Advise,
    Against,
    Coach,
    Judgment,
    Prospect,
    Trials,
    for_first,
    margin_of,
    over_chances,
    seat_of,
    seed_of,
)
from porto_cli.seam import OVER, View

WORTH_SAYING = 0.3
"""The smallest change in the VP of a private contract that is worth a sentence."""
MUCH = 2
"""How many VP more the next player's best build has to bring to be worth a sentence."""
BUILDS, MOST_BUILDS = 3, 6
"""The successive builds from a hand that are looked at; the most, where these show no gain."""
MANY_TURNS = 99
"""Stands for the number of turns left as long as nobody knows it."""


def _turns_left(left: State, seat: int) -> int:
    """Return how many turns the seat has left."""
    if left.config.timer:
        return evaluation.solo_turns_left(left)
    if left.phase not in (ACT, TIMER):
        return 0
    return evaluation.turns_left(left, seat) if left.end_round else MANY_TURNS


def _reasons_to_keep(table: State, seat: int, move: Keep) -> Iterator[str]:
    """Yield which houses count for more than one of the contracts, what the best of all pays if it
    is among them, and what they are worth.
    """
    if not table.dealt or table.is_revealing:
        return
    dealt, vps = table.dealt[seat], worths_of_dealt(table, seat, weights_for(table))
    ordered = sorted(move.places, key=lambda place: -vps[place])
    each = [f"{vps[place]:.1f} VP for {PRIVATE_NAMES[dealt[place]]}" for place in ordered]
    colors = [color for place in move.places for color in PRIVATE[dealt[place]].colors]
    if shared := [name for color, name in enumerate(COLORS) if colors.count(color) > 1]:
        yield f"{enumerated(shared).capitalize()} houses count more than once."
    if vps[ordered[0]] == max(vps):
        best = dealt[ordered[0]]
        pays = private_in_short(PRIVATE_NAMES[best], scale_of(table.config, best))
        yield f"The best one is {PRIVATE_NAMES[best]}: {pays}."
    yield f"In other games they brought on average {enumerated(each)}."


def _end_and_token_reasons(left: State, seat: int, events: list[Event]) -> Iterator[str]:
    """Yield whether a move triggers the end, and who may score the token that it moves, or that no
    one scores.
    """
    for event in events if left.phase != OVER else ():
        if isinstance(event, EndTriggered):
            yield f"It triggers the end: the game ends after round {event.round + 1}."
        elif isinstance(event, RoofPlaced) and event.token and Scored not in map(type, events):
            yield Against(f"The token of {event.token} VP on its roof is lost.")
        elif isinstance(event, TokenMoved) and event.roof != NOWHERE:
            yield from _waiting_token(left, seat, event)


def _waiting_token(left: State, seat: int, token: TokenMoved) -> Iterator[str]:
    """Yield where a token waits, and who has the cards to complete that house, if anybody."""
    players, roof = left.config.players, token.roof
    missing = left.config.heights[roof] - left.floors[roof]
    near = [
        f"{players[other]}'s"
        for other, hand in enumerate(left.hands)
        if other not in left.out
        if (roof, missing) in [_addition(best.build)[:2] for best in _builds(left, hand)]
    ]
    said = f"Its token waits on {HOUSES[roof]}: {token.value} VP for completing it"
    # Everybody else moves before the player does again.
    kind = Against if {*near} - {f"{players[seat]}'s"} else str
    reach = f"within {enumerated(near)} reach" if near else "nobody can yet"
    yield kind(f"{said} ({plural(missing, 'floor')} to go, {reach}).")


def _met(state: State, left: State, seat: int) -> dict[int, int]:
    """Return how many VP more a move is sure to bring at the end for each of the player's private
    contracts; those of others are unknown.
    """
    rises = ((one, private_vp(left, one) - private_vp(state, one)) for one in state.kept[seat])
    return {one: rise * state.kept[seat].count(one) for one, rise in rises if rise}


def _private_vp_reasons(state: State, seat: int, met: Mapping[int, int]) -> Iterator[str]:
    """Yield what a move is sure to bring for the player's private contracts."""
    if met:
        whose = f"{state.config.players[seat]}'s private contracts"
        names = enumerated([PRIVATE_NAMES[one] for one in met])
        yield f"At the end {whose} bring {sum(met.values())} VP more: {names}."


def _private_contract_reasons(
    state: State, left: State, seat: int, met: Container[int]
) -> Iterator[str]:
    """Yield what a move does on average for the player's private contracts, without those that it
    is sure to bring VP for (``met``).
    """
    own = state.kept[seat]
    completion = weights_for(state).completion
    row = evaluation.completion_row(state)
    helps, hurts = list[str](), list[str]()
    is_over = left.phase == OVER or left.is_played_out
    for contract in dict.fromkeys(one for one in own if one not in met and not is_over):
        alike = bytes([contract]) * own.count(contract)
        # As much of the game is left before and after: what differs is the houses.
        before, then = (expected_vp(one, alike, completion, row) for one in (state, left))
        if abs(rise := then - before) >= WORTH_SAYING:
            worth = f"{PRIVATE_NAMES[contract]} (about {round(abs(rise), 1):g} VP)"
            (helps if rise > 0 else hurts).append(worth)
    whose = f"{state.config.players[seat]}'s private contracts"
    if helps:
        yield f"It helps {whose}: {enumerated(helps)}."
    if hurts:
        yield Against(f"It hurts {whose}: {enumerated(hurts)}.")
    if state.config.private_contracts and not own:
        yield Against(f"{whose} are unknown here, so they are not counted.")


def _what_it_leaves_undone(state: State, move: Move) -> Iterator[str]:
    """Yield which public contracts a choice does not fulfill."""
    if isinstance(move, Claim):
        left_out = {*state.claimable} - {*move.spaces}
        if names := [PUBLIC_NAMES[state.contracts[space]] for space in sorted(left_out)]:
            yield Against(f"It leaves {enumerated(names)} unfulfilled.")


def _next_player_reasons(state: State, left: State) -> Iterator[str]:
    """Yield how a move changes the next player's best build, and what it leaves in the row for that
    player, or keeps from them.

    Only the cards that stay there count: nobody knows those of the refill. The next player builds
    with what they draw only after this player's next turn, which is assumed to be the best build.
    """
    hand, player = left.hands[left.seat], left.config.players[left.seat]
    before, then = _best(state, hand), _best(left, hand)
    if then.vp > before.vp:
        yield Against(f"Risk: {player} can then build {then}.")
    elif then.vp < before.vp:
        yield f"It spoils {player}'s best build: {before}."
    if state.phase != ACT or (left.end_round and evaluation.turns_left(left, left.seat) < 2):
        return
    table, _ = _after_best_build(left, left.hands[state.seat])
    undrawn = max(then.vp, _best(table, hand).vp)
    rows = left.cards, state.cards
    (stays, named), (missed, gone) = (_best_with_a_draw(table, hand, row) for row in rows)
    if stays.vp >= undrawn + MUCH:
        yield Against(f"Risk: {player} could draw {named} and then build {stays}.")
    elif missed.vp >= max(stays.vp, undrawn) + MUCH:
        # Some of them may still lie there, but no longer all.
        yield f"Otherwise {player} could draw {gone} and then build {missed}."


# When to build: now, or after a draw. Hands are open, and nobody can draw and build in one turn, so
# it is known who could build where before the player's next turn.


class _Best(NamedTuple):
    """A build and its VP, including all contracts that it meets; 0 VP if there is no build."""

    vp: int = 0
    build: Build = Build(0, 0, NOWHERE)

    def __str__(self) -> str:
        """Return what is built: ``2 red floors on L5 for 8 VP``."""
        floors = plural(VALUE_OF[self.build.number], f"{COLORS[COLOR_OF[self.build.color]]} floor")
        return f"{floors} on {HOUSES[self.build.house]} for {self.vp} VP"


def _as_if_holding(state: State, hand: bytes) -> State:
    """Return the table as if the player to move had this hand."""
    table = state.copy()
    table.phase, table.hands = ACT, (hand,) * state.config.seats
    return table


def _builds(state: State, hand: bytes) -> list[_Best]:
    """Return the builds that are possible with a hand, the best one first; ties go to the first
    house.
    """
    table = _as_if_holding(state, hand)
    found = [_Best(worth(table, build), build) for build in default_builds(table)]
    return sorted(found, key=lambda one: (-one.vp, one.build.house))


def _best(state: State, hand: bytes, using: bytes = b"") -> _Best:
    """Return the best build with a hand; it plays one of the cards ``using`` if there are any."""
    builds = (one for one in _builds(state, hand) if not using or {*using} & {*one.build[:2]})
    return next(builds, _Best())


def _best_with_a_draw(
    state: State, hand: bytes, row: bytes, using: bytes = b""
) -> tuple[_Best, str]:
    """Return the best build with a hand after one draw from a row, and the cards to draw for it, as
    few as possible; none if nothing can be drawn. It is one ``using`` some cards, see
    :func:`_best`.
    """
    found = [
        (_best(state, bytes(sorted([*hand, *take.cards])), using), take.cards)
        for take in distinct_draws(row)
    ]
    undrawn = _best(state, hand, using), ()
    best, cards = max(found, key=lambda one: (one[0].vp, -len(one[1])), default=undrawn)
    return best, enumerated(card_names(bytes(cards)))


def _after_best_build(state: State, hand: bytes) -> tuple[State, bytes]:
    """Return the table after the best build from a hand, and the rest of the hand; both unchanged
    if there is no build.
    """
    first = _best(state, hand)
    table = after(_as_if_holding(state, hand), first.build) if first.vp else state
    return table, table.hands[state.seat] if first.vp else hand


def _rival(state: State, seat: int, house: int) -> tuple[str, _Best] | None:
    """Return whose best build before the player's next turn is on the same house, and that build;
    ``None`` if nobody's is.
    """
    for other in (*range(seat + 1, state.config.seats), *range(seat)):
        best = _Best() if other in state.out else _best(state, state.hands[other])
        if best.vp and best.build.house == house:
            return state.config.players[other], best
    return None


def _timer_reasons(state: State, left: State, seat: int, move: Move) -> Iterator[str]:
    """Yield what a build for the timer does to the player's next build: one from the hand, or if
    there is none, one after a draw; and if that is no less, how high its own house gets.
    """
    if state.phase != TIMER or not isinstance(move, Build):
        return
    hand, player, turns = left.hands[seat], left.config.players[seat], _turns_left(left, seat)
    if not turns:
        yield "It is the last build, and scores nothing."
        return
    most, now = (most_of(state.kept[seat], table) for table in (state, left))
    for contract, less in less_of(most, now).items():
        yield Against(f"{player}'s {contract} can bring {less} VP less.")
    is_drawn = turns > 1 and not (_best(state, hand).vp or _best(left, hand).vp)
    row = left.cards if is_drawn else bytes([EMPTY] * CARD_SPACES)
    (before, lost), (then, cards) = (_best_with_a_draw(table, hand, row) for table in (state, left))
    could, can = (
        f"After drawing {some}, {player} can" if some else f"{player} can" for some in (lost, cards)
    )
    if then.vp < before.vp:
        yield Against(f"{could} no longer build {before}.")
        return
    if then.vp > before.vp:
        yield f"{can} then build {then}{f' instead of {before.vp}' if before.vp else ''}."
    else:
        yield f"{can} still build {then}." if then.vp else f"{player} has nothing to build yet."
    if not left.is_complete(move.house):
        floors = f"{left.floors[move.house]} of {left.config.heights[move.house]} floors"
        yield f"{HOUSES[move.house]} then has {floors}: {player}'s next build there scores them."


def _build_or_draw_first(state: State, left: State, seat: int, move: Move) -> Iterator[str]:
    """Compare a build with drawing first, unless another build would score more now, or there is
    nothing to draw.
    """
    if state.phase == TIMER or not isinstance(move, Build) or not _turns_left(left, seat):
        return
    hand = state.hands[seat]
    if rival := _rival(state, seat, move.house):
        yield f"Otherwise {rival[0]} could build on {HOUSES[move.house]} first."
    now, (then, cards) = worth(state, move), _best_with_a_draw(state, hand, state.cards)
    if _best(state, hand).vp >= now + MUCH:
        yield from _instead_of_scoring(state, left, seat)
    elif cards and _best(state, hand).vp <= now < then.vp:
        yield Against(f"Drawing {cards} first would allow {then}, but cost a turn.")


def _draw_or_build_now(state: State, left: State, seat: int, move: Move) -> Iterator[str]:
    """Say what a draw is for, and whether others can build first where the player could now."""
    if not isinstance(move, Draw):
        return
    turns, player = _turns_left(left, seat), left.config.players[seat]
    if not turns:
        yield Against(f"{player} has no turn left in which to build with it.")
        return
    then = _best(left, left.hands[seat])
    new = bytes(state.cards[space] for space in move.spaces)
    if then.vp:
        hand = f"{player} then has {len(left.hands[seat])} cards, and a build takes two"
        none = Against(f"No better build yet: still {then}.")
        yield _purpose(state, left, seat, turns) or (f"{hand}: next {then}." if turns > 1 else none)
        if turns > 1 and _best(state, state.hands[seat]).vp:
            yield from _instead_of_scoring(state, left, seat, new)
        if rival := _rival(left, seat, then.build.house):
            yield Against(f"Risk: {rival[0]} could build {rival[1]} before {player}.")
        elif left.config.seats == 1 and _after_best_build(left, left.hands[seat])[0].contracts != (
            left.contracts
        ):
            yield Against("Risk: the timer could first discard a contract that counts here.")
        return
    drawn, cards = _best_with_a_draw(left, left.hands[seat], left.cards, new)
    if drawn.vp and turns > 1:
        yield f"After drawing {cards} as well, {player} could build {drawn}."
    else:
        yield Against("It allows no build yet.")


def _instead_of_scoring(state: State, left: State, seat: int, new: bytes = b"") -> Iterator[str]:
    """Say why not to make the build that scores most now: what the ``new`` cards of a draw lose by
    it, which build they allow there, what the next player gains, or that it can wait for the draw.
    """
    best = _best(state, state.hands[seat])
    built, rest = _after_best_build(state, state.hands[seat])
    drawn = _successive_builds(left, left.hands[seat], BUILDS)
    then = _successive_builds(built, bytes(sorted([*rest, *new])), BUILDS - 1)
    lost = _vp(drawn) - _vp([best, *then])
    house, player = HOUSES[best.build.house], left.config.players[left.seat]
    gift, anyway = (_best(table, left.hands[left.seat]) for table in (built, left))
    if new and lost > 0:
        yield f"Building first would bring {lost} VP less over the next builds."
    elif new and drawn[0].build.house == best.build.house and drawn[0].vp > best.vp:
        yield f"It is worth waiting for {drawn[0]}."
    elif left.seat != seat and gift.vp >= anyway.vp + MUCH:
        yield f"Building on {house} now would set {player} up for {gift}."
    elif new and not _rival(left, seat, best.build.house):
        yield f"{left.config.players[seat]}'s best build can wait; these cards may soon be gone."


def _purpose(state: State, left: State, seat: int, turns: int) -> str:
    """Return what a draw is good for: by how much the cards improve the next builds, at the table
    as it is now, or else a build that they make possible.
    """
    most, player = min(turns, MOST_BUILDS), left.config.players[seat]
    before, then = (_successive_builds(one, one.hands[seat], most) for one in (state, left))
    gains = [_vp(then[:n]) - _vp(before[:n]) for n in range(len(then) + 1)]
    # The fewest builds that show most of it, and no more than usual if these show anything.
    count = max(range(len(gains)), key=lambda n: (n <= BUILDS and gains[n] > 0, gains[n]))
    known = {_addition(one.build) for one in _builds(state, state.hands[seat])}
    if gains[count] > 0:
        instead = f" instead of {_vp(before[:count])}" if before else ""
        if count == 1:
            return f"Next turn {player} can build {then[0]}{instead}."
        can = f"{player}'s next {count} builds can then bring"
        if 0 < len(before) < count:
            can = f"{player}'s cards then last for {count} builds instead of {len(before)}:"
        can += f" {_vp(then[:count])} VP{instead}"
        new = next((one for one in then[:count] if _addition(one.build) not in known), None)
        rest = [str(one) for one in then[:count] if one is not new][:BUILDS]
        if new:
            return f"{can}. New among them: {new} (besides {enumerated(rest)})."
        more = ", and so on" if count > BUILDS else ""
        return f"{can} (first {', then '.join(rest)}{more})."
    others = (one for one in _builds(left, left.hands[seat]) if _addition(one.build) not in known)
    return next((f"Next turn {player} can also build {one}." for one in others), "")


def _vp(builds: Iterable[_Best]) -> int:
    return sum(one.vp for one in builds)


def _addition(build: Build) -> tuple[int, int, int]:
    """Return the house, number of floors and color of a build, whichever cards it uses."""
    return build.house, VALUE_OF[build.number], COLOR_OF[build.color]


def _successive_builds(state: State, hand: bytes, most: int) -> list[_Best]:
    """Return the best build from a hand, then the best one with the remaining cards, and so on."""
    found: list[_Best] = []
    while len(found) < most and (best := _best(state, hand)).vp:
        found.append(best)
        state, hand = _after_best_build(state, hand)
    return found


SAMPLES = {1: 300, 2: 1000, 3: 800, 4: 500}
"""Playouts in about a second, by the number of players."""
SAFE = 0.9
"""From this chance of winning a solo game on, the aim is a high rank."""
MISJUDGED = 1.0
"""The standard error, in VP, of differences between moves that is left after any number of
playouts. Of the moves that are behind by more than the ± that results, nine in ten are worse in
whole games; measured by ``python -m bench.judgment``."""


class PortoCoach(Coach):
    """Judges moves of Porto.

    A build is assumed to fulfill all public contracts that it meets, unless the choice among them
    is the move to judge.
    """

    samples = 500

    def trials(
        self, view: View, rng: Random, moves: Sequence[Move], width: int
    ) -> Trials | list[Judgment]:
        """Try the moves that look best, the one that scores most now, and those given. Of builds
        that differ only in the roof for their token, at most one counts as looking best.

        The list is empty where the choices are unknown: at a real table only the players know
        what was dealt to them.
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
        state = _open_table(view)
        forecast = forecast_of(state, seat)
        looks = _worth_a_look(state, forecast)
        # Who sees what scores most now asks why it is not the best move.
        most = max(looks, key=lambda look: worth(state, look[1]))
        best = looks[:width]
        if width > 1 and most not in best:
            best[-1] = most
        tables = {move: leads_to for _, move, leads_to in best}
        tables |= {move: after(state, move) for move in moves if move not in tables}
        seed = seed_of(rng)
        after_them = list(tables.values())
        return Trials(
            list(tables),
            lambda place, nth: forecast.look(forecast.play_on(after_them[place], seed + 2 * nth)),
            SAMPLES[table.config.seats],
            MISJUDGED,
            lambda means: forecast.sum_up(state, means),
        )

    def prospect(self, view: View) -> Prospect:
        """Return a quick estimate of how the game will end; after its end, how it ended."""
        table: State = view.table
        seat = seat_of(view)
        if table.phase != OVER:
            state = _open_table(view)
            return _at_a_glance(state, forecast_of(state, seat))
        if table.config.timer:
            vp = table.scores[0]
            return Prospect(vp - SOLO_WIN, float(vp >= SOLO_WIN))
        return Prospect(margin_of(table.scores, seat), float(ranking(table)[0] == seat))

    def expected(self, view: View, move: Move, rng: Random, *, samples: int = 50) -> Prospect:
        """Return the mean of :meth:`prospect` after a move, when the turn is over."""
        seat = seat_of(view)
        if isinstance(move, Keep):
            # Nothing comes up after this choice.
            return self.prospect(view)
        state = _open_table(view)
        forecast = forecast_of(state, seat)
        left = after(state, move)
        return over_chances(
            lambda chance: _at_a_glance(turned_up(left, chance), forecast), rng, samples
        )

    def reasons(self, view: View, move: Move, advise: Advise | None = None) -> list[str]:
        """Return why a move may be good or bad, the most important reason first.

        They use no private contracts but those that the seat kept.
        """
        table: State = view.table
        seat = seat_of(view)
        if isinstance(move, Keep):
            return [*_reasons_to_keep(table, seat, move)]
        state = _open_table(view)
        left, events = played(state, move)
        is_passed_on = left.phase == ACT and left.seat != seat
        scores = scored_in(events) if state.phase != TIMER else []
        vp = sum(score.vp for score in scores)
        by = f" ({reasons(scores_json(scores))})" if state.phase == ACT else ""
        then = _best(left, left.hands[seat])
        is_followed = isinstance(move, Build) and then.vp and _turns_left(left, seat)
        follow = f", with {then} to follow" if is_followed else ""
        met = _met(state, left, seat)
        found = (
            *[f"It scores {vp} VP now{by}{follow}."] * bool(scores),
            *_private_vp_reasons(state, seat, met),
            *_draw_or_build_now(state, left, seat, move),
            *_build_or_draw_first(state, left, seat, move),
            *_private_contract_reasons(state, left, seat, met),
            *_timer_reasons(state, left, seat, move),
            *_end_and_token_reasons(left, seat, events),
            *_what_it_leaves_undone(state, move),
            *(_next_player_reasons(state, left) if is_passed_on else ()),
        )
        return for_first(found)

    def at_once(self, view: View, move: Move) -> int:
        """Return the VP that a move scores right away, with all public contracts a build meets."""
        return worth(_open_table(view), move)

    def aim(self, expected: Prospect) -> str:
        """Return which rank a solo game that is almost won is on course for, and the next one."""
        if expected.win < SAFE or expected.margin < 0:
            return ""
        vp = round(SOLO_WIN + expected.margin)
        return f"On course for about {vp} VP in all: {ranks(vp)}."


COACH: Coach = PortoCoach()


def _open_table(view: View) -> State:
    """Return the table without the others' private contracts, as if all had kept theirs."""
    state = open_table(view)
    if state.phase == KEEP and not view.table.is_revealing:
        state.phase = ACT
    return state


def _worth_a_look(state: State, forecast: Forecast) -> Ranked:
    if state.phase == CONTRACTS:
        # Leaving one out gives away its VP: its worth does not grow, and others can fulfill it.
        return ranked(state, [Claim(state.claimable)], forecast.worth)
    found = candidates(state, forecast.worth, starts=STARTS, roofs=None)
    if not found:
        return ranked(state, [PASS], forecast.worth)
    best: dict[object, tuple[float, Move, State]] = {}
    for one in found:
        move = one[1]
        best.setdefault(move[:3] if isinstance(move, Build) else move, one)
    return list(best.values())


def _at_a_glance(state: State, forecast: Forecast) -> Prospect:
    """Return the prospect of a table, even in the middle of a turn."""
    return forecast.prospect(_settled(state, forecast))


def _settled(state: State, forecast: Forecast) -> State:
    """Return a table whose prospect can be estimated: if a turn has begun, the one after its best
    continuation.
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
    """Judge which private contracts to keep. With other players, the best three are assumed to be
    worth as much as those that the others keep.

    There are no trials, so the standard error is 0.
    """
    table = _open_table(View(seat, state))
    forecast = forecast_of(table, seat)
    table = _settled(table, forecast)
    vps = worths_of_dealt(state, seat, weights_for(state))
    total = {keep: sum(vps[place] for place in keep.places) for keep in KEEPS}
    ordered = sorted(KEEPS, key=lambda keep: -total[keep])
    best = total[ordered[0]]
    even = 0.0 if state.config.timer else best
    prospects = {keep: forecast.prospect(table, total[keep] - even) for keep in ordered}
    return [
        Judgment(keep, prospects[keep], best - total[keep], 0.0, MISJUDGED)
        for nth, keep in enumerate(ordered)
        if nth < width or keep in moves
    ]
