"""The standings: who is ahead and where the VP came from; and after the end, or for their owner,
each private contract house by house.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from porto_cli.core.message import enumerated
from porto_cli.games.porto import phrases
from porto_cli.games.porto.engine.components import COLORS, HOUSES, PRIVATE
from porto_cli.games.porto.engine.events import PRIVATE_CONTRACT, SOURCES, TOLD, scored_in
from porto_cli.games.porto.engine.names import PRIVATE_NAMES
from porto_cli.games.porto.engine.scoring import LOST, SOLO_WIN, progress, scale_of, score_private
from porto_cli.games.porto.engine.state import OVER, State
from porto_cli.games.porto.hidden_information import private_of
from porto_cli.games.porto.view import given_up, result
from porto_cli.paper import BOLD, DIM, Grid, Heading, Node, Paragraph
from porto_cli.seam import SoFar

Standings = Mapping[str, Any]
Contract = Mapping[str, Any]


def standings(played: SoFar, seat: int | None = None) -> dict[str, Any]:
    """Return who is ahead and where the VP came from, as a seat, or (``None``) anyone, may see it:
    by the names of ``porto score --format json``, the first place first.

    Of a kept private contract its owner also sees, while the game goes on, how many VP it can bring
    at ``most``, and the ``ways`` to the next ones.
    """
    state, names = played.state, played.config.players
    over = state.phase == OVER
    ended: Mapping[str, Any] = result(state) if over else {}
    lost = ended.get("level") == LOST
    # Before the end nothing breaks a tie: those with the same VP share a place.
    order = ended.get("ranking") or sorted(names, key=lambda name: -_score(state, name))
    scored = _scored(played)
    players = []
    for nth, name in enumerate(order, start=1):
        of, score = names.index(name), _score(state, name)
        private = _private(state, of, seat)
        scores = scored[of]
        for contract in (private or ()) if over and not lost else ():
            scores[f"{PRIVATE_CONTRACT}:{contract['contract']}"] += contract["vp"]
        sources = dict.fromkeys(SOURCES, 0)
        for reason, vp in scores.items():
            sources[reason.partition(":")[0]] += vp
        players.append(
            {
                "name": name,
                "place": nth if over else 1 + sum(other > score for other in state.scores),
                "score": score,
                "sources": sources,
                "scores": [[reason, vp] for reason, vp in scores.items()],
                "fulfilled": state.fulfilled[of],
                "private": private,
            }
        )
    out = given_up(state)
    return {
        "over": over,
        "players": players,
        "tie_breaks": ended.get("tie_breaks", []),
        "private_counted": over and not lost,
        "level": ended.get("level"),
        **({"given_up": out} if out else {}),
    }


def _score(state: State, player: str) -> int:
    return state.scores[state.config.players.index(player)]


def _scored(played: SoFar) -> list[Counter[str]]:
    """Add up what each seat scored in the turns that were not taken back, by its reason."""
    scored: list[Counter[str]] = [Counter() for _ in played.config.players]
    for step in played.turns():
        for event in scored_in(step.events):
            scored[event.seat][event.reason] += event.vp
    return scored


def _private(state: State, seat: int, asking: int | None) -> list[dict[str, Any]] | None:
    seen = private_of(state, seat, asking)
    if seen is None:
        return None
    if not state.kept[seat]:
        return []
    contracts = [count_contract(state, contract) for contract in seen]
    if state.phase != OVER:
        for counted, contract in zip(contracts, seen, strict=True):
            most, ways = progress(state, contract)
            counted |= {"most": most, "ways": [dict(way) for way in ways]}
    return contracts


def count_contract(state: State, contract: int) -> dict[str, Any]:
    """Count a private contract as if the game ended now, and say what it lacks for more.

    ``scale``           the VP it pays for one, two … of what it asks for
    ``groups``          what counted once each: a house, a pair, a trio, a whole side
    ``missing``         started houses that would have made it count once more had they been
                        complete, each alternative by itself; of a side all houses that the better
                        side lacks
    ``missing_colors``  of a palette: the colors that its better side lacks
    """
    counted = score_private(state, contract)
    kind = PRIVATE[contract].kind
    scale = scale_of(state.config, contract)
    full = len(counted.groups) >= len(scale)
    return {
        "contract": PRIVATE_NAMES[contract],
        "vp": counted.vp,
        "scale": list(scale),
        "groups": [_names(group) for group in counted.groups],
        "missing": [] if full else _missing(state, contract, len(counted.groups)),
        "missing_colors": _missing_colors(state) if kind == "palette" and not full else [],
    }


def _names(houses: Sequence[int]) -> list[str]:
    return [HOUSES[house] for house in houses]


def _missing(state: State, contract: int, groups: int) -> list[list[str]]:
    """Find the houses whose completion would have added a group: as few of them as it takes.

    A group has three houses at most; only a side can lack more, so it is asked for all of them.
    """
    unfinished = [
        house
        for house in state.config.houses
        if state.floors[house] and not state.is_complete(house)
    ]
    if PRIVATE[contract].kind == "side":
        sides = state.config.sides
        lacking = [[house for house in side if not state.is_complete(house)] for side in sides]
        return [_names(min(lacking, key=len))]
    for size in (1, 2, 3):
        ways = [
            _names(houses)
            for houses in combinations(unfinished, size)
            if len(score_private(_completed(state, houses), contract).groups) > groups
        ]
        if ways:
            return ways
    return []


def _completed(state: State, houses: tuple[int, ...]) -> State:
    """Return the table as if these houses were complete, without any token on their roofs."""
    what_if = state.copy()
    floors, tokens = bytearray(state.floors), bytearray(state.roof_tokens)
    for house in houses:
        floors[house] = state.config.heights[house]
        tokens[house] = 0
    what_if.floors, what_if.roof_tokens = bytes(floors), bytes(tokens)
    what_if.survey()
    return what_if


def _missing_colors(state: State) -> list[str]:
    """Return the colors that no completed house has on the side that has most of them."""
    lacking = [
        [
            name
            for color, name in enumerate(COLORS)
            if not any(state.colors[house] == color and state.is_complete(house) for house in side)
        ]
        for side in state.config.sides
    ]
    return min(lacking, key=len)


# -- as rows


_INDENT = 7
_HEADS = ("", *(told.head for told in TOLD.values()), "total")


def score_rows(standings: Standings) -> Iterator[Node]:
    """Yield the standings, then the private contracts as far as they may be seen."""
    yield sources(standings)
    note = "Ground and roof are VP tokens, public and private are contracts."
    yield Paragraph([note], DIM, spoken=[])
    yield from notes(standings)
    for player in standings["players"]:
        if player["private"]:
            yield Heading(_heading(player, standings))
            for contract in player["private"]:
                yield from counted(contract)


def sources(standings: Standings) -> Grid:
    """Return where the VP of each player came from."""
    players = standings["players"]
    return Grid(
        heads=_HEADS,
        rows=[
            [
                [f"{player['place']:2}. ", (player["name"], BOLD)],
                *([str(vp)] for vp in player["sources"].values()),
                [(str(player["score"]), BOLD)],
            ]
            for player in players
        ],
        numbers=range(1, 8),
        spoken=[_standing(player) for player in players],
    )


def _standing(player: Mapping[str, Any]) -> str:
    parts = ", ".join(f"{TOLD[kind].name} {vp}" for kind, vp in player["sources"].items())
    return f"{player['place']}. {player['name']}, {player['score']} VP: {parts}."


def notes(standings: Standings) -> Iterator[Paragraph]:
    """Yield what put one of two players with the same VP first (P-RANK-1, P-RANK-2), and who was
    given up.
    """
    for tie in standings["tie_breaks"]:
        winner, more, fewer = tie["winner"], tie["winner_fulfilled"], tie["other_fulfilled"]
        by_seat = f"{winner} sits further from the first player"
        if tie["decided_by"] != "seat":
            why = f"; {winner} fulfilled more public contracts: {more} against {fewer}"
        elif more == fewer:
            why = f" and equally many public contracts; {by_seat}"
        else:
            why = f"; this game is played with the tie-break by seat, and {by_seat}"
        yield Paragraph([f"{winner} and {tie['other']} both have {tie['vp']} VP{why}."])
    for player in standings.get("given_up", ()):
        yield Paragraph([phrases.given_up(player)])


def _heading(player: Mapping[str, Any], standings: Standings) -> str:
    whose = f"Private contracts of {player['name']}"
    vp = sum(contract["vp"] for contract in player["private"])
    if standings["private_counted"]:
        return f"{whose}: {vp} VP"
    if standings["over"]:
        return f"{whose}, which do not count after a loss"
    return f"{whose}, {vp} VP as of now"


def counted(contract: Contract) -> Iterator[Paragraph]:
    """Yield a private contract: what it brings and what it pays, and below that what it counts."""
    meaning = phrases.private_contract(contract["contract"], contract["scale"])
    head = f"{contract['vp']:3} VP {contract['contract']}: "
    yield Paragraph([meaning], DIM, first=[(head, BOLD)], indent=_INDENT)
    yield Paragraph(houses_counted(contract), first=[" " * _INDENT], indent=_INDENT)


_NO_MORE = {
    "houses": ("No {one} house is started.", "No other {one} house is started."),
    "pairs": (
        "No neighboring houses are {one} and {two}.",
        "No other neighboring houses are {one} and {two}.",
    ),
    "trios": (
        "No three neighboring houses are {one}, {two} and {three}.",
        "No other three neighboring houses are {one}, {two} and {three}.",
    ),
    "mirror": ("No {one} houses of the same height stand on both sides.", ""),
    "ends": ("No end has a {one} house.", "No other end has a {one} house."),
}
"""Why nothing, or nothing more, could have counted: no started houses are of that kind."""


def houses_counted(contract: Contract) -> list[str]:
    """Return which houses a private contract counts, and what it lacks or lacked for more."""
    name, groups = contract["contract"], contract["groups"]
    houses = "; ".join(" ".join(group) for group in groups)
    sentences = [f"Counted: {houses}." if groups else "Nothing counts."]
    if "most" in contract:
        most, ways = contract["most"], contract["ways"]
        worth = phrases.worth(name, contract["vp"], contract["scale"][-1], most, ways)
        return [*sentences, worth]
    if contract["missing_colors"]:
        colors = enumerated(contract["missing_colors"])
        sentences.append(f"The better side lacks a completed house in {colors}.")
    if contract["missing"]:
        lacking = enumerated([enumerated(group) for group in contract["missing"]], "or")
        sentences.append(f"One more would have counted with {lacking} complete.")
    elif not contract["missing_colors"] and len(groups) < len(contract["scale"]):
        kind, colors_of = phrases.private_kind(name)
        sentences.append(_NO_MORE[kind][bool(groups)].format(**colors_of))
    return sentences


def how_it_ended(standings: Standings) -> str:
    """Return who has won a finished game, and by how much; alone, what was missing or to spare
    (P-SOLO-6).
    """
    first, *others = standings["players"]
    name, vp = first["name"], first["score"]
    if others:
        by = vp - others[0]["score"]
        than = f"{by} ahead of" if by else "as many as"
        return f"The game is over: {name} wins with {vp} VP, {than} {others[0]['name']}."
    by, level = abs(vp - SOLO_WIN), standings["level"].replace("-", " ").title()
    if not standings["private_counted"]:
        return f"The game is over: {name} loses with {vp} VP, {by} too few."
    if not by:
        return f"The game is over: {name} wins with exactly the {vp} VP needed: {level}."
    return f"The game is over: {name} wins with {vp} VP, {by} more than needed: {level}."
