"""The coach of Puerto Rico: judges moves by playouts; their merits are in ``reasons``.

What can be expected of a table is what the network of levels 3 to 5 says. All moves are tried with
the same random numbers, so that only the move differs.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from random import Random

from porto_cli.core.chance import random_chance
from porto_cli.games import game_of
from porto_cli.games.puerto_rico.engine import PLACES, plus
from porto_cli.games.puerto_rico.engine.effects import final_scores
from porto_cli.games.puerto_rico.engine.goods import yields
from porto_cli.games.puerto_rico.engine.moves import PASS, Move, Place
from porto_cli.games.puerto_rico.engine.play import apply, legal_moves
from porto_cli.games.puerto_rico.engine.state import (
    DRAFT_PHASE,
    MAYOR_PHASE,
    OVER,
    PRIVILEGE_PHASE,
    ROLE_PHASE,
    Player,
    State,
)
from porto_cli.games.puerto_rico.players import ended, network_of, outlook, settled, soon
from porto_cli.games.puerto_rico.players.priced import LISTED, promising
from porto_cli.games.puerto_rico.reasons import merits, only_guests, score_after
from porto_cli.games.puerto_rico.uses import PLENTY
from porto_cli.players import (
    Coach,
    Judgment,
    PlayOn,
    Prospect,
    Trials,
    margin_of,
    mean_prospect,
    over_chances,
    seat_of,
    seed_of,
)
from porto_cli.seam import View

SPAN = 4
"""Roles in a playout. What is expected after each of them counts: the mean is less wrong."""
SAMPLES = {2: 260, 3: 150, 4: 160, 5: 130}
"""Playouts in about a second, by the number of players."""
MISJUDGED = {
    "role": 2.3,
    **dict.fromkeys(("settler", "library"), 1.4),
    "mayor": 1.5,
    "builder": 1.8,
    "craftsman": 1.2,
    "privilege": 1.2,
    "trader": 1.6,
    "captain": 0.9,
    "store": 1.2,
}
"""By how many VP differences between moves are misjudged however often is played on, by what the
game waits for: the standard error, as ``python -m bench.judgment`` finds it. A second tile of the
library is taken to be like the first one, and a lack of barrels like the privilege."""
BESIDE = 2
"""Placements that are compared with one that has no rival."""
WITH_TWO = 1.5
"""The factor by which they are misjudged more with two players, who take twice as many roles."""
BOLDNESS = {2: 1.05, 3: 1.2, 4: 1.1, 5: 1.0}
"""The power of the odds of the network with which the chances to win are right, by the number of
players: ``python -m bench.calibration`` finds it."""
DOUBT_OF_THE_END = 0.5
"""By how many VP one has to be ahead in the last round for odds of e to one, for each role left:
about what makes the chances to win right in games of level 3."""
DRAWS, DRAWS_OF_THE_END = 5, 20
"""How often the VP chips of the others are drawn at random; at the end they alone decide."""


def prospect_of(state: State, seat: int) -> Prospect:
    """Return how a game can be expected to end for a seat, by a table between two roles.

    Once it is sure which round is the last one, what counts is what is scored at the end if
    everybody does what looks best: no estimate of things that would work in later rounds.
    """
    if not (state.phase == OVER or state.end_triggered):
        leads, chances = outlook(state)
        odds = [chance ** BOLDNESS[len(chances)] for chance in chances]
        return Prospect(margin_of(leads, seat), odds[seat] / sum(odds))
    counted = final_scores(ended(state, network_of(state.config.seats)))
    totals = [one.total for one in counted]
    if state.phase == OVER:
        return Prospect(margin_of(totals, seat), float(counted[seat].place == 1))
    doubt = DOUBT_OF_THE_END * (state.config.box.turns - state.roles_taken)
    odds = [exp((total - max(totals)) / doubt) for total in totals]
    return Prospect(margin_of(totals, seat), odds[seat] / sum(odds))


def _misjudged(state: State) -> float:
    """Return by how many VP differences between moves are misjudged at a table.

    In the last round that is less after each role. In the last role of the game nothing is left to
    judge but its VP, and they are counted.
    """
    turns = state.config.box.turns
    left = 1 - state.roles_taken / turns if state.end_triggered else 1
    return MISJUDGED[state.phase] * left * (WITH_TWO if state.config.seats == 2 else 1)


def beside(player: Player, move: Place) -> list[Place]:
    """Return the placements with one colonist at another place: those first that make most goods,
    and of these those that move the last ones.
    """
    placed, spots = move.colonists, range(len(PLACES))
    found = [
        Place(plus(plus(placed, here, -1), there, 1))
        for here in reversed(spots)
        for there in spots
        if here != there and placed[here] and placed[there] < player.circles[there]
    ]
    return sorted(found, key=lambda one: -sum(yields(one.colonists, PLENTY)))


def after_the_role(state: State) -> State:
    """Return the table after the role that is played, if everybody does what looks best.

    The random numbers are always the same.
    """
    return settled(state, network_of(state.config.seats), random_chance(Random(0)))


def playouts(view: View, moves: Sequence[Move], seed: int) -> PlayOn:
    """Return a function that plays on from a move over some roles, as levels 4 and 5 do, and
    returns what can be expected: the mean of what it is after each of them.
    """
    seat, game = seat_of(view), game_of("puerto-rico")

    def play_on(place: int, nth: int) -> Prospect:
        rng, chance = Random(seed + 2 * nth), random_chance(Random(seed + 2 * nth + 1))
        state, _ = apply(game.resample(view, rng), moves[place], chance)
        seen: list[Prospect] = []
        while True:
            # The last round is played to its end: what is scored there is better than an estimate.
            if state.phase == OVER or (state.phase == ROLE_PHASE and not state.end_triggered):
                seen.append(prospect_of(state, seat))
                if state.phase == OVER or len(seen) == SPAN:
                    # How a game has ended stands for the roles that it has no more.
                    return mean_prospect([*seen, *seen[-1:] * (SPAN - len(seen))])
            state, _ = apply(state, soon(state, state.seat, rng), chance)

    return play_on


class PuertoRicoCoach(Coach):
    """Judges moves of Puerto Rico, see :class:`~porto_cli.players.Coach`.

    Of placements of colonists, of which there can be millions, some few good ones are judged, and
    those that are given.
    """

    samples = 48
    near = 0.0
    """A role that scores now is often not the one that builds most for later."""

    def trials(
        self, view: View, rng: Random, moves: Sequence[Move], width: int
    ) -> Trials | list[Judgment]:
        """Try the moves that look best, and those given. Buildings chosen for the game are there
        for everybody: they are taken to be equal.
        """
        state: State = view.table
        seat = seat_of(view)
        if state.phase == OVER or seat != state.seat:
            raise ValueError(f"The seat {seat} has no move to choose.")
        legal = legal_moves(state, seat, LISTED)
        if state.phase == PRIVILEGE_PHASE and not only_guests(legal):
            # An extra barrel hardly ever does harm: to do without it is not advised.
            legal.remove(PASS)
        look = promising(view, legal, rng, width, network_of(state.config.seats).prices)
        if len(look) == 1 and isinstance(look[0], Place):
            # A placement is compared with others even where rules of thumb never think of them.
            look += beside(state.players[seat], look[0])[: min(BESIDE, width - 1)]
        if state.end_triggered and state.phase != MAYOR_PHASE:
            # Rules of thumb are for games that go on: what scores most has to be looked at as well.
            scoring = sorted(legal, key=lambda move: -score_after(state, move))
            look = list(dict.fromkeys([*scoring[: width // 2], *look]))[:width]
        judged = list(dict.fromkeys([*look, *moves]))
        if state.phase == DRAFT_PHASE:
            prospect = self.prospect(view)
            return [Judgment(move, prospect, 0.0, 0.0) for move in judged]
        play_on, samples = playouts(view, judged, seed_of(rng)), SAMPLES[state.config.seats]
        return Trials(judged, play_on, samples, _misjudged(state))

    def prospect(self, view: View) -> Prospect:
        """Return at a glance how the game can be expected to end; at its end how it has ended.

        While a role is played it is looked at as if everybody did what looks best. The VP chips of
        the others are hidden. Spread evenly they would make who leads too sure of it, so they are
        drawn at random, always with the same random numbers.
        """
        state: State = view.table
        seat = seat_of(view)
        table = after_the_role(state)
        if state.phase == OVER or state.config.seats == 2:
            return prospect_of(table, seat)
        game, rng = game_of("puerto-rico"), Random(0)
        # To play on takes longest. Until the end is sure, who has the chips matters little to that.
        end = DRAWS_OF_THE_END, view
        draws, known = end if table.end_triggered else (DRAWS, View(seat, table))
        tables = [after_the_role(game.resample(known, rng)) for _ in range(draws)]
        return mean_prospect([prospect_of(table, seat) for table in tables])

    def expected(self, view: View, move: Move, rng: Random, *, samples: int = 50) -> Prospect:
        """Return the mean of :meth:`prospect` after a move, over what may come up behind it."""
        state: State = view.table
        seat = seat_of(view)
        return over_chances(
            lambda chance: self.prospect(View(seat, apply(state, move, chance)[0])), rng, samples
        )

    merits = staticmethod(merits)


COACH: Coach = PuertoRicoCoach()
