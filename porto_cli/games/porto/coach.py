"""The coach of Porto: judges moves by playouts, and gives the reasons for and against them.

All moves are judged with the same random numbers, so that only the move differs. Which private
contracts to keep cannot be tried by playouts; they are judged by what they were worth in other
games. The reasons use only what the player may know.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from operator import itemgetter
from random import Random
from typing import NamedTuple

from porto_cli.core import enumerated
from porto_cli.games.porto.engine import (
    COLORS,
    HOUSES,
    NOWHERE,
    PRIVATE,
    PRIVATE_NAMES,
    PUBLIC_NAMES,
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
    Buildable,
    Ranked,
    after,
    as_if_holding,
    best_buildable,
    buildable,
    candidates,
    default_builds,
    distinct_draws,
    played,
    ranked,
    taken_by,
    worth,
)
from porto_cli.games.porto.players.evaluation import expected_vp
from porto_cli.players import (
    Advise,
    Against,
    Aside,
    Coach,
    Judgment,
    Merits,
    Prospect,
    Trials,
    Weighty,
    for_first,
    margin_of,
    over_chances,
    seat_of,
    seed_of,
)
from porto_cli.seam import OVER, View

WORTH_SAYING = 0.5
"""The smallest change in the VP of the private contracts, in all, that is worth a sentence."""
MUCH = 3
"""How many VP a move has to give to another player, or to take, to be worth a sentence."""
LOST = 1.0
"""How many VP the private contracts have to lose on average to be told in brief."""
SHARE = 0.2
"""The smallest share of this change with which a private contract is named."""
MANY_TURNS = 99
"""Stands for the number of turns left as long as nobody knows it."""


def _turns_left(left: State, seat: int) -> int:
    """Return how many turns the seat has left."""
    if left.config.timer:
        return evaluation.solo_turns_left(left)
    if left.phase not in (ACT, TIMER):
        return 0
    return evaluation.turns_left(left, seat) if left.end_round else MANY_TURNS


def _playing(left: State) -> list[int]:
    """Return the seats that have a turn left."""
    return [
        seat for seat in range(left.config.seats) if seat not in left.out if _turns_left(left, seat)
    ]


def _reasons_to_keep(table: State, seat: int, move: Keep) -> Iterator[str]:
    """Yield which houses count for more than one of the contracts, what they are worth, and what
    the best of all pays if it is among them.
    """
    if not table.dealt or table.is_revealing:
        return
    dealt, vps = table.dealt[seat], worths_of_dealt(table, seat, weights_for(table))
    ordered = sorted(move.places, key=lambda place: -vps[place])
    colors = [color for place in move.places for color in PRIVATE[dealt[place]].colors]
    if shared := [name for color, name in enumerate(COLORS) if colors.count(color) > 1]:
        houses = f"{enumerated(shared).capitalize()} houses"
        yield f"{houses} count for more than one of these contracts."
    said = [f"{vps[place]:.1f} VP" for place in ordered]
    names = [PRIVATE_NAMES[dealt[place]] for place in ordered]
    # Two contracts can have the same name.
    each = [*dict.fromkeys(f"{vp} for {name}" for vp, name in zip(said, names, strict=True))]
    brought = f"{said[0]} each" if len({*said}) == 1 else enumerated(each)
    yield f"In other games they brought on average {brought}."
    if vps[ordered[0]] == max(vps):
        best = dealt[ordered[0]]
        pays = private_in_short(PRIVATE_NAMES[best], scale_of(table.config.edition, best))
        yield f"The best one is {PRIVATE_NAMES[best]}: {pays}."


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
    """Yield where a token waits that somebody has the cards to score, and who that is, or that will
    be scored soon; nothing if nobody has a turn left.
    """
    players, roof = left.config.players, token.roof
    missing = left.config.heights[roof] - left.floors[roof]
    near = [
        players[other]
        for other in _playing(left)
        if (roof, missing) in [best.addition[:2] for best in buildable(left, left.hands[other])]
    ]
    waits = f"Its token of {token.value} VP waits on {HOUSES[roof]}"
    if near:
        # Everybody else moves before the player does again.
        kind = str if near == [players[seat]] else Against
        yield kind(f"{waits}, which {enumerated(near)} can complete.")
    elif missing == 1 and _playing(left):
        yield Against(f"{waits}, which lacks 1 floor.")


class _Effect(NamedTuple):
    """What a change of the houses does to a player's private contracts, by their names.

    ``sure``   how many VP more they bring at the end in any case
    ``about``  how many VP more the others of them bring on average, or less
    ``less``   how many VP less these can bring at most
    """

    sure: dict[str, int]
    about: dict[str, float]
    less: dict[str, int]

    def told(self, player: str, what: str = "") -> Iterator[str]:
        """Yield what it brings in any case, and what it changes on average; of a build that is only
        planned it says ``what`` does so.
        """
        if self.sure:
            vp, names = sum(self.sure.values()), enumerated([*self.sure])
            more = f"{vp} VP more{f' with {what}' if what else ''}"
            yield f"At the end {player}'s private contracts bring {more}: {names}."
        total = sum(self.about.values())
        if abs(total) < WORTH_SAYING:
            return
        main = [name for name, rise in self.about.items() if rise / total >= SHARE]
        s = "s" if not what or what.startswith("1 ") else ""
        does, whose = what or "It", f"{player}'s {enumerated(main)} by about {abs(total):.1f} VP"
        if total > 0:
            yield f"{does} help{s} {whose}."
        else:
            at_most = sum(self.less[name] for name in main)
            kind = Weighty if -total >= LOST else Against
            yield kind(f"{does} hurt{s} {whose}{f' ({at_most} at most)' * bool(at_most)}.")


def _effect(state: State, left: State, seat: int) -> _Effect:
    """Return what it does to the private contracts of a player that one table becomes the other.
    Who has no turn left gets no more than is sure.
    """
    # To find out what contracts can bring takes longest of all reasons, and a draw changes nothing.
    own = left.kept[seat] if state.floors != left.floors else b""
    is_over = left.is_played_out or not _turns_left(left, seat)
    most = most_of(own, left)
    less = {} if is_over else less_of(most_of(own, state), most)
    completion = weights_for(state).completion
    row = evaluation.completion_row(state)
    sure, about, at_most = dict[str, int](), dict[str, float](), dict[str, int]()
    for contract in dict.fromkeys(own):
        name, copies = PRIVATE_NAMES[contract], own.count(contract)
        if rise := private_vp(left, contract) - private_vp(state, contract):
            sure[name] = rise * copies
        elif not is_over and (name in less or most[name] > private_vp(left, contract)):
            alike = bytes([contract]) * copies
            # As much of the game is left before and after: what differs is the houses.
            before, then = (expected_vp(one, alike, completion, row) for one in (state, left))
            about[name] = then - before
            at_most[name] = less.get(name, 0) * copies
    return _Effect(sure, about, at_most)


def _private_contract_reasons(state: State, left: State, seat: int) -> Iterator[str]:
    """Yield what a move does to the player's private contracts."""
    player = state.config.players[seat]
    yield from _effect(state, left, seat).told(player)
    if state.config.private_contracts and not state.kept[seat]:
        yield Against(f"{player}'s private contracts are unknown here, so they are not counted.")


