"""How houses, cards and builds are shown in a list to choose from: one line each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from porto_cli.play.narrowing import Group
from porto_cli.render import words
from porto_cli.render.spans import BOLD, PLAIN, Line, Span, padded, plain, width_of, wrapped
from porto_cli.rules.sentence import say
from porto_cli.view.options import Option
from porto_cli.view.table import House, Private

TOKEN = "token"
_COLOR_COLUMN = 9
_HOUSE_COLUMN = 34
_WORTH_COLUMN = 11
_INDENT = 9
_CARDS_COLUMN = 22
_SCORES = {
    "floors": "floors {vp}",
    "neighbors": "neighbors {vp}",
    "ground-token": "token {vp}",
    "roof-token": "roof token {vp}",
    "contract": "{name} {vp}",
}
"""Short forms of the reasons of a score, so that all of them fit behind a move."""


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
    line = [*padded(house(houses[one.house or ""]), _HOUSE_COLUMN), _worth(group)]
    ways = len(group.options)
    if ways > 1:
        return _with(line, str(say("({ways} ways)", ways=ways)), width)
    return _with_sum([*line, ("  ", PLAIN), *cards(one.cards), *_roof(one)], one, width)


def build_with(group: Group, width: int) -> Line:
    """Return the cards of a build, the number first, and what it scores."""
    one = group.best
    line = [*padded(cards(one.cards), _CARDS_COLUMN), _worth(group)]
    return _with_sum([*line, *_roof(one)] if len(group.options) == 1 else line, one, width)


def roof(one: House, built_on: str) -> Line:
    """Return a house whose roof can receive a token."""
    line = house(one)
    if one.name == built_on:
        line.append((str(say(" (you build here now)")), PLAIN))
    return line


def whole_build(option: Option, width: int) -> Line:
    """Return a build in the notation, and what it scores. It is searched, so it is one line."""
    worth = say("{vp} VP", vp=option.vp)
    line: Line = [(f"{worth!s:>6}  {option.move.removeprefix('build ')}", PLAIN)]
    return _with(line, _sum(option), width)


def private(contract: Private, width: int) -> Line:
    """Return a private contract of the deal, and what it pays, on as many lines as that takes."""
    meaning = words.private_contract(contract.name, contract.scale)
    name: Line = [(f"{contract.name}: ", BOLD)]
    lines = wrapped(str(meaning), width, first=name, indent=_INDENT)
    label = name
    for nth, line in enumerate(lines):
        text = plain(line) if nth else plain(line)[width_of(name) :]
        label = [*label, (f"\n{text}" if nth else text, PLAIN)]
    return label


def _worth(group: Group) -> Span:
    """Return what the builds of a group score; those for a timer never score."""
    best = group.best.vp
    if not best:
        return "", PLAIN
    same = group.least == best
    worth = say("{vp} VP", vp=best) if same else say("up to {vp} VP", vp=best)
    return f"{worth!s:>{_WORTH_COLUMN}}", BOLD


def _with(line: Line, text: str, width: int) -> Line:
    """Add a text if there is room for it."""
    longer = [*line, (f"  {text}", PLAIN)]
    return longer if text and width_of(longer) <= width else line


def _with_sum(line: Line, option: Option, width: int) -> Line:
    """Add where the VP come from, below the line if there is no room behind it."""
    text = _sum(option)
    longer = _with(line, text, width)
    return [*line, (f"\n{' ' * _INDENT}{text}", PLAIN)] if text and longer == line else longer


def _roof(option: Option) -> list[Span]:
    return [(str(say(" token to {roof}", roof=option.token)), PLAIN)] if option.token else []


def _sum(option: Option) -> str:
    """Return where the VP of a build come from, the contracts that it could fulfill included."""
    scores = [*option.scores, *((f"contract:{name}", vp) for name, vp in option.contracts)]
    parts = []
    for reason, vp in scores:
        kind, _, name = reason.partition(":")
        parts.append(str(say(_SCORES[kind], vp=vp, name=name)))
    return ", ".join(parts)
