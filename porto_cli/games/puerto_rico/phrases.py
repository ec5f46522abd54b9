"""What several views share: phrases for numbers of things, lists and gains; colors of things."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from porto_cli.core.message import Sentence, both, plural, say
from porto_cli.games.puerto_rico.engine.components import (
    BIT,
    FOREST,
    GOODS,
    PLACES,
    PRODUCERS,
    QUARRY,
    ROLES,
    TILES,
    VIOLET,
)
from porto_cli.games.puerto_rico.engine.state import (
    BUILDER_PHASE,
    CAPTAIN_PHASE,
    CITY_END,
    COLONISTS_END,
    CRAFTSMAN_PHASE,
    DRAFT_PHASE,
    LIBRARY_PHASE,
    MAYOR_PHASE,
    NO_ROLE,
    OVER,
    PRIVILEGE_PHASE,
    ROLE_PHASE,
    SETTLER_PHASE,
    STORE_PHASE,
    TRADER_PHASE,
    VP_END,
)
from porto_cli.games.puerto_rico.engine.table_view import TableView

Gain = tuple[str, int]
"""What VP or doubloons are for, and how many: ``("shipping", 3)``."""


def doubloons(number: int) -> str:
    """Return a number of doubloons."""
    return plural(number, "doubloon")


def colonists(number: int) -> str:
    """Return a number of colonists."""
    return plural(number, "colonist")


def counted(counts: bytes, names: Sequence[str]) -> list[str]:
    """Return numbers with their names, like ``2 corn``, in the order of the rules; none for 0."""
    return [f"{number} {name}" for name, number in zip(names, counts, strict=False) if number]


def goods(counts: bytes) -> str:
    """Return barrels as a list, or that there are none."""
    return both(counted(counts, GOODS) or ["no barrels"])


def tiles(counts: bytes) -> str:
    """Return tiles as a list, or that there are none."""
    return both(counted(counts, TILES) or ["no tiles"])


def places(counts: bytes) -> str:
    """Return colonists on places as a list, like ``corn 2, quarry``."""
    return ", ".join(
        name if number == 1 else f"{name} {number}"
        for name, number in zip(PLACES, counts, strict=True)
        if number
    )


def names(seats: Iterable[int], players: Sequence[str]) -> str:
    """Return players as a list."""
    return both([players[seat] for seat in seats])


def reasons(gains: Iterable[Gain]) -> str:
    """Return what VP or doubloons are for, like ``shipping 2, captain 1``."""
    return ", ".join(f"{reason} {number}" for reason, number in gains)


def brought(scores: Sequence[Gain], earns: Sequence[Gain]) -> str:
    """Return what a move brings in VP and in doubloons, with the reasons; nothing for nothing.

    What a building costs is left out: its price is given wherever a building is named.
    """
    vp = [gain for gain in scores if gain[0] not in PRICE]
    money = [gain for gain in earns if gain[0] not in PRICE]
    found = []
    if vp:
        found.append(say("{vp} VP ({reasons})", vp=total(vp), reasons=_why(vp)))
    if money:
        sum_of_it = doubloons(total(money))
        found.append(say("{doubloons} ({reasons})", doubloons=sum_of_it, reasons=_why(money)))
    return ", ".join(map(str, found))


PRICE = frozenset({"build", "black-market"})
"""Reasons of what is paid for a building, and of how it is paid."""


def _why(gains: Sequence[Gain]) -> str:
    """Return the reasons, a single one without its number."""
    return gains[0][0] if len(gains) == 1 else reasons(gains)


def total(gains: Iterable[Gain]) -> int:
    """Return the sum of VP or doubloons."""
    return sum(number for _, number in gains)


_WAITS_FOR = {
    DRAFT_PHASE: "Before round 1: {player} chooses a building for the game.",
    SETTLER_PHASE: "Round {round}, {chooser}'s {role} phase: {player} takes a tile or passes.",
    LIBRARY_PHASE: "Round {round}, {chooser}'s {role} phase: {player} may take a second tile.",
    MAYOR_PHASE: "Round {round}, {chooser}'s {role} phase: {player} places all colonists.",
    BUILDER_PHASE: "Round {round}, {chooser}'s {role} phase: {player} builds or passes.",
    CRAFTSMAN_PHASE: (
        "Round {round}, {chooser}'s {role} phase: {player} may move a guest and produces."
    ),
    PRIVILEGE_PHASE: "Round {round}, {chooser}'s {role} phase: {player} may take a barrel more.",
    TRADER_PHASE: "Round {round}, {chooser}'s {role} phase: {player} sells a barrel or passes.",
    CAPTAIN_PHASE: "Round {round}, {chooser}'s {role} phase: {player} loads barrels.",
    STORE_PHASE: "Round {round}, {chooser}'s {role} phase: {player} stores barrels.",
}

_ENDS = {
    COLONISTS_END: "There were too few colonists for the ship, so the game ends after this round.",
    CITY_END: "A city is full, so the game ends after this round.",
    VP_END: "The last VP of the pool is taken, so the game ends after this round.",
}


def end_triggered(reason: str) -> Sentence:
    """Return why the game ends with this round (PR-END-1 to PR-END-4)."""
    return say(_ENDS[reason])


def situation(seen: TableView) -> list[Sentence]:
    """Return in a sentence or two who decides what, and whether the end is near."""
    players = seen.config.players
    if seen.phase == OVER:
        assert seen.outcome is not None
        return [winners(seen)]
    player = players[seen.to_move[0]]
    if seen.phase == ROLE_PHASE:
        sentences = [_role(seen, player)]
    else:
        facts: dict[str, object] = {"round": seen.round, "player": player}
        if seen.role != NO_ROLE:
            facts |= {"role": ROLES[seen.role], "chooser": players[seen.chooser]}
        sentences = [say(_WAITS_FOR[seen.phase], **facts)]
    return sentences + [end_triggered(reason) for reason in seen.end_triggered[:1]]


def _role(seen: TableView, player: str) -> Sentence:
    governor = seen.config.players[seen.governor]
    facts = {"round": seen.round, "player": player, "governor": governor}
    if player == governor:
        return say("Round {round}: {player} is governor and takes a role.", **facts)
    return say("Round {round}, {governor} is governor: {player} takes a role.", **facts)


def winners(seen: TableView) -> Sentence:
    """Return who has won a finished game (PR-RANK-1), and by how much."""
    outcome = sorted(seen.outcome or (), key=lambda one: one.place)
    first = [one for one in outcome if one.place == 1]
    facts: dict[str, object] = {
        "players": names((one.seat for one in first), seen.config.players),
        "vp": first[0].total,
    }
    if len(first) > 1:
        return say("The game is over: {players} win together with {vp} VP each.", **facts)
    second = outcome[1]
    facts |= {"second": seen.config.players[second.seat], "by": first[0].total - second.total}
    if facts["by"]:
        text = "The game is over: {players} wins with {vp} VP, {by} ahead of {second}."
    else:
        text = "The game is over: {players} wins with {vp} VP, by the tie-break before {second}."
    return say(text, **facts)


_RULES_OF = {
    "small-market": ("PR-B-MARKET",),
    "large-market": ("PR-B-MARKET",),
    "construction-hut": ("PR-B-HUT",),
    "small-warehouse": ("PR-B-WAREHOUSE",),
    "large-warehouse": ("PR-B-WAREHOUSE",),
    "cloister": ("PR-B-CLOISTER", "PR-SCORE-3"),
    **dict.fromkeys(
        ("guild-hall", "residence", "fortress", "customs-house", "city-hall"),
        ("PR-B-LARGE", "PR-SCORE-3"),
    ),
}


def rules_of_building(place: int) -> tuple[str, ...]:
    """Return the ids of the rulings about what a building does."""
    if not VIOLET & BIT[place]:
        return ("PR-CRAFTSMAN-1",)
    return _RULES_OF.get(PLACES[place], (f"PR-B-{PLACES[place].upper()}",))


_GOODS = (
    "#33280a on #f2c230",
    "#ffffff on #3b4ba8",
    "#33280a on #f3efe0",
    "#20150a on #c0935a",
    "#ffffff on #5b3a29",
)
_QUARRY = "#101418 on #9aa1ab"
_FOREST = "#ffffff on #2f6b3a"
_VIOLET = "#ffffff on #6d4593"


def style_of(place: int) -> str:
    """Return the style of a tile or building; production buildings look like their good."""
    if place < len(GOODS):
        return _GOODS[place]
    if place == QUARRY:
        return _QUARRY
    if place < FOREST + len(GOODS):
        return _FOREST
    if VIOLET & BIT[place]:
        return _VIOLET
    return next(_GOODS[good] for good, made_in in enumerate(PRODUCERS) if place in made_in)