def _of_the_goal(state: State, left: State) -> Iterator[str]:
    """Yield that a move passes the goal of a solo game."""
    if state.config.timer and state.scores[0] < SOLO_WIN <= left.scores[0]:
        yield f"It reaches the goal of {SOLO_WIN} VP."


def _what_it_leaves_undone(state: State, move: Move) -> Iterator[str]:
    """Yield which public contracts a choice does not fulfill."""
    if isinstance(move, Claim):
        left_out = {*state.claimable} - {*move.spaces}
        if names := [PUBLIC_NAMES[state.contracts[space]] for space in sorted(left_out)]:
            yield Against(f"It leaves {enumerated(names)} unfulfilled.")


# What can be built: by the player next, and by the others before that. Hands are open, and nobody
# can draw and build in one turn, so it is known who could build where before the player's next
# turn; the cards of a refill are not.


class _Plan(NamedTuple):
    """What a player can build next at a table, from the hand.

    ``builds``  all builds, the best one first
    ``first``   the best one
    ``rest``    those after it, from what is left of the hand
    ``built``   the table after the first one
    """

    builds: list[Buildable]
    first: Buildable
    rest: list[Buildable]
    built: State

    @property
    def second(self) -> Buildable:
        """The best one after the first one."""
        return next(iter(self.rest), Buildable())


