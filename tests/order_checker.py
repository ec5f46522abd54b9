"""A second reading of orders, written from porto-order(1) and porto-record(5) alone.

It reads the items of a record itself, keeps which orders stand, and asks the package only for the
rules of the game: which moves are legal, in which order they are listed, what they bring, and what
lies on the table. So it can say of every move whether an order decides exactly this one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import porto_cli
from porto_cli import Match
from porto_cli.games.puerto_rico.observation import move_list, option_of
from tests.order_language import (
    POLICY_KINDS,
    VERBS,
    Choice,
    Condition,
    Item,
    Order,
    is_order,
    items_of,
    parse,
    with_colors,
)

MARK = "ordered"
PRODUCERS = {
    "indigo": ("small-indigo-plant", "indigo-plant"),
    "sugar": ("small-sugar-mill", "sugar-mill"),
    "tobacco": ("tobacco-storage",),
    "coffee": ("coffee-roaster",),
}
PRICES = {"corn": 0, "indigo": 1, "sugar": 2, "tobacco": 3, "coffee": 4}


class Disagreement(Exception):  # noqa: N818 - it is what is found, and no fault of a caller
    """The record and the page do not agree."""


# The table


@dataclass
class Decision:
    """A decision that waits: whose it is, its kind, and the moves in the order of porto moves."""

    player: str
    kind: str
    occasion: object
    round: int
    moves: list[Any]
    """Options: each has move, vp and what the facts about moves ask."""
    facts: Callable[[str, Any], int]


class PortoTable:
    """What the checker asks a game of Porto."""

    def __init__(self, match: Match) -> None:
        self.match = match

    def round(self) -> int:
        """The round."""
        return int(self.match.observe(None).round)

    def decision(self, player: str) -> Decision | None:
        """What a player has to decide; ``None`` for what cannot be ordered."""
        seen = self.match.observe(player)
        kind = {"act": "act", "contracts": "contract"}.get(seen.phase)
        if kind is None or player not in seen.to_move:
            return None
        occasion = (seen.round, seen.turns)
        return Decision(
            player, kind, occasion, seen.round, list(seen.moves), lambda *a: porto_fact(seen, *a)
        )


def porto_fact(seen: Any, fact: str, option: Any) -> int:
    """FACTS (Porto)."""
    if fact == "vp":
        return int(option.vp)
    if fact == "contracts":
        return len(option.contracts)
    if fact in ("round", "roofs"):
        return int(getattr(seen, fact))
    if fact == "hand":
        return len(seen.me.hand)
    if fact == "score":
        return int(seen.me.score)
    first, _, rest = fact.partition("-")
    if first in ("floors", "room"):
        for house in seen.houses:
            if house.name.casefold() == rest:
                return int(house.floors if first == "floors" else house.height - house.floors)
        return 0
    if first in ("ground", "upper"):
        return int(seen.tiles[rest][first == "upper"])
    if first == "own":
        return sum(card == rest for card in seen.me.hand)
    public = sum(contract is not None and contract.name == fact for contract in seen.contracts)
    return public + sum(card == fact for card in seen.cards)


PHASE_KINDS = {"privilege": "craftsman", "craftsman": "guest"}


class PuertoRicoTable:
    """What the checker asks a game of Puerto Rico."""

    def __init__(self, match: Match) -> None:
        self.match = match

    def round(self) -> int:
        """The round."""
        return int(self.match.observe(None).round)

    def decision(self, player: str) -> Decision | None:
        """What a player has to decide."""
        # What a bystander sees is enough, as no condition sees more.
        seen = self.match.observe(None)
        if player not in seen.to_move:
            return None
        state, seat = self.match.state, self.match.seat(player)
        kind = PHASE_KINDS.get(seen.phase, seen.phase)
        taken = sum(role.taken is not None for role in seen.roles.values())
        occasion = (seen.round, taken, seen.phase, len(seen.violet))
        listed = move_list(state, seat).options if kind != "mayor" else ()
        return Decision(
            player,
            kind,
            occasion,
            seen.round,
            list(listed or ()),
            lambda *a: puerto_rico_fact(seen, seen.players[seat], *a),
        )


def puerto_rico_fact(seen: Any, me: Any, fact: str, option: Any) -> int:
    """FACTS (Puerto Rico)."""
    numbers: dict[str, Callable[[], int]] = {
        "round": lambda: seen.round,
        "quarry": lambda: seen.quarries,
        "trading-house": lambda: len(seen.trading_house),
        "vp-pool": lambda: seen.vp_pool,
        "supply": lambda: seen.supply,
        "ship": lambda: seen.colonist_ship,
        "doubloons": lambda: me.doubloons,
        "barrels": lambda: sum(me.goods.values()),
        "colonists": lambda: sum(me.colonists.values()) + me.san_juan,
        "san-juan": lambda: me.san_juan,
        "island-spaces": lambda: me.island_spaces,
        "city-spaces": lambda: me.city_spaces,
        "own-forests": lambda: sum(
            count for tile, count in me.island.items() if tile.startswith("forest-")
        ),
        "cost": lambda: option.fields.get("price", 0),
        "earns": lambda: max(0, option.doubloons),
        "vp": lambda: max(0, option.vp),
    }
    if fact in numbers:
        return int(numbers[fact]())
    if fact in PRICES:
        return int(seen.row.get(fact, 0))
    if fact in ("settler", "mayor", "builder", "craftsman", "trader", "captain") or (
        fact.startswith("prospector")
    ):
        return int(fact in seen.roles and seen.roles[fact].taken is None)
    first, _, rest = fact.partition("-")
    if first == "room":
        return sum(ship.spaces - ship.barrels for ship in seen.ships if ship.spaces == int(rest))
    if first == "barrels":
        return int(me.goods.get(rest, 0))
    if first == "own":
        return int(me.island.get(rest, 0)) + (rest in me.buildings)
    if first == "occupied":
        return int(me.colonists.get(rest, 0))
    return int(seen.buildings.get(fact, 0))


TABLES = {"porto": PortoTable, "puerto-rico": PuertoRicoTable}


# Policies


def bundle(text: str) -> Counter[str]:
    """The things of a bundle, after its verb."""
    found: Counter[str] = Counter()
    last = ""
    for word in text.split(" ")[1:]:
        if word.isdigit():
            found[last] += int(word) - 1
        elif word != "none":
            last = word
            found[word] += 1
    return found


def policy(name: str, decision: Decision, match: Match) -> str | None:
    """POLICIES: the move, or ``None`` if it leaves the decision open."""
    if decision.kind not in POLICY_KINDS[name]:
        return None
    if name == "only":
        return str(decision.moves[0].move) if len(decision.moves) == 1 else None
    if decision.kind == "contract":
        return str(max(decision.moves, key=lambda one: len(one.contracts)).move)
    if decision.kind == "craftsman":
        return all_on_offer([one.move for one in decision.moves])
    if decision.kind == "mayor":
        return placement(match.observe(None).players[match.seat(decision.player)])
    stores = [match.text(move) for move in match.legal_moves(decision.player)]
    return max((move for move in stores if move.startswith("store")), key=worth)


def all_on_offer(moves: Sequence[str]) -> str | None:
    """The move that takes one barrel of each kind on offer."""
    takes = [move for move in moves if move.startswith("take")]
    offered = {good for move in takes for good in move.split(" ")[1:]}
    return next((move for move in takes if set(move.split(" ")[1:]) == offered), None)


def worth(store: str) -> tuple[int, ...]:
    """Barrels, their prices, and how many of the dearest."""
    goods = bundle(store)
    prices = sum(PRICES[good] * number for good, number in goods.items())
    return (sum(goods.values()), prices, *(goods[good] for good in reversed(PRICES)))


def placement(me: Any) -> str | None:
    """The placement that leaves nothing empty but plantations without a circle in the city.

    Where a building could get a colonist later, by the University or as a guest, and where a circle
    of the city has no plantation, it makes a difference which circles stay empty.
    """
    people = sum(me.colonists.values()) + me.san_juan
    placed = dict(me.circles)
    if people < sum(placed.values()):
        if {"university", "guest-house"} & me.buildings.keys():
            return None
        for good, buildings in PRODUCERS.items():
            workers = sum(me.circles.get(building, 0) for building in buildings)
            if workers > me.circles.get(good, 0):
                return None
            placed[good] = workers
        left = people - sum(placed.values())
        if left < 0:
            return None
        for good in PRODUCERS:
            more = min(left, me.circles.get(good, 0) - placed[good])
            placed[good] += more
            left -= more
    things = [
        name if number == 1 else f"{name} {number}" for name, number in placed.items() if number
    ]
    return "place " + (" ".join(things) or "none")


# The check


@dataclass
class Findings:
    """What the check has counted."""

    orders: int = 0
    executed: Counter[str] = field(default_factory=Counter)
    stopped: int = 0
    plain: Match | None = None
    """The same game, in which every order was replaced by one that orders nothing."""


class Checker:
    """Replays a record item by item, and compares what the orders decide with what was done."""

    def __init__(self, text: str) -> None:
        self.items = items_of(text)
        lines = text.split("\n")
        end = self.items[0].line - 1 if self.items else len(lines)
        self.match = porto_cli.loads("\n".join(lines[:end]) + "\n")
        self.table = TABLES[self.match.game.meta.id](self.match)
        self.kinds = VERBS[self.match.game.meta.id]
        self.standing: dict[str, dict[str, Order]] = {name: {} for name in self.match.players}
        self.played: list[tuple[int, str, frozenset[str]]] = []
        """Moves not taken back: when, by whom, their words."""
        self.stack: list[int] = []
        """Where the items that are not taken back begin in ``played``."""
        self.findings = Findings()

    def run(self) -> Findings:
        """Check every item."""
        for now, item in enumerate(self.items):
            if item.player == "result":
                continue
            if is_order(item):
                self.order(now, item)
                # Stands for the order, as contracts after it are an item of their own.
                self.match.order("none", item.player)
            elif item.text == "undo":
                self.match.undo(item.player)
                self.standing[item.player].clear()
                del self.played[self.stack.pop() :]
            else:
                self.stack.append(len(self.played))
                for move, comment in item.moves():
                    self.decide(now, item, move, comment)
        self.findings.plain = self.match
        return self.findings

    def order(self, now: int, item: Item) -> None:
        """An order is given, or orders are taken back."""
        said = parse(item.text.partition(" ")[2], self.match.players, self.kinds)
        mine = self.standing[item.player]
        if said is None:
            mine.clear()
        elif isinstance(said, str):
            mine.pop(said, None)
        else:
            scope, kind, choices = said
            mine[kind] = Order(kind, scope, choices, now, self.table.round())
            self.findings.orders += 1

    def decide(self, now: int, item: Item, move: str, comment: str) -> None:
        """A move is made, by an order or by the player."""
        marked = comment == MARK or comment.startswith(f"{MARK};")
        if marked or self.standing[item.player]:
            decision = self.table.decision(item.player)
            if decision is not None:
                self.compare(item, move, marked, decision)
            elif marked:
                raise Disagreement(f"line {item.line}: {move!r} cannot be ordered")
        self.match.play(move, player=item.player)
        private = move.split(" ")[0] == "keep"
        if not private:
            self.played.append((now, item.player, with_colors(move.casefold().split())))

    def compare(self, item: Item, move: str, marked: bool, decision: Decision) -> None:
        """Compare a move with what the orders of its player decide."""
        orders = list(self.applying(decision))
        decided = self.decided(orders, decision)
        if marked and (decided is None or decided[0] != move):
            raise Disagreement(f"line {item.line}: ordered {move!r}, but orders decide {decided}")
        if not marked and decided is not None:
            raise Disagreement(f"line {item.line}: {move!r} is not ordered, but {decided} is")
        if marked and decided:
            self.findings.executed[decided[1]] += 1
        elif orders:
            self.findings.stopped += 1
        self.spend(decision)

    def applying(self, decision: Decision) -> Iterator[Order]:
        """The orders that stand for a decision: first the one for its kind, then that for turn."""
        for kind in (decision.kind, "turn"):
            order = self.standing[decision.player].get(kind)
            if order is None or (order.scope == "round" and order.round != decision.round):
                continue
            if order.scope == "once" and order.occasion not in (None, decision.occasion):
                continue
            yield order

    def spend(self, decision: Decision) -> None:
        """An occasion has come for the orders of the kind and for turn."""
        mine = self.standing[decision.player]
        for kind in (decision.kind, "turn"):
            order = mine.get(kind)
            if order is not None and order.scope == "once":
                if order.occasion not in (None, decision.occasion):
                    del mine[kind]
                else:
                    order.occasion = decision.occasion

    def decided(self, orders: list[Order], decision: Decision) -> tuple[str, str] | None:
        """The move that the orders decide, and by which kind of pick."""
        for order in orders:
            for choice in order.choices:
                move = self.picked(order, choice, decision)
                if move is not None:
                    named = f"{choice.text} for {decision.kind}"
                    return move, named if choice.pick == "policy" else choice.pick
        return None

    def picked(self, order: Order, choice: Choice, decision: Decision) -> str | None:
        """The move of a choice, if its conditions hold and it is legal."""

        def holds(option: Any) -> bool:
            return all(self.holds(one, order, decision, option) for one in choice.conditions)

        if choice.pick in ("any", "most-vp"):
            verbs = {verb for verb in self.kinds[decision.kind] if verb != "pass"}
            fitting = [
                one
                for one in decision.moves
                if one.kind in verbs
                and choice.words <= (words := with_colors(one.move.casefold().split()))
                and not choice.but & words
                and holds(one)
            ]
            if not fitting:
                return None
            best = fitting[0] if choice.pick == "any" else max(fitting, key=lambda one: one.vp)
            return str(best.move)
        if choice.pick == "policy":
            text = policy(choice.text, decision, self.match)
        else:
            text = self.legal(choice.text, decision)
        if text is None:
            return None
        return text if holds(self.option(text, decision)) else None

    def legal(self, text: str, decision: Decision) -> str | None:
        """A move as it is written, if it is legal; its first word can be left out."""
        if text.startswith("? "):
            texts = [f"{verb} {text[2:]}" for verb in self.kinds[decision.kind] if verb != "pass"]
        else:
            texts = [text]
        for one in texts:
            try:
                move = self.match.move(one, decision.player)
                if not self.match.check(move, decision.player):
                    return self.match.text(move)
            except porto_cli.PortoError:
                continue
        return None

    def option(self, text: str, decision: Decision) -> Any:
        """A legal move with what it brings."""
        for one in decision.moves:
            if one.move == text:
                return one
        return option_of(self.match.state, self.match.move(text, decision.player))

    def holds(self, condition: Condition, order: Order, decision: Decision, option: Any) -> bool:
        """Whether a condition holds for a move."""
        if condition.relation == "plays":
            return any(
                when > order.given and who == condition.subject and condition.words <= words
                for when, who, words in self.played
            )
        number = decision.facts(condition.subject, option)
        if condition.relation == "least":
            return number >= condition.number
        return number <= condition.number


def check(text: str) -> Findings:
    """Check a record. Raises Disagreement."""
    return Checker(text).run()
