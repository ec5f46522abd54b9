"""The legal moves for people: by house and cards, the best first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from porto_cli.core.message import Sentence, both, either, say
from porto_cli.games.porto.engine.components import CARDS, HOUSES, PUBLIC
from porto_cli.games.porto.engine.moves import PUBLIC_CONTRACT, Score
from porto_cli.games.porto.engine.state import State
from porto_cli.games.porto.notation import parse_card, parse_house, parse_public
from porto_cli.games.porto.observation import House, Table
from porto_cli.games.porto.options import BUILD, CONTRACT, DRAW, KEEP, PASS, Option, options
from porto_cli.games.porto.ui import phrases
from porto_cli.games.porto.ui.houses import PAINTS, TO_BE_MET
from porto_cli.match.replay import Replay
from porto_cli.term.spans import BOLD, DIM, PLAIN, Line, Span, flow, width_of, wrapped
from porto_cli.ui_values import Choice, MoveList

_INDENT = 8
_CARDS = 18
"""Columns of the two cards of a build."""


def moves_text(options: Sequence[Option], table: Table, width: int) -> list[Line]:
    """Return the legal moves as lines, grouped and sorted by what they would score."""
    lines: list[Line] = []
    builds = [option for option in options if option.kind == BUILD]
    if builds:
        lines += _builds(builds, table, width)
    draws = [[(option.move, PLAIN)] for option in options if option.kind == DRAW]
    if draws:
        lines += [_heading(say("Draw cards")), *_list(draws, width)]
    claims = [option for option in options if option.kind == CONTRACT]
    if claims:
        lines.append(_heading(say("Fulfill public contracts")))
        for option in claims:
            parts = " + ".join(str(score.vp) for score in option.scores)
            details = [(f"({parts})", DIM)] if len(option.scores) > 1 else []
            lines += _row(option.vp, [(f"{option.move} ", PLAIN)], details, width, _INDENT)
    keeps = [option for option in options if option.kind == KEEP]
    if keeps:
        lines += _keeps(keeps, width)
    if any(option.kind == PASS for option in options):
        lines += [_heading(say("Nothing can be drawn or built")), *_list([[(PASS, PLAIN)]], width)]
    return lines


def _heading(heading: Sentence) -> Line:
    return [(str(heading), BOLD)]


def _list(chunks: Iterable[Line], width: int) -> list[Line]:
    return flow(chunks, width, first=[], indent=_INDENT, gap=3)


def _row(vp: int, head: Line, details: list[Span], width: int, indent: int) -> list[Line]:
    """One move: its VP, itself, and below each other as they fit what there is to say of it."""
    chunks: list[Line] = [[(word, style)] for text, style in details for word in text.split()]
    return flow(chunks, width, first=[(f"{vp:3} VP  ", BOLD), *head], indent=indent)


def _builds(builds: list[Option], table: Table, width: int) -> list[Line]:
    """Houses by the best that can be scored there, then cards; tokens share a line."""
    by_house: dict[str, list[Option]] = {}
    for option in builds:
        by_house.setdefault(option.house or "", []).append(option)
    houses = {house.name: house for house in table.houses}
    lines: list[Line] = []
    for name, here in by_house.items():
        roofs = list(dict.fromkeys(option.token for option in here if option.token))
        heading = " ".join(map(str, about_house(houses[name], roofs)))
        lines += wrapped(heading, width, style=BOLD, indent=0)
        for _, alike in groupby(here, lambda option: (option.cards, option.scores)):
            lines += _build(list(alike), roofs, width)
    return lines


def about_house(house: House, roofs: list[str]) -> list[Sentence]:
    """Say what there is to know of a house that can be built on."""
    facts: dict[str, object] = {
        "house": house.name,
        "color": house.color,
        "floors": house.floors,
        "height": house.height,
        "vp": house.ground_token,
        "roofs": either(roofs),
    }
    if house.color:
        return [say("Build on {house}: {color}, {floors} of {height} floors.", **facts)]
    about = [say("Build on {house}: empty, {height} floors.", **facts)]
    if roofs:
        about.append(say("Its token of {vp} VP moves to the roof of {roofs}.", **facts))
    return about


def _build(alike: list[Option], roofs: list[str], width: int) -> list[Line]:
    """A build; the roofs only where they make a difference."""
    one = alike[0]
    taken = [option.token for option in alike if option.token]
    what = what_is_built(one, taken if len(taken) < len(roofs) else [])
    details: list[Span] = [
        (f"{what}:" if one.scores else what, PLAIN),
        (phrases.reasons(one.scores) + ("," if one.contracts else ""), DIM),
        (
            phrases.reasons(Score(PUBLIC_CONTRACT, vp, name) for name, vp in one.contracts),
            TO_BE_MET,
        ),
    ]
    number, color = one.cards
    head: Line = [_card(number), (" ", PLAIN), _card(color)]
    head.append((" " * (_CARDS - width_of(head)), PLAIN))
    return _row(one.vp, head, details, width, _INDENT + _CARDS)


def what_is_built(build: Option, tokens: Sequence[str]) -> str:
    """Return what a build adds to its house, and the roofs that can get a token."""
    number, color = build.cards
    what = [str(phrases.floors(int(number[-1]), color.partition("-")[0]))]
    if build.completes:
        what.append(str(say("and the roof")))
    if tokens:
        what.append(str(say("(token {roofs})", roofs=" ".join(tokens))))
    return " ".join(what)


def _card(card: str) -> Span:
    return card, PAINTS[card.partition("-")[0]].chip


def _keeps(keeps: list[Option], width: int) -> list[Line]:
    lines = [_heading(say("Keep three private contracts"))]
    if not any(option.private for option in keeps):
        return lines + _list(([(option.move, PLAIN)] for option in keeps), width)
    for option in keeps:
        lines += flow(
            [[(name, DIM)] for name in option.private],
            width,
            first=[(f"{option.move} ", PLAIN)],
            indent=_INDENT,
            gap=2,
        )
    return lines


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
    vp = sum(score.vp for score in option.scores)
    facts: dict[str, object] = {"vp": vp, "reasons": phrases.reasons(option.scores)}
    if option.kind != BUILD or not option.contracts:
        return str(say("{vp} VP: {reasons}", **facts))
    worth = both(
        [str(say("{name} for {vp} VP", name=name, vp=vp)) for name, vp in option.contracts]
    )
    return str(say("{vp} VP: {reasons}; meets {contracts}", **facts, contracts=worth))


def filtered(
    replay: Replay,
    seat: int | None,
    house: str | None = None,
    contract: str | None = None,
    cards: Sequence[str] = (),
) -> MoveList:
    """Return the moves with a house, a public contract that they could fulfill, and cards.

    Raises InvalidMoveError.
    """
    found = options(replay.state, seat)
    if house is not None:
        name = HOUSES[parse_house(house)]
        found = [option for option in found if option.house == name]
    if contract is not None:
        wanted = PUBLIC[parse_public(contract)].name
        found = [option for option in found if wanted in dict(option.contracts)]
    words = [word for text in cards for word in text.replace(",", " ").split()]
    for card in {parse_card(word) for word in words}:
        count = sum(parse_card(word) == card for word in words)
        found = [option for option in found if option.cards.count(CARDS[card]) >= count]

    def text(width: int) -> list[Line]:
        from porto_cli.games.porto.observation import table

        return moves_text(found, table(replay, seat), width)

    def json() -> dict[str, object]:
        from porto_cli.games.porto.ui.json import moves_json

        return moves_json(found)

    return MoveList(len(found), found[0].move if found else None, text, json)