def _plan(state: State, seat: int) -> _Plan:
    """Return what a player can build next."""
    hand = state.hands[seat]
    builds = buildable(state, hand)
    if not builds:
        return _Plan(builds, Buildable(), [], state)
    built = after(as_if_holding(state, hand), builds[0].build)
    return _Plan(builds, builds[0], buildable(built, built.hands[state.seat]), built)


class _Change(NamedTuple):
    """What a move changes in what its player can build.

    ``state``   the table before the move
    ``left``    the table after it
    ``before``  what the player can build before it
    ``then``    what the player can build after it
    """

    state: State
    left: State
    seat: int
    before: _Plan
    then: _Plan

    @property
    def name(self) -> str:
        """The player."""
        return self.state.config.players[self.seat]

    @property
    def hand(self) -> bytes:
        """The player's hand after the move."""
        return self.left.hands[self.seat]

    @property
    def turns(self) -> int:
        """The turns that the player has left."""
        return _turns_left(self.left, self.seat)

    @property
    def others(self) -> list[int]:
        """The other seats that have a turn before the player's next one."""
        return [seat for seat in _playing(self.left) if seat != self.seat]


def _next_build(state: State, hand: bytes, turns: int, new: bytes = b"") -> tuple[Buildable, str]:
    """Return the best build with a hand and no cards, or if there is none, but a turn to draw for
    one, the best one after a draw, and the cards to draw, as few as possible; it plays one of the
    ``new`` cards of the hand if there are any.
    """
    if (best := best_buildable(state, hand)).vp or turns < 2:
        return best, ""
    found = [
        (build.vp, -len(take.cards), build, take.cards)
        for take in distinct_draws(state.cards)
        for build in buildable(state, bytes(sorted([*hand, *take.cards])))
        if not new or {*new} & {*build.build[:2]}
    ]
    _, _, best, cards = max(found, key=itemgetter(0, 1), default=(0, 0, best, ()))
    return best, enumerated(card_names(bytes(cards)))


def _gained(change: _Change, when: str) -> tuple[str, Sequence[Buildable]]:
    """Say which build a move makes possible ``when`` the player can build, or better: the best one
    of all, or else one besides the best; empty if there is none. Also return the builds that this
    says can be made.
    """
    before, then, player = change.before, change.then, change.name
    first = then.first
    if first.vp > before.first.vp:
        can = when.format(f"{player} can")
        return f"{can} build {first.instead_of(before.first)}.", [first]
    known = {one.addition: one for one in reversed(before.builds)}
    besides = {one.addition: one for one in reversed(then.rest)}
    for one in then.builds:
        was = known.get(one.addition, Buildable())
        if one.vp > was.vp and one.addition in besides:
            also = f"{player} can then build {one.instead_of(was)}."
            return f"Besides {first}, {also}", [first, besides[one.addition]]
    return "", []


