"""A second reading of orders, written from porto-order(1) and porto-record(5) alone.

It reads the items of a record itself, keeps which orders stand, and asks the package only for the
rules of the game: which moves are legal, in which order they are listed, and what they bring. So it
can say of every move whether an order decides exactly this one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import porto_cli
from porto_cli import Match
from tests.order_language import (
    SENSIBLE,
    VERBS,
    Choice,
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
    moves: list[Any]
    """What porto moves writes of each."""


def moves_of(match: Match, player: str) -> list[Any]:
    """Return the legal moves of a player as porto moves writes them; none of too many."""
    listed = match.game.words.moves_json(match.state, match.seat(player))
    return [SimpleNamespace(**move) for move in listed.get("moves", ())]


class PortoTable:
    """What the checker asks a game of Porto."""

    def __init__(self, match: Match) -> None:
        self.match = match

    def decision(self, player: str) -> Decision | None:
        """What a player has to decide; ``None`` for what cannot be ordered."""
        seen = self.match.observe(player)
        kind = {"act": "act", "contracts": "contract"}.get(seen["phase"])
        if kind is None or player not in seen["to_move"]:
            return None
        listed = moves_of(self.match, player)
        return Decision(player, kind, (seen["round"], seen["turns_over"]), listed)


PHASE_KINDS = {"privilege": "craftsman", "craftsman": "guest"}


class PuertoRicoTable:
    """What the checker asks a game of Puerto Rico."""

    def __init__(self, match: Match) -> None:
        self.match = match

    def decision(self, player: str) -> Decision | None:
        """What a player has to decide."""
        seen = self.match.observe(None)
        if player not in seen["to_move"]:
            return None
        kind = PHASE_KINDS.get(seen["phase"], seen["phase"])
        taken = sum(role["taken"] is not None for role in seen["roles"].values())
        occasion = (seen["round"], taken, seen["phase"], len(seen["violet"]))
        listed = moves_of(self.match, player) if kind != "mayor" else []
        return Decision(player, kind, occasion, listed)


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


def fulfilled(claim: Any) -> int:
    """How many public contracts it names."""
    return len({*claim.move.split()[1:]} - {"none"})


def sensible(decision: Decision, match: Match) -> str | None:
    """POLICIES: the move, or ``None`` if the decision is left open."""
    if decision.kind == "contract":
        return str(max(decision.moves, key=fulfilled).move)
    if decision.kind == "craftsman":
        return all_on_offer([one.move for one in decision.moves])
    if decision.kind == "mayor":
        return placement(match.observe(None)["players"][match.seat(decision.player)])
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
    placed, circles = dict(me["circles"]), me["circles"]
    people = sum(tile["colonists"] for tile in me["island"].values())
    people += sum(me["city"].values()) + me["san_juan"]
    if people < sum(placed.values()):
        if {"university", "guest-house"} & me["city"].keys():
            return None
        for good, buildings in PRODUCERS.items():
            workers = sum(circles.get(building, 0) for building in buildings)
            if workers > circles.get(good, 0):
                return None
            placed[good] = workers
        left = people - sum(placed.values())
        if left < 0:
            return None
        for good in PRODUCERS:
            more = min(left, circles.get(good, 0) - placed[good])
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
    sequences: int = 0
    continued: int = 0
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
        order = parse(item.text.partition(" ")[2], self.match.players, self.kinds)
        mine = self.standing[item.player]
        for kind, other in list(mine.items()):
            if not order.kind or order.kinds & other.kinds:
                del mine[kind]
        if order.choices:
            self.findings.sequences += order.then is not None
            part: Order | None = order
            while part:
                part.given, part = now, part.then
            mine[order.kind] = order
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
        """Compare a move with what the order of its player decides."""
        mine = self.standing[item.player]
        order = mine.get(decision.kind)
        if order and not order.always and order.occasion not in (None, decision.occasion):
            order = None
            del mine[decision.kind]
        decided = order and self.decided(order, decision)
        if marked and (decided is None or decided[0] != move):
            raise Disagreement(f"line {item.line}: ordered {move!r}, but orders decide {decided}")
        if not marked and decided is not None:
            raise Disagreement(f"line {item.line}: {move!r} is not ordered, but {decided} is")
        if marked and decided:
            self.findings.executed[decided[1]] += 1
        elif order:
            self.findings.stopped += 1
        if order:
            order.occasion = decision.occasion
        if order and order.then:
            del mine[decision.kind]
            if decided and decided[0] == move:
                self.findings.continued += 1
                mine[order.then.kind] = order.then

    def decided(self, order: Order, decision: Decision) -> tuple[str, str] | None:
        """The move that an order decides, and by what."""
        for choice in order.choices:
            move = self.picked(order, choice, decision)
            if move is not None:
                policy = f"{choice.text} for {decision.kind}"
                by = {"most-vp": "most-vp", SENSIBLE.get(decision.kind): policy}
                return move, by.get(choice.text, "move")
        return None

    def picked(self, order: Order, choice: Choice, decision: Decision) -> str | None:
        """The move of a choice, if what it waits for was played and it is legal."""
        if choice.player and not any(
            when > order.given and who == choice.player and choice.words <= words
            for when, who, words in self.played
        ):
            return None
        if choice.text == "most-vp":
            verbs = {verb for verb in self.kinds[decision.kind] if verb != "pass"}
            fitting = [one for one in decision.moves if one.move.split()[0] in verbs]
            return str(max(fitting, key=lambda one: one.vp).move) if fitting else None
        if choice.text == SENSIBLE.get(decision.kind):
            return sensible(decision, self.match)
        try:
            move = self.match.move(choice.text, decision.player)
        except porto_cli.PortoError:
            return None
        if self.match.check(move, decision.player):
            return None
        return self.match.text(move)


def check(text: str) -> Findings:
    """Check a record. Raises Disagreement."""
    return Checker(text).run()
