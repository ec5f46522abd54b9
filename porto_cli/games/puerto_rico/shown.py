"""How Puerto Rico looks: the table and the standings as rows, the same for every medium; and what
else is shown of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from porto_cli.core import InvalidMoveError, enumerated, plural
from porto_cli.core.chance import first_of_pile
from porto_cli.games.puerto_rico.engine import (
    BUILDING_VP,
    BUILDINGS,
    CITY_SPACES,
    GOODS,
    HOUSE_SPACES,
    ISLAND_SPACES,
    PLACES,
    SPACES,
    VIOLET_KINDS,
)
from porto_cli.games.puerto_rico.engine.effects import BONUS
from porto_cli.games.puerto_rico.engine.goods import takers
from porto_cli.games.puerto_rico.engine.moves import (
    FACE_DOWN,
    Earned,
    Loaded,
    Place,
    Scored,
    Sold,
    Take,
)
from porto_cli.games.puerto_rico.engine.play import must
from porto_cli.games.puerto_rico.engine.state import CAPTAIN_PHASE, MAYOR_PHASE, OVER, State
from porto_cli.games.puerto_rico.notation import expand_move
from porto_cli.games.puerto_rico.phrases import STYLES, end_triggered
from porto_cli.games.puerto_rico.view import standings, view
from porto_cli.paper import Block, Chunk, Flow, Heading, Node, Paragraph, Piece
from porto_cli.seam import later
from porto_cli.shown import TOTAL, Ranked, Shown, called, ranked, shown_vp
from porto_cli.term import BOLD, DIM

if TYPE_CHECKING:
    from porto_cli.abilities import SoFar
    from porto_cli.paper.page import Story

# -- How the table looks: one list of rows for terminals, screen readers, pages and mails
#
# All of it is made from a ``porto_cli.games.puerto_rico.view.view``, so nothing is shown that
# the reader may not see.

VP = dict(zip(PLACES, BUILDING_VP, strict=True))
COUNTING = frozenset(PLACES[place] for place in BONUS)
"""The large buildings that count something at the end, if they have a colonist."""
_SEVERAL = {kind.name for kind in BUILDINGS if kind.copies > 1}
FOREST = "forest"
FREE = "free"
"""What is said of a building that costs nothing."""
_TAGS = 0
"""The gap between texts in color, see :class:`~porto_cli.paper.Flow`."""


def render(seen: dict[str, Any]) -> Iterator[Node]:
    """Yield the table row by row: what lies in the middle, the players, the buildings."""
    yield from middle(seen).values()
    yield Heading("Players")
    yield Paragraph(["● is a colonist, ○ an empty circle."], DIM, spoken=[])
    for player in seen["players"]:
        yield from board(seen, player)
    yield from buildings(seen, "By VP, with {} and the copies left.")


# -- What the game waits for


def situation(seen: dict[str, Any]) -> list[str]:
    """Return who decides what, and how far it is to the end, or why it comes; or who has won."""
    phase = seen["phase"]
    if phase == "over":
        return [winners(seen)]
    (player,) = seen["to_move"]
    when = round_of(seen)
    if seen["role"]:
        when += f", {seen['chooser']}'s {seen['role']} phase"
    elif player == seen["governor"] and phase != "draft":
        player += " is governor and"
    elif phase != "draft":
        when += f", {seen['governor']} is governor"
    ends = [*map(end_triggered, seen["end_triggered"][:1])]
    goal = f"To the end: {', '.join(left(seen, f'fullest city {{}} of {CITY_SPACES}'))}."
    does = must(phase, can_pass=not _has_to_load(seen))
    return [f"{when}: {player} must {does}.", *(ends or [goal])]


def _has_to_load(seen: dict[str, Any]) -> bool:
    """Return whether the player to move can load a cargo ship, and so cannot pass
    (PR-CAPTAIN-4).
    """
    if seen["phase"] != CAPTAIN_PHASE:
        return False
    (mover,) = (one for one in seen["players"] if one["name"] in seen["to_move"])
    loads = seen["cargo"].values()
    carried, barrels = ([load and load[key] for load in loads] for key in ("good", "barrels"))
    spaces = [*map(int, seen["cargo"])]
    return any(takers(good, carried, barrels, spaces, None) for good in mover["goods"])


def round_of(seen: Mapping[str, Any]) -> str:
    """Return which round it is."""
    return "Before round 1" if seen["phase"] == "draft" else f"Round {seen['round']}"


def left(seen: Mapping[str, Any], city: str) -> list[str]:
    """Return how much is left until each end of the game (PR-END-1 to PR-END-3); of ``city`` the
    fullest one.
    """
    most = CITY_SPACES - min(player["city_spaces"] for player in seen["players"])
    return [f"{seen['vp_pool']} VP", plural(seen["supply"], "colonist"), city.format(most)]


def winners(seen: dict[str, Any]) -> str:
    """Return who has won a finished game (PR-RANK-1), and by how much."""
    result = seen["result"]
    first = [player for player, score in result.items() if score["place"] == 1]
    vp = result[first[0]]["total"]
    if len(first) > 1:
        return f"The game is over: {enumerated(first)} win together with {vp} VP each."
    second = list(result)[1]
    ahead = vp - result[second]["total"]
    by = f"{ahead} ahead of {second}"
    if not ahead:
        most, less = (result[name]["tie-break"] for name in (first[0], second))
        by = f"ahead of {second} on the tie-break: {most} doubloons and barrels to {less}"
    return f"The game is over: {first[0]} wins with {vp} VP, {by}."


def how_it_ended(played: SoFar) -> str:
    """Say who has won a finished game."""
    return winners(view(played.state))


# -- The middle of the table


def middle(seen: dict[str, Any]) -> dict[str, Block]:
    """Return what lies in the middle of the table, by its label."""
    rows = {
        "Roles": roles(seen),
        "Tiles": tiles(seen),
        "Ships": ships(seen),
        "Sold": Flow([*tags(seen["trading_house"]), [_room(seen)]], _TAGS),
        "Supply": goods_left(seen),
    }
    return {label: Block(label, [row]) for label, row in rows.items()}


def roles(seen: dict[str, Any]) -> Flow:
    """Each card with its doubloons, or with who has taken it this round."""
    chunks: list[Chunk] = []
    for role, card in seen["roles"].items():
        if role == seen["role"]:
            chunks.append([(f"{role} by {card['taken']} (now)", BOLD)])
        elif card["taken"]:
            chunks.append([(f"{role} by {card['taken']}", DIM)])
        elif card["doubloons"]:
            chunks.append([role, (f" +{plural(card['doubloons'], 'doubloon')}", BOLD)])
        else:
            chunks.append([role])
    return Flow(chunks, gap=3)


def tiles(seen: dict[str, Any]) -> Flow:
    """The face-up plantations and the quarries, and how many are face down."""
    chunks = counted(seen["tiles"]) or [[("none face up", DIM)]]
    if seen["quarries"]:
        chunks += counted({"quarry": seen["quarries"]})
    rest = f"{seen['stack']} face down"
    if discards := sum(seen["tile_discards"].values()):
        rest += f", {discards} discarded"
    return Flow([*chunks, [(rest, DIM)]], _TAGS)


def ships(seen: dict[str, Any]) -> Flow:
    """The colonist ship; each cargo ship with its spaces and what it carries."""
    people = plural(seen["ship"], "colonist")
    chunks: list[Chunk] = [[people]]
    spoken = [people]
    for spaces, load in seen["cargo"].items():
        barrels = load["barrels"] if load else 0
        room = int(spaces) - barrels
        drawn = "▮" * barrels + "▯" * room
        cargo = tag(load["good"], f"{load['good']} {drawn}") if load else (drawn, DIM)
        chunks.append([(f"{spaces} ", BOLD), cargo])
        words = f"{barrels} {load['good']}" if load else "empty"
        spoken.append(f"{spaces} spaces, {words}")
    return Flow(chunks, gap=3, spoken=[f"{'; '.join(spoken)}."])


def _room(seen: dict[str, Any]) -> Piece:
    room = HOUSE_SPACES - len(seen["trading_house"])
    return (f"room for {room} in the trading house" if room else "the trading house is full", DIM)


def goods_left(seen: dict[str, Any]) -> Flow:
    """The colonists, VP and barrels that are left."""
    rest = f"{plural(seen['supply'], 'colonist')}, {seen['vp_pool']} VP"
    return Flow([[rest], *counted(dict.fromkeys(GOODS, 0) | seen["goods_supply"])], _TAGS)


# -- The players


def board(seen: dict[str, Any], player: dict[str, Any]) -> list[Node]:
    """Return what a player has: in hand, on the island, in the city."""
    return [hand(seen, player), *(_spaces(player, where) for where in BOARDS)]


def hand(seen: dict[str, Any], player: dict[str, Any]) -> Flow:
    """Return who a player is and has in hand."""
    name = player["name"]
    chunks: list[Chunk] = [[plural(player["doubloons"], "doubloon")]]
    if seen["result"]:
        chunks.append([f"{player['score'][TOTAL]} VP ({_listed(_vp_of(player['score']))})"])
    elif player["vp"] is not None:
        chunks.append([f"{player['vp']} VP"])
    if player["san_juan"]:
        chunks.append([f"{player['san_juan']} in San Juan"])
    chunks += counted(player["goods"]) or [[("no barrels", DIM)]]
    if name in seen["to_move"]:
        chunks.insert(0, [("to move", BOLD)])
    if name == seen["governor"] and not seen["result"]:
        chunks.insert(0, ["governor"])
    return Flow(chunks, gap=3, first=[(called(seen, name), BOLD), ": "], indent=4)


Kind = tuple[str, int, int]
"""A kind of tiles, or a building: its name, how many there are, and the colonists on them."""


def kinds_of(player: Mapping[str, Any], where: str) -> list[Kind]:
    """Return the tiles of a kind together, or the buildings; forests are one kind, as they look the
    same whatever lies under them.
    """
    if where == "city":
        return [(name, 1, colonists) for name, colonists in player["city"].items()]
    tiles = [(name, kind["tiles"], kind["colonists"]) for name, kind in player["island"].items()]
    forests = sum(number for name, number, _ in tiles if name.startswith(FOREST))
    kinds = [kind for kind in tiles if not kind[0].startswith(FOREST)]
    return [*kinds, (FOREST, forests, 0)] if forests else kinds


def drawn(player: Mapping[str, Any], name: str, number: int, colonists: int) -> str:
    """Return a kind with its circles, the occupied ones first, or with its number."""
    if circles := player["circles"].get(name, 0):
        return f"{name} {'●' * colonists}{'○' * (circles - colonists)}"
    return name if number == 1 else f"{name} {number}"


BOARDS = {"island": ISLAND_SPACES, "city": CITY_SPACES}
"""What each player has, and how many spaces it has."""


def used(player: Mapping[str, Any], where: str) -> str:
    """Return how many spaces of an island or a city are used: ``3/12``."""
    return f"{BOARDS[where] - player[f'{where}_spaces']}/{BOARDS[where]}"


def _spaces(player: dict[str, Any], where: str) -> Flow:
    """Return tiles or buildings, each with its number and colonists."""
    head = f"{where} {used(player, where)}"
    if where == "city" and player["city"]:
        head += f", {player['score']['buildings']} VP"
    kinds = kinds_of(player, where)
    chunks: list[Chunk] = [[tag(kind[0], drawn(player, *kind))] for kind in kinds]
    words = []
    for name, number, colonists in kinds:
        circles = player["circles"].get(name, 0)
        occupied = f"{name} ({colonists} of {circles} occupied)"
        words.append(occupied if circles else drawn(player, name, number, colonists))
    spoken = f"{player['name']}: {head}: {', '.join(words) or 'nothing'}."
    first = [(f"  {head}: ", DIM)]
    return Flow(chunks or [[("nothing", DIM)]], _TAGS, first, indent=6, spoken=[spoken])


# -- The buildings


def _kind(seen: dict[str, Any], name: str) -> Chunk:
    """Return a kind of building: its name, its price, the copies left if it has several.

    A mark shows that the player who builds can pay for it.
    """
    left, costs = seen["buildings"].get(name, 0), seen["prices"][name]
    return [
        ("▸" if can_build(seen, name) else "", BOLD),
        tag(name),
        f" for {costs}" if costs else f" {FREE}",
        (f" ({left} left)" if left and name in _SEVERAL else "", DIM),
    ]


def buildings(
    seen: dict[str, Any], note: str = "", shape: Callable[[Chunk], Chunk] = list
) -> Iterator[Block]:
    """Yield the buildings that are left, each in a ``shape``, maybe with a ``note`` on how they are
    shown, where ``{}`` is what is paid; in the draft those chosen, and those to choose.
    """
    if seen["phase"] == "draft":
        chosen = f"{len(seen['violet'])} of {VIOLET_KINDS} chosen: "
        yield Block("Draft", [Flow(tags(seen["violet"]), _TAGS, [chosen], indent=4)])
        yield Block("To choose", [*_by_vp(seen, seen["draft"], shape)])
    elif seen["phase"] != "over" and seen["buildings"]:
        payer = f"what {seen['to_move'][0]} pays" if seen["phase"] == "builder" else "the price"
        about = [Paragraph([note.format(payer)], DIM)] if note else []
        yield Block("Buildings", [*about, *_by_vp(seen, seen["buildings"], shape)])


def _by_vp(
    seen: dict[str, Any], names: Iterable[str], shape: Callable[[Chunk], Chunk]
) -> Iterator[Node]:
    """Yield a row for buildings of the same VP, the cheapest first."""
    prices = seen["prices"]
    left = {name: f" ({number} left)" for name, number in seen["buildings"].items()}
    for vp, some in groupby(sorted(names, key=lambda name: (VP[name], prices[name])), VP.get):
        kinds = list(some)
        paid = {name: f"for {prices[name]}" if prices[name] else FREE for name in kinds}
        spoken = (f"{name} {paid[name]}{left.get(name, '')}" for name in kinds)
        yield Flow(
            [shape(_kind(seen, name)) for name in kinds],
            first=[(f"{vp} VP  ", DIM)],
            indent=6,
            spoken=[f"{vp} VP: {', '.join(spoken)}."],
        )


def can_build(seen: dict[str, Any], name: str) -> bool:
    """Return whether the player to move in the builder phase could build this with doubloons."""
    if seen["phase"] != "builder" or name not in seen["buildings"]:
        return False
    builder = next(player for player in seen["players"] if player["name"] in seen["to_move"])
    return (
        seen["prices"][name] <= builder["doubloons"]
        and name not in builder["city"]
        and SPACES[PLACES.index(name)] <= builder["city_spaces"]
    )


# -- Goods, tiles and buildings in their colors


def tag(name: str, text: str = "") -> Piece:
    """Return the name of a thing, or another text for it, in its color."""
    return (text or name, STYLES[name])


def tags(names: Iterable[str]) -> list[Chunk]:
    """Return the names of things, each in its color."""
    return [[tag(name)] for name in names]


def counted(bundle: dict[str, int]) -> list[Chunk]:
    """Return things with their numbers."""
    return [[tag(name, f"{name} {number}")] for name, number in bundle.items()]


# -- The standings: where the VP of each player come from, as far as the asking seat may know

Reckoning = Mapping[str, Any]
"""The score of a player in a view."""


def standing_rows(played: SoFar, seat: int | None) -> Iterator[Node]:
    """Yield where the VP of each player come from, as far as a seat may know, what decides a tie
    (PR-RANK-1), and player by player what is behind these numbers.
    """
    seen = view(played.state, seat)
    players = {player["name"]: player for player in seen["players"]}
    scores = {name: players[name]["score"] for name in seen["result"] or players}
    totals = [score[TOTAL] for score in scores.values() if score[TOTAL] is not None]
    is_tied = len({*totals}) < len(totals)
    yield ranked([_ranked(name, score, with_tie=is_tied) for name, score in scores.items()])
    for note in [] if seen["result"] else _unknown(scores.values(), is_tied=is_tied):
        yield Paragraph([note], DIM)
    chips = _chips(played)
    for name, score in scores.items():
        if rows := [*_reckoned(score, players[name]["city"], chips[name])]:
            yield Heading(f"{name}: {shown_vp(score[TOTAL])} VP", about=name)
            yield from rows


def _ranked(name: str, score: Reckoning, *, with_tie: bool) -> Ranked:
    place, total, bonuses = score["place"], score[TOTAL], _bonuses(score).values()
    vp = {"chips": score["chips"], "buildings": score["buildings"]}
    vp |= {"bonus": None if None in bonuses else sum(bonuses), TOTAL: total}
    tie = {"tie-break": score["tie-break"]} if with_tie else {}
    number = f"{place}. " if place else ""
    spoken = f"{number}{name}, {shown_vp(total)} VP: {_listed(_vp_of(score) | tie)}."
    return Ranked(place, name, vp | tie, spoken)


def _reckoned(score: Reckoning, city: Iterable[str], chips: Mapping[str, int]) -> Iterator[Flow]:
    """Yield what chips are for, what the buildings of a city are worth, and what large ones count
    besides: nothing without a colonist (PR-SCORE-3).
    """
    printed = sorted((name for name in city if VP[name]), key=VP.__getitem__, reverse=True)
    bonuses = _bonuses(score)
    idle = [f"{name} 0 (no colonist)" for name in city if name in COUNTING - {*bonuses}]
    for head, parts in (
        ("Chips", [] if score["chips"] is None else _each(chips)),
        ("Buildings", _each({name: VP[name] for name in printed})),
        ("Bonus", [*_each(bonuses), *idle]),
    ):
        if parts:
            spoken = f"{head}: {', '.join(parts)}."
            yield Flow([[one] for one in parts], 2, [f"  {head}: "], 4, [spoken])


def _chips(played: SoFar) -> dict[str, Counter[str]]:
    """Return the VP chips that each player has got, by what for."""
    found = {name: Counter[str]() for name in played.config.players}
    for event in (event for step in played.turns() for event in step.events):
        if isinstance(event, Scored):
            found[played.config.players[event.seat]][event.reason] += event.vp
    return found


def _vp_of(score: Reckoning) -> dict[str, int | None]:
    """Return where the VP of a score come from; what large buildings count by their names."""
    return {"chips": score["chips"], "buildings": score["buildings"], **_bonuses(score)}


def _bonuses(score: Reckoning) -> dict[str, Any]:
    """Return the VP for what large buildings count."""
    return {name: vp for name, vp in score.items() if name in PLACES}


def _listed(vp: Mapping[str, int | None]) -> str:
    return ", ".join(_each(vp))


def _each(vp: Mapping[str, int | None]) -> list[str]:
    return [f"{name} {shown_vp(number)}" for name, number in vp.items()]


def _unknown(scores: Iterable[Reckoning], *, is_tied: bool) -> Iterator[str]:
    """Yield what the numbers of a running game mean, and what is secret."""
    yield "This is what would count if the game ended now."
    if is_tied:
        yield "Doubloons and barrels would break the tie."
    if any(score["chips"] is None for score in scores):
        yield (
            "The VP chips of others are secret until the game is over; a ? stands for them and for "
            "what depends on them."
        )


# -- Shown
#
# How Puerto Rico looks. All that is shown of a table is made from a
# :func:`~porto_cli.games.puerto_rico.view.view`, which has nothing that the asking seat may not
# see.

Seen = dict[str, Any]


class Look(Shown):
    """See :class:`porto_cli.shown.Shown` for what each member means."""

    def view(self, state: State, seat: int | None, *, is_open: bool = False) -> Seen:
        """Return what a seat may see; the VP chips of all if nothing is secret."""
        return view(state, seat, all_chips=is_open)

    def seen(self, played: SoFar, seat: int | None) -> Seen:
        """Return the view with the number of the turn."""
        seen = view(played.state, seat)
        return {**seen, "turn": None if seen["result"] else len(played.turns()) + 1}

    situation = staticmethod(situation)
    rows = staticmethod(render)

    pictures = later(".picture:pictures")
    shapes = later(".picture:shapes")

    def illustrated(self, story: Story, played: SoFar, states: Sequence[State]) -> Story:
        """Return a story with pictures, and what each player earned.

        After the end nothing is secret anymore, so all frames show all VP chips.
        """
        from porto_cli.paper.page import Measure

        over = played.state.phase == OVER
        tables = [self.view(state, None, is_open=over) for state in states]
        earned = [0] * len(story.players)
        frames = []
        for nth, (frame, seen) in enumerate(zip(story.frames, tables, strict=True)):
            if 0 <= frame.place < len(played.steps):
                for event in played.steps[frame.place].events:
                    # What was paid is not subtracted.
                    if isinstance(event, Earned) and event.doubloons > 0:
                        earned[event.seat] += event.doubloons
            players = seen["players"]
            buildings = [player["score"]["buildings"] for player in players]
            numbers = [[player["vp"] for player in players], buildings, [*earned]]
            pictures = self.pictures(seen, tables[nth - 1] if nth else None)
            frames.append(frame._replace(numbers=numbers, pictures=pictures))
        secret = "The VP chips of others are secret until the game is over."
        measures = [
            Measure("VP chips", "" if over else secret),
            Measure("VP of buildings"),
            Measure("Doubloons earned, without those of the setup"),
        ]
        # In the first turns there is nothing to draw a chart of.
        used = [nth for nth in range(len(measures)) if any(any(one.numbers[nth]) for one in frames)]
        frames = [one._replace(numbers=[one.numbers[nth] for nth in used]) for one in frames]
        measures = [measures[nth] for nth in used]
        return story._replace(frames=frames, measures=measures, shapes=self.shapes())

    panes = later(".panes")
    has_boards = True

    def foreseen(self, state: State, move: str, seat: int | None) -> Seen:
        """Return the view after a move, or with the colonists of a placement that is put together,
        which may be one that is not allowed yet; ships and the trading house have what the player
        loads or sells with it, before anything else is and full ones are emptied, and what is drawn
        face down is not known before.
        """
        try:
            typed = expand_move(move, state, state.seat)
        except InvalidMoveError:
            return {}
        player = state.players[state.seat]
        if state.phase == MAYOR_PHASE and isinstance(typed, Place):
            new, placing = state.copy(), player.copy()
            placing.colonists = typed.colonists
            placing.san_juan = player.people - sum(typed.colonists)
            new.players[state.seat] = placing
            return self.view(new, seat) if placing.san_juan >= 0 else {}
        if isinstance(typed, Take) and typed.what == FACE_DOWN:
            return {}
        seen = super().foreseen(state, move, seat)
        if not seen:
            return seen
        cargo, house = self.view(state, seat)["cargo"], bytearray(state.trading_house)
        _, events = self.rules.apply(state, typed, first_of_pile, state.seat)
        own = (event for event in events if getattr(event, "seat", None) == state.seat)
        event = next((event for event in own if isinstance(event, Loaded | Sold)), None)
        if isinstance(event, Loaded) and (ship := str(event.onto)) in cargo:
            good = next(good for good, loaded in zip(GOODS, event.goods, strict=True) if loaded)
            barrels = sum(event.goods) + (cargo[ship]["barrels"] if cargo[ship] else 0)
            cargo = {**cargo, ship: {"good": good, "barrels": barrels}}
        elif isinstance(event, Sold) and not event.post:
            house.append(event.good)
        return {**seen, "cargo": cargo, "trading_house": [GOODS[good] for good in sorted(house)]}

    def standings(self, played: SoFar, seat: int | None) -> dict[str, Any]:
        """Return what each player has, as far as the seat may know."""
        return standings(view(played.state, seat))

    standing_rows = staticmethod(standing_rows)
    things = later(".phrases:things")
    in_brief = later(".phrases:in_brief")