def _given(others: Sequence[int], state: State, left: State) -> tuple[str, Buildable] | None:
    """Return whom of the others a move gives most by changing the houses, and the best build of
    that player then; ``None`` if that is not much for anybody. With the tables the other way
    around, it is whom the move costs most, and the best build without the move.
    """
    found = []
    for other in others:
        before, then = (best_buildable(table, left.hands[other]) for table in (state, left))
        found.append((then.vp - before.vp, left.config.players[other], then))
    rise, player, build = max(found, key=itemgetter(0), default=(0, "", Buildable()))
    return (player, build) if rise >= MUCH else None


# What the kinds of moves are good for.


def _reasons_for(change: _Change, move: Move) -> Iterator[str]:
    """Return what a draw or a build is good for."""
    if isinstance(move, Draw):
        return _draw_reasons(change, bytes(change.state.cards[space] for space in move.spaces))
    if isinstance(move, Build) and change.state.phase in (ACT, TIMER):
        return (_build_reasons if change.state.phase == ACT else _timer_reasons)(change)
    return iter(())


def _build_reasons(change: _Change) -> Iterator[str]:
    """Yield what a build takes from another player, and what it gives."""
    others, state, left = change.others, change.state, change.left
    if spoiled := _given(others, left, state):
        yield f"It spoils {spoiled[0]}'s best build: {spoiled[1]}."
    if given := _given(others, state, left):
        yield Weighty(f"Risk: {given[0]} can then build {given[1]}.")


def _draw_reasons(change: _Change, new: bytes) -> Iterator[str]:
    """Yield what a draw of ``new`` cards is for, and who or what can spoil the build that it is
    for; or else, if that was possible without the draw, that it can wait.
    """
    if not change.turns:
        yield Against(f"{change.name} has no turn left in which to build with it.")
        return
    best, cards = _next_build(change.left, change.hand, change.turns, new)
    if cards:
        yield f"After drawing {cards} as well, {change.name} could build {best}."
    elif best.vp:
        purpose, planned = _purpose(change, new)
        yield from purpose
        then = change.then
        effect = _effect(change.left, then.built, change.seat)
        yield from effect.told(change.name, then.first.what)
        yield from _wait_reasons(change, planned)
    else:
        yield Against("It allows no build yet.")


def _purpose(change: _Change, new: bytes) -> tuple[list[str], list[Buildable]]:
    """Return what a draw is for: what it adds most to, the next build or the one after that, at the
    table as it is now, or else another build that it allows; and which builds are planned.
    """
    player, before, then = change.name, change.before, change.then
    first, second, was = then.first, then.second, before.second.vp
    if change.turns > 1 and second.vp - was > first.vp - before.first.vp:
        without = f" ({was} VP without this draw)" if was else ""
        again = (
            f"the same again for {second.vp} VP" if second.addition == first.addition else second
        )
        told = f"After building {first}, {player} can also build {again}{without}."
        planned = [first, second]
        return [told, *_spare_cards(change, new, planned)], planned
    gained, builds = _gained(change, "Next turn {}")
    if gained:
        return [gained, *_spare_cards(change, new, builds)], [first]
    told = f"It adds cards for later builds; the next one can be {first}."
    if change.turns == 1:
        told = Against(f"No better build yet: still {first}.")
    return [told], [first]


def _spare_cards(change: _Change, new: bytes, planned: Sequence[Buildable]) -> Iterator[str]:
    """Yield which of the ``new`` cards the planned builds leave over, if they need the others."""
    needed = Counter(card for one in planned for card in one.build[:2])
    spare = Counter(new) & (Counter(change.hand) - needed)
    if change.turns > len(planned) and 0 < spare.total() < len(new):
        cards = enumerated(card_names(bytes(sorted(spare.elements()))))
        verb = "is" if spare.total() == 1 else "are"
        yield Aside(f"{cards.capitalize()} {verb} for later builds.")


