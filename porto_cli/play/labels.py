"""How houses, cards and builds are shown in a list to choose from: one line each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from porto_cli.play.narrowing import Group
from porto_cli.render.spans import BOLD, PLAIN, Line, Span, padded, width_of
from porto_cli.rules.sentence import say
from porto_cli.view.options import Option
from porto_cli.view.table import House

TOKEN = "token"
_COLOR_COLUMN = 9
_HOUSE_COLUMN = 34
_WORTH_COLUMN = 11
_CARDS_COLUMN = 22
_SCORES = {
    "floors": "{vp} floors",
    "neighbors": "{vp} neighbors",
    "ground-token": "{vp} token",
    "roof-token": "{vp} roof token",
    "contract": "{vp} for {name}",
}
"""Short forms of the reasons of a score, so that a sum of them fits behind a move."""


def chip(card: str) -> Span:
    """Return a card, a space or a color on its color."""
    return f" {card} ", f"card:{card.partition('-')[0]}"


def cards(words: Iterable[str]) -> Line:
    """Return cards side by side."""
    line: Line = []
    for word in words:
        line += [(" ", PLAIN), chip(word)] if line else [chip(word)]
    return line


def house(one: House) -> Line:
    """Return a house as it stands."""
    line: Line = [(f"{one.name} ", BOLD)]
    if one.color:
        line += padded([chip(one.color)], _COLOR_COLUMN)
        state = say("{floors} of {height} floors", floors=one.floors, height=one.height)
    else:
        line += padded([(str(say(" empty")), PLAIN)], _COLOR_COLUMN)
        state = say("{height} floors", height=one.height)
    line.append((str(state), PLAIN))
    if one.ground_token:
        line.append((str(say(", token {vp}", vp=one.ground_token)), TOKEN))
    return line


def build_on(group: Group, houses: Mapping[str, House], width: int) -> Line:
    """Return a house that can be built on, and what the builds on it score."""
    one = group.best
    line = padded(house(houses[one.house or ""]), _HOUSE_COLUMN)
    return _with_worth(line, group, one, width, rest=(*cards(one.cards), *_roof(one)))


def build_with(group: Group, width: int) -> Line:
    """Return the cards of a build, the number first, and what it scores."""
    one = group.best
    line = padded(cards(one.cards), _CARDS_COLUMN)
    return _with_worth(line, group, one, width, rest=_roof(one))


def roof(one: House, built_on: str) -> Line:
    """Return a house whose roof can receive a token."""
    line = house(one)
    if one.name == built_on:
        line.append((str(say(" (you build here now)")), PLAIN))
    return line


def whole_build(option: Option, width: int) -> Line:
    """Return a build in the notation, and what it scores."""
    worth = say("{vp} VP", vp=option.vp)
    line: Line = [(f"{worth!s:>6}  {option.move.removeprefix('build ')}", PLAIN)]
    return _if_it_fits(line, _sum(option), width)


def _with_worth(line: Line, group: Group, one: Option, width: int, rest: Iterable[Span]) -> Line:
    """Add what the builds of a group score; of a single build also how, and the rest of it."""
    ways = len(group.options)
    best = one.vp
    if not best and not group.least:
        worth = say("{ways} ways", ways=ways) if ways > 1 else None
    elif group.least == best:
        worth = say("{vp} VP", vp=best)
    else:
        worth = say("up to {vp} VP", vp=best)
    line = [*line, (f"{worth!s:>{_WORTH_COLUMN}}" if worth else "", BOLD)]
    if ways > 1:
        return _if_it_fits(line, str(say("({ways} ways)", ways=ways)) if best else "", width)
    more = list(rest)
    if more and width_of(line) + 2 + width_of(more) <= width:
        line = [*line, ("  ", PLAIN), *more]
    return _if_it_fits(line, _sum(one), width)


def _if_it_fits(line: Line, text: str, width: int) -> Line:
    longer = [*line, (f"  {text}", PLAIN)]
    return longer if text and width_of(longer) <= width else line


def _roof(option: Option) -> list[Span]:
    return [(str(say(" token to {roof}", roof=option.token)), PLAIN)] if option.token else []


def _sum(option: Option) -> str:
    """Return where the VP of a build come from, the contracts that it could fulfill included."""
    scores = [*option.scores, *((f"contract:{name}", vp) for name, vp in option.contracts)]
    parts = []
    for reason, vp in scores:
        kind, _, name = reason.partition(":")
        parts.append(str(say(_SCORES[kind], vp=vp, name=name)))
    return f"= {' + '.join(parts)}" if parts else ""
