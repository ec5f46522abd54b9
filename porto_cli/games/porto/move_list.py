"""The legal moves as a list: by house and cards, the best first; and the filters of the list."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from porto_cli.core.message import both, either
from porto_cli.games.porto.engine.components import CARDS, HOUSES, PUBLIC
from porto_cli.games.porto.engine.moves import PUBLIC_CONTRACT
from porto_cli.games.porto.engine.state import State
from porto_cli.games.porto.events import reasons, scores_json
from porto_cli.games.porto.notation import parse_card, parse_house, parse_public
from porto_cli.games.porto.options import BUILD, CONTRACT, DRAW, KEEP, PASS, Option, options
from porto_cli.games.porto.ui import phrases
from porto_cli.games.porto.ui.houses import TO_BE_MET, chip
from porto_cli.term.spans import DIM, PLAIN
from porto_cli.ui_values import Choice, MoveRow

Move = Mapping[str, Any]
"""A legal move as ``porto moves --format json`` has it."""

TITLES = {
    DRAW: "Draw cards",
    CONTRACT: "Fulfill public contracts",
    KEEP: "Keep three private contracts",
    PASS: "Nothing can be drawn or built",
}


def rows(moves: Sequence[Move], houses: Mapping[str, Any]) -> Iterator[MoveRow]:
    """Yield the rows of the list: builds by houses, those with the best of them first.

    Builds that differ only in the roof that gets the token share a row. ``houses`` are those of the
    view.
    """
    by_house: dict[str, list[Move]] = {}
    for move in moves:
        if move["kind"] == BUILD:
            by_house.setdefault(move["house"], []).append(move)
    for name, builds in by_house.items():
        roofs = list(dict.fromkeys(move["token"] for move in builds if move["token"]))
        group = about_house(name, houses[name], roofs)
        for _, alike in groupby(builds, lambda move: (move["cards"], move["scores"])):
            yield _build(list(alike), group, roofs)
    for kind, group in TITLES.items():
        for move in moves:
            if move["kind"] == kind:
                parts = reasons(move["scores"]) if len(move["scores"]) > 1 else ""
                note = both(move["contracts"]) if kind == KEEP else parts
                vp = move["vp"] if kind == CONTRACT else None
                yield MoveRow([(move["move"], PLAIN)], group, vp, [(note, DIM)] if note else ())


def about_house(name: str, house: Mapping[str, Any], roofs: Sequence[str]) -> str:
    """Say what there is to know of a house to build on, and whose roofs can get its token."""
    if house["color"]:
        floors, height = house["floors"], house["height"]
        return f"Build on {name}: {house['color']}, {floors} of {height} floors."
    about = f"Build on {name}: empty, {house['height']} floors."
    if not roofs:
        return about
    token = f"Its token of {house['ground_token']} VP moves to the roof of {either(roofs)}."
    return f"{about} {token}"


def _build(alike: Sequence[Move], group: str, roofs: Sequence[str]) -> MoveRow:
    """Return a build; the roofs only where they make a difference."""
    build, taken = alike[0], [move["token"] for move in alike if move["token"]]
    words = build["move"].partition(" token ")[0].split()
    token = f" token {'/'.join(taken)}" if len(taken) < len(roofs) and taken else ""
    move = [(f"{words[0]} ", PLAIN), chip(words[1]), (" ", PLAIN), chip(words[2])]
    met = [score for score in build["scores"] if score[0].startswith(f"{PUBLIC_CONTRACT}:")]
    own = [score for score in build["scores"] if score not in met]
    note = [
        (f"{what_is_built(build)}:" if own else what_is_built(build), PLAIN),
        (reasons(own) + ("," if met else ""), DIM),
        (reasons(met), TO_BE_MET),
    ]
    return MoveRow([*move, (f" {words[3]}{token}", PLAIN)], group, build["vp"], note)


def what_is_built(build: Move) -> str:
    """Return what a build adds to its house."""
    floors = phrases.floors(int(build["number_card"][-1]), build["color_card"].partition("-")[0])
    return f"{floors} and the roof" if build["completes"] else floors


def fits(
    house: str | None = None, contract: str | None = None, cards: Sequence[str] = ()
) -> Callable[[Move], bool]:
    """Return what says whether a move is on a house, can fulfill a public contract, and takes or
    plays some cards. Raises InvalidMoveError.
    """
    on = None if house is None else HOUSES[parse_house(house)]
    wanted = None if contract is None else PUBLIC[parse_public(contract)].name
    words = [word for text in cards for word in text.replace(",", " ").split()]
    needed = Counter(CARDS[parse_card(word)] for word in words)

    def fits_all(move: Move) -> bool:
        return (
            on in (None, move["house"])
            and (wanted is None or wanted in move["contracts"])
            and all(move["cards"].count(card) >= count for card, count in needed.items())
        )

    return fits_all


def choices(state: State, seat: int, *, private: bool) -> list[Choice]:
    """Return all legal moves of a seat, see :meth:`porto_cli.ui.Ui.choices`."""
    return [
        Choice(option.move, _brings(option))
        for option in options(state, seat)
        if private or option.kind != KEEP
    ]


def _brings(option: Option) -> str:
    """Return what a move scores or keeps, and what a build lets its player fulfill."""
    if not option.scores:
        return both(option.private)
    scores = scores_json(option.scores)
    brings = f"{sum(vp for _, vp in scores)} VP: {reasons(scores)}"
    if option.kind != BUILD or not option.contracts:
        return brings
    return f"{brings}; meets {both([f'{name} for {vp} VP' for name, vp in option.contracts])}"