def _wait_reasons(change: _Change, planned: Sequence[Buildable]) -> Iterator[str]:
    """Yield who or what can spoil a build that is planned before the player's turn; or else, if the
    first one was possible without the draw, that it can wait.
    """
    left, first = change.left, change.then.first
    houses = {one.build.house for one in planned}
    rivals = [
        (build, left.config.players[other])
        for other in change.others
        for build in buildable(left, left.hands[other])
        if build.build.house in houses
    ]
    was = change.before.first
    if rivals:
        # What is planned first is lost first.
        build, rival = max(rivals, key=lambda one: (one[0].build.house == first.build.house, *one))
        yield Weighty(f"Risk: {rival} could build {build} before {change.name}.")
    elif left.config.timer and change.then.built.contracts != left.contracts:
        both = zip(left.contracts, change.then.built.contracts, strict=True)
        counts = enumerated([PUBLIC_NAMES[one] for one, after in both if one != after], "or")
        yield Weighty(f"Risk: the timer could first discard {counts}, which counts here.")
    elif (was.vp, was.addition) == (first.vp, first.addition):
        nobody = "" if left.config.timer else f": nobody can build there before {change.name}"
        yield f"{change.name}'s best build can wait{nobody}."


def _timer_reasons(change: _Change) -> Iterator[str]:
    """Yield what a build for the timer does to the player's next build: the best one from the hand,
    or if there is none, after a draw.
    """
    if not change.turns:
        yield "It is the last build, and scores nothing."
        return
    player, before, then, lost, cards = change.name, change.before.first, change.then.first, "", ""
    if not (before.vp or then.vp):
        (before, lost), (then, cards) = (
            _next_build(table, change.hand, change.turns) for table in (change.state, change.left)
        )
    could, can = (
        f"After drawing {some}, {player} can" if some else f"{player} can" for some in (lost, cards)
    )
    taken = taken_by(change.before.builds, change.then.builds)
    if then.vp < before.vp:
        yield Against(f"{could} no longer build {before}.")
    elif (then.vp > before.vp or not taken) and (gained := _gained(change, "{} then")[0]):
        yield gained
    elif then.vp > before.vp:
        yield f"{can} then build {then.instead_of(before)}."
    else:
        nothing = Against(f"{player} has nothing to build yet.")
        yield f"{can} still build {then}." if then.vp else nothing
    if taken and then.vp >= before.vp:
        build, rest = taken
        house = f"{player}'s best build on {HOUSES[build.build.house]}"
        yield Against(
            f"{house} is then {rest} VP, not {build.vp}."
            if rest
            else f"It prevents {player}'s {build.what} ({build.vp} VP)."
        )


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

    def merits(self, view: View, move: Move, advise: Advise | None = None) -> Merits:
        """Return the merits of a move, by no private contracts but those that the seat kept. A
        build scores with all public contracts that it meets.
        """
        table: State = view.table
        seat = seat_of(view)
        if isinstance(move, Keep):
            return Merits([*_reasons_to_keep(table, seat, move)])
        state = _open_table(view)
        left, events = played(state, move)
        scores = scored_in(events) if state.phase != TIMER else []
        vp = sum(score.vp for score in scores)
        by = f" ({reasons(scores_json(scores))})" if state.phase == ACT else ""
        change = _Change(state, left, seat, _plan(state, seat), _plan(left, seat))
        then = change.then.first
        next_vp = then.vp if change.turns else 0
        is_followed = isinstance(move, Build) and next_vp
        follow = f", with {then} to follow" if is_followed else ""
        found = (
            *([f"It scores {vp} VP now{by}{follow}."] if scores else ()),
            *_of_the_goal(state, left),
            *_end_and_token_reasons(left, seat, events),
            *_private_contract_reasons(state, left, seat),
            *_reasons_for(change, move),
            *_what_it_leaves_undone(state, move),
        )
        return Merits(for_first(found), worth(state, move), next_vp)

    def aim(self, expected: Prospect) -> str:
        """Return which rank a solo game that is almost won is on course for, and the next one."""
        if expected.win < SAFE or expected.margin < 0:
            return ""
        vp = round(SOLO_WIN + expected.margin)
        return f"about {vp} VP in all, {ranks(vp)}"


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
