"""The coach of Puerto Rico: judges moves by playouts, and gives the reasons for and against them.

What can be expected of a table is what the network of levels 3 to 5 says. All moves are tried with
the same random numbers, so that only the move differs. The reasons use only what the player may
know.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from math import exp
from operator import sub
from random import Random

from porto_cli.core import enumerated, plural
from porto_cli.core.chance import random_chance
from porto_cli.games import game_of
from porto_cli.games.puerto_rico import phrases
from porto_cli.games.puerto_rico.engine import (
    BUILDER,
    CAPTAIN,
    CIRCLES,
    CORN,
    CRAFTSMAN,
    FACTORY,
    GOODS,
    HOUSE_SPACES,
    LARGE,
    MAYOR,
    NO_GOODS,
    PLACES,
    PRODUCERS,
    QUARRY,
    ROLES,
    SALE_PRICES,
    TRADER,
    VIOLET,
    buildings_in,
)
from porto_cli.games.puerto_rico.engine.effects import BONUS, final_score, final_scores
from porto_cli.games.puerto_rico.engine.goods import FACTORY_EARNS, room, ships_for, yields
from porto_cli.games.puerto_rico.engine.moves import (
    BY_WHARF,
    PASS,
    Build,
    Built,
    Choose,
    ColonistsDealt,
    EndTriggered,
    Event,
    Load,
    LoadSmallWharf,
    Move,
    MoveGuest,
    Pass,
    Place,
    Produced,
    Sell,
    Stored,
    Take,
    TakeRole,
    TookGoods,
    TookTile,
    gains_of,
)
from porto_cli.games.puerto_rico.engine.play import apply, legal_moves
from porto_cli.games.puerto_rico.engine.state import (
    BUILDER_PHASE,
    CAPTAIN_PHASE,
    CRAFTSMAN_PHASE,
    DRAFT_PHASE,
    LIBRARY_PHASE,
    MAYOR_PHASE,
    NOBODY,
    OVER,
    PRIVILEGE_PHASE,
    ROLE_PHASE,
    SETTLER_PHASE,
    TRADER_PHASE,
    Player,
    State,
)
from porto_cli.games.puerto_rico.phrases import effects
from porto_cli.games.puerto_rico.players import ended, network_of, outlook, settled, soon
from porto_cli.games.puerto_rico.players.appraisal import read_circles
from porto_cli.games.puerto_rico.players.priced import LISTED, best_move, promising
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

WORTH_SAYING = 2
"""The doubloons on a card that is left to others that are worth a sentence."""


# What can still come, and what counts at the end.


def _comes(state: State, role: int) -> bool:
    """Return whether a role can still be taken before the game ends."""
    turns = state.config.box.turns - state.roles_taken
    return not state.end_triggered or (turns > 0 and state.taken[role] == NOBODY)


_LAST_ROUND = "The game ends after this round, so little counts but what it scores."


def _rise(before: State, after: State, seat: int) -> list[phrases.Gain]:
    """Return what a player's buildings score more at the end, chips apart, by where it comes from,
    if one state becomes the other.
    """
    was, now = (final_score(state.players[seat], seat).named() for state in (before, after))
    apart = ("chips", "total", "tie-break", "place")
    # What scored with a colonist who has gone is in the first alone.
    rises = [
        (what, now.get(what, 0) - was.get(what, 0)) for what in {**was, **now} if what not in apart
    ]
    return [gain for gain in rises if gain[1]]


def _of_the_score(state: State, after: State, ended: State, move: Move) -> Iterator[str]:
    """Return what the move and the rest of the role add at the end; that of a building is said with
    its price. Large buildings that begin to count by a colonist are named one by one.
    """
    taken, before = isinstance(move, TakeRole), state.players[state.seat]
    gains = _rise(state, ended if taken else after, state.seat)
    waiting = {
        PLACES[place] for place in buildings_in(before.city & LARGE) if not before.colonists[place]
    }
    for what, vp in gains:
        if what in waiting:
            yield f"A colonist on the {what} adds {vp} VP at the end."
    gains = [gain for gain in gains if gain[0] not in waiting]
    if isinstance(move, Place):
        bonuses = final_score(after.players[state.seat], state.seat).bonuses
        counted = [(PLACES[place], vp) for place, vp in bonuses if PLACES[place] not in waiting]
        if counted:
            scored = phrases.reasons(counted)
            yield f"VP of large buildings at the end, as things are now: {scored}."
    elif gains and not isinstance(move, Build):
        costs = phrases.total(gains) < 0
        does = "cost" if costs else "add"
        does = f"will probably {does}" if taken else f"{does}s"
        by = [(what, -number) for what, number in gains] if costs else gains
        yield f"It {does} {phrases.brought(by, ())} at the end."


def _buys(state: State) -> bool:
    """Return whether there is still something to do with doubloons, but to break ties."""
    return state.role == BUILDER or _comes(state, BUILDER)


def _of_ties(after: State, events: Sequence[Event], seat: int) -> Iterator[str]:
    """Say in the last round of what is earned that there is nothing left to do with it."""
    own = [event for event in events if event.seat == seat]
    builds, ships = _buys(after), after.role == CAPTAIN or _comes(after, CAPTAIN)
    made = any(isinstance(event, Produced | TookGoods) and event.goods != NO_GOODS for event in own)
    earned = any(number > 0 for _, number in gains_of(own)[1])
    useless = ["doubloons"] * (earned and not builds)
    useless += ["barrels"] * (made and not (ships or (builds and _comes(after, TRADER))))
    if useless:
        yield f"In what is left of the game, {enumerated(useless)} only break ties."


# What the move itself brings.


_PASSING = {
    SETTLER_PHASE: "It keeps a space of the island free for a better tile.",
    LIBRARY_PHASE: "It keeps a space of the island free for a better tile.",
    BUILDER_PHASE: "It keeps {} for a later building.",
    PRIVILEGE_PHASE: "It takes no extra barrel.",
    TRADER_PHASE: "It keeps the barrels, to ship them or to sell them later.",
    CAPTAIN_PHASE: "It keeps the barrels that could be loaded now.",
}
"""What a pass is good for, by what the game waits for."""


def _only_guests(legal: Sequence[Move]) -> bool:
    """Return whether there is nothing else to do than to move a guest."""
    return all(isinstance(move, Pass | MoveGuest) for move in legal)


def _of_pass(state: State) -> str:
    """Return what a pass is good for; in the last round there is no later time to do it."""
    if not state.end_triggered or state.phase in (CRAFTSMAN_PHASE, PRIVILEGE_PHASE):
        if _only_guests(legal_moves(state)):
            return "The guests wait until they are of more use."
        own = state.players[state.seat].doubloons
        kept = phrases.doubloons(own) if own else "a space in the city"
        return _PASSING[state.phase].format(kept)
    if state.phase == TRADER_PHASE and _comes(state, CAPTAIN):
        return "It keeps the barrels, to ship them."
    return f"This is the last {ROLES[state.role]} phase: there is nothing to wait for."


def _now(
    state: State, after: State, move: Move, events: Sequence[Event], follows: Sequence[Event]
) -> Iterator[str]:
    """Return what the move itself brings, and with that what probably follows for the player."""
    seat = state.seat
    for event in events:
        if event.seat == seat:
            yield from _of_event(state, after, event)
    match move:
        case Take(good) if state.phase == PRIVILEGE_PHASE:
            yield _of_barrel(state, good)
            return
        case Pass():
            yield _of_pass(state)
        case TakeRole(role) if role == MAYOR and not state.end_triggered:
            before = state.players[seat]
            empty = sum(before.circles) - sum(before.colonists)
            more = plural(empty, "more colonist") if empty else "no more colonists"
            yield f"{state.config.players[seat]} has room for {more} on tiles and buildings."
        case MoveGuest(place):
            yield f"A guest goes to work: {PLACES[place]} gets a colonist."
    gains = " plus ".join(_gains(events, seat, told=True, card=_buys(after)))
    rest = " plus ".join(_gains(follows, seat))
    phase = f"{ROLES[move.role if isinstance(move, TakeRole) else state.role]} phase"
    if isinstance(move, Place):
        yield from _of_places(after, seat, move)
    elif isinstance(move, Sell | Load | LoadSmallWharf) and not gains:
        yield "It brings nothing now."
    if gains:
        more = f", and later in the {phase} probably {rest}" if rest else ""
        yield f"It brings {gains} now{more}."
    elif rest:
        how = "from it" if isinstance(move, TakeRole) else f"in the rest of the {phase}"
        yield f"{state.config.players[seat]} will probably get {rest} {how}."
    if isinstance(move, Load) and move.onto != BY_WHARF:
        yield _of_space(state, move)


_TILES = {
    QUARRY: "Each quarry with a colonist makes buildings 1 doubloon cheaper.",
    CORN: "Corn needs no building: with a colonist it makes a barrel.",
}


def _of_event(state: State, after: State, event: Event) -> Iterator[str]:
    """Return what a building, a tile or stored barrels are good for."""
    match event:
        case Built():
            yield from _of_building(state, after, event)
        case Stored(goods=goods, returned=returned):
            lost = f" and loses {phrases.goods(returned)} to the supply" if any(returned) else ""
            yield f"It keeps {phrases.goods(goods)}{lost}."
            if not (_comes(after, TRADER) and _comes(after, BUILDER)):
                yield "Stored barrels only break ties now."
        case TookTile() if after.end_triggered:
            yield _LAST_ROUND
        case TookTile(source="stack"):
            yield "It is an extra tile from the stack; the usual one comes after it."
        case TookTile(forest=True):
            yield "Every two forests make buildings 1 doubloon cheaper."
        case TookTile(tile=tile):
            player, name = state.players[event.seat], state.config.players[event.seat]
            yield _TILES.get(tile) or _of_plantation(player, name, tile)
    if isinstance(event, Built | TookTile) and event.colonist:
        yield "A colonist comes with it."


def _of_plantation(player: Player, name: str, good: int) -> str:
    """Return which building a plantation feeds, or what is missing."""
    own = [PLACES[place] for place in PRODUCERS[good] if player.circles[place]]
    plants = sum(player.circles[place] for place in PRODUCERS[good])
    if not own:
        needed = enumerated([PLACES[place] for place in PRODUCERS[good]], "or")
        price = phrases.doubloons(SALE_PRICES[good])
        return f"To make {GOODS[good]}, which sells for {price}, {name} still needs a {needed}."
    if plants > player.circles[good]:
        return f"{name}'s {enumerated(own)} can make one more barrel of {GOODS[good]} with it."
    return f"{name}'s {enumerated(own)} can use no more {GOODS[good]}."


def _of_barrel(state: State, good: int) -> str:
    """Return what can be done with an extra barrel: whether it can be sold, and shipped."""
    uses = []
    house, price = state.trading_house, SALE_PRICES[good]
    if len(house) < HOUSE_SPACES and good not in house and price and _comes(state, TRADER):
        uses.append(f"sells for {phrases.doubloons(price)}")
    for ship in ships_for(state, good, 1)[:1] if _comes(state, CAPTAIN) else ():
        uses.append(f"fits onto the ship of {state.config.box.cargo[ship]}")
    which = "one more barrel" if state.players[state.seat].goods[good] else "a first barrel"
    can = enumerated(uses or ["can be neither sold nor shipped"])
    return f"It is {which} of {GOODS[good]}, which {can} now."


def _of_space(state: State, move: Load) -> str:
    """Return what a ship that is loaded leaves to others."""
    free = room(state, state.config.box.cargo.index(move.onto))
    left = free - min(free, state.players[state.seat].goods[move.good])
    if not left:
        return f"It fills the ship of {move.onto}."
    return f"It leaves {plural(left, 'space')} for {GOODS[move.good]} on the ship of {move.onto}."


_IDLE = "It makes nothing"


def _of_effect(player: Player, place: int) -> str:
    """Return what a building does for this player."""
    for good, producers in enumerate(PRODUCERS):
        if place in producers:
            others = sum(player.circles[other] for other in producers if other != place)
            fed = min(CIRCLES[place], player.circles[good] - others)
            if fed <= 0:
                return f"{_IDLE} until there is one more {GOODS[good]} plantation for it."
            barrels = f"{plural(fed, 'barrel')} of {GOODS[good]}"
            return f"Once it has {plural(fed, 'colonist')}, it can make {barrels} each time."
    if place == FACTORY:
        kinds = read_circles(player.circles).kinds
        earned = phrases.doubloons(FACTORY_EARNS[kinds]) if FACTORY_EARNS[kinds] else "nothing"
        return f"With a colonist: {earned} each time goods are produced, as things are now."
    return _effect(place)


def _effect(place: int) -> str:
    """Return what a building does, whoever has it."""
    effect = effects()[PLACES[place]].replace("Settler phase:", "In the settler phase")
    return f"With a colonist: {effect[0].lower()}{effect[1:]}" if CIRCLES[place] else effect


def _of_building(state: State, after: State, event: Built) -> Iterator[str]:
    """Return what a building does, costs and scores, and what it needs."""
    place, seat = event.building, event.seat
    player = after.players[seat]
    price = phrases.doubloons(event.price) if event.price else "nothing"
    scored = _rise(state, after, seat)
    by = f" ({phrases.reasons(scored)})" if len(scored) > 1 else ""
    worth = f"It costs {price} and is worth {phrases.total(scored)} VP at the end{by}."
    waits = not event.colonist and _comes(after, MAYOR)
    if place in BONUS:
        vp = BONUS[place](player)
        effect = f"Occupied at the end, it would be worth {vp} more VP as things are now."
        yield from (effect, worth) if waits else (worth,)
    elif after.end_triggered:
        yield from (worth, _LAST_ROUND)
    else:
        effect = _of_effect(player, place)
        yield from (worth, effect) if effect.startswith(_IDLE) else (effect, worth)
    if after.end_triggered:
        return
    if player.city_spaces and (LARGE >> place & 1 or player.city_spaces <= 2):
        yield f"It leaves {plural(player.city_spaces, 'free space')} in the city."


def _of_places(after: State, seat: int, move: Place) -> Iterator[str]:
    """Return what this placement produces and occupies, and what stays empty."""
    player, placed = after.players[seat], move.colonists
    plenty = bytes([99]) * len(GOODS)
    made = yields(placed, plenty)
    if not _comes(after, CRAFTSMAN):
        yield "Nothing is produced any more before the game ends."
    else:
        yield f"It makes {phrases.goods(made) if any(made) else 'nothing'} when goods are produced."
    useful = [QUARRY, *buildings_in(player.city & VIOLET)]
    empty = bytes(map(sub, player.circles, placed))
    for what, counts in (("Occupied", placed), ("It leaves empty", empty)):
        some = bytes(number if place in useful else 0 for place, number in enumerate(counts))
        if any(some):
            yield f"{what}: {phrases.places(some)}."


def _of_end(events: Iterable[Event], later: Iterable[Event]) -> Iterator[str]:
    for known, it in ((events, "It triggers"), (later, "The rest of the role may trigger")):
        for event in known:
            if isinstance(event, EndTriggered):
                yield f"{it} the end after this round: {phrases.ENDS[event.reason]}."


# What the rest of the role brings.


def _of_the_role(state: State, move: Move, seat: int, events: Sequence[Event]) -> Iterator[str]:
    """Return what the others get from a move and the rest of the role, and whether nobody does."""
    players, others = state.config.players, state.clockwise(seat)[1:]
    own, gained = _gains(events, seat), ((other, _gains(events, other)) for other in others)
    found = [(players[other], ", ".join(gains)) for other, gains in gained if gains]
    if found:
        (name, first), *more = found
        rest = "".join(f"; {other} {gains}" for other, gains in more)
        yield f"{name} will probably get {first}{rest}."
    if isinstance(move, TakeRole) and not (found and own):
        rest = "The others" if len(others) > 1 else players[others[0]]
        nobody = f"{rest if own else players[seat]} will probably get nothing"
        yield f"{nobody if own or found else 'Probably nobody gets anything'} from it."


def _gains(
    events: Iterable[Event], seat: int, *, told: bool = False, card: bool = True
) -> list[str]:
    """Return what a seat gets: colonists, barrels, VP, unless they are ``told`` otherwise tiles and
    buildings, and with ``card`` the doubloons on the role card.
    """
    own = [event for event in events if event.seat == seat]
    scores, earns = gains_of(own)
    found = (_thing(event) for event in own if not (told and isinstance(event, Built | TookTile)))
    lying = phrases.on_card(earns) if card else 0
    on_it = f"{phrases.the_doubloons(lying)} on the card" if lying else ""
    others = [gain for gain in _summed(earns) if gain[0] != phrases.ON_CARD]
    return [*filter(None, [on_it, phrases.brought(_summed(scores), others), *found])]


def _summed(gains: Sequence[phrases.Gain]) -> list[phrases.Gain]:
    """Return gains with one sum for each reason."""
    sums: dict[str, int] = {}
    for reason, number in gains:
        sums[reason] = sums.get(reason, 0) + number
    return list(sums.items())


def _thing(event: Event) -> str:
    """Return what a player gets other than VP and doubloons; nothing for what is unknown."""
    match event:
        case Built(building=building):
            return f"the {PLACES[building]}"
        case TookTile(tile=tile, source=source, forest=forest) if source != "stack":
            return "a forest" if forest else phrases.a_tile(tile)
        case ColonistsDealt(colonists=colonists, privilege=privilege) if colonists + privilege:
            return phrases.colonists(colonists + privilege)
        case Produced(goods=goods) | TookGoods(goods=goods) if goods != NO_GOODS:
            return phrases.goods(goods)
    return ""


def _of_what_is_left(state: State, move: Move) -> Iterator[str]:
    """Return the role left to the others that has most doubloons on its card."""
    box = state.config.box
    if not isinstance(move, TakeRole) or state.roles_taken + 1 >= box.turns:
        return
    left = [role for role in box.roles if state.taken[role] == NOBODY and role != move.role]
    richest = max(left, key=lambda role: state.role_doubloons[role], default=None)
    if richest is not None and state.role_doubloons[richest] >= WORTH_SAYING:
        lying = phrases.doubloons(state.role_doubloons[richest])
        yield f"It leaves {lying} on the {ROLES[richest]}."


SPAN = 4
"""Roles in a playout. What is expected after each of them counts: the mean is less wrong."""
SAMPLES = {2: 260, 3: 150, 4: 160, 5: 130}
"""Playouts in about a second, by the number of players."""
MISJUDGED = {
    "role": 2.3,
    "settler": 1.4,
    "library": 1.4,
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
WITH_TWO = 1.5
"""The factor by which they are misjudged more with two players, who take twice as many roles."""
BOLDNESS = {2: 1.05, 3: 1.2, 4: 1.1, 5: 1.0}
"""The power of the odds of the network with which the chances to win are right, by the number of
players: ``python -m bench.calibration`` finds it."""
DOUBT_OF_THE_END = 0.5
"""By how many VP one has to be ahead in the last round for odds of e to one, for each role left:
about what makes the chances to win right in games of level 3."""
DRAWS, DRAWS_OF_THE_END = 5, 20
"""How often the VP chips of the others are drawn by lot; at the end they alone decide."""


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


def _score_after(state: State, move: Move) -> int:
    """Return what the player to move would score if the game ended after a move."""
    after, _ = apply(state, move, random_chance(Random(0)))
    return final_score(after.players[state.seat], state.seat).total


def _misjudged(state: State) -> float:
    """Return by how many VP differences between moves are misjudged at a table.

    In the last round that is less after each role. In the last role of the game nothing is left to
    judge but its VP, and they are counted.
    """
    turns = state.config.box.turns
    left = 1 - state.roles_taken / turns if state.end_triggered else 1
    return MISJUDGED[state.phase] * left * (WITH_TWO if state.config.seats == 2 else 1)


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
        if state.phase == PRIVILEGE_PHASE and not _only_guests(legal):
            # An extra barrel hardly ever does harm: to do without it is not advised.
            legal.remove(PASS)
        look = promising(view, legal, rng, width, network_of(state.config.seats).prices)
        if state.end_triggered and state.phase != MAYOR_PHASE:
            # Rules of thumb are for games that go on: what scores most has to be looked at as well.
            scoring = sorted(legal, key=lambda move: -_score_after(state, move))
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
        drawn by lot, always with the same random numbers.
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

    def reasons(self, view: View, move: Move) -> list[str]:
        """Return why a move may be good or bad, the most important reason first.

        What the others can be expected to do in the rest of the role is what looks best by rules of
        thumb. Tiles that come up are never mentioned, as they cannot be known. Nothing is said for
        what would only work in a round that does not come, and what counts at the end always is.
        """
        state: State = view.table
        seat, chance = seat_of(view), random_chance(Random(0))
        if isinstance(move, Choose):
            return [_effect(move.building), "Everybody can build what is chosen for the game."]
        after, events = apply(state, move, chance)
        later: list[Event] = []
        prices = network_of(state.config.seats).prices
        ended = after
        while ended.phase not in (ROLE_PHASE, OVER):
            ended, more = apply(ended, best_move(ended, prices=prices), chance)
            later += more
        # What goes by itself afterwards is no longer the move, nor what follows a pass.
        passes = isinstance(move, Pass)
        made = [event for event in events if not (event.auto or passes)]
        follows = [*(event for event in events if event.auto or passes), *later]
        now = _now(state, after, move, made, follows)
        at_the_end = _of_the_score(state, after, ended, move)
        # In the last round the score is the reason.
        reasons = [
            *chain(*((at_the_end, now) if state.end_triggered else (now, at_the_end))),
            *_of_the_role(state, move, seat, [*made, *follows]),
            *_of_ties(after, [*made, *follows], seat),
        ]
        if not state.end_triggered:
            # Later neither the end nor doubloons that are left on cards are news.
            reasons += [*_of_end(events, later), *_of_what_is_left(state, move)]
        return reasons


COACH: Coach = PuertoRicoCoach()
