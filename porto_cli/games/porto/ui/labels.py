"""How houses, cards and builds are shown in a list to choose from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from porto_cli.core.message import say
from porto_cli.games.porto.engine.events import PUBLIC_CONTRACT, Score
from porto_cli.games.porto.move_list import Option
from porto_cli.games.porto.table import House, Private
from porto_cli.games.porto.ui import phrases
from porto_cli.games.porto.ui.grouping import Group
from porto_cli.games.porto.ui.palette import PAINTS, TOKEN
from porto_cli.term.spans import BOLD, PLAIN, Line, Span, padded

_COLOR_COLUMN = 9
_HOUSE_COLUMN = 34
_WORTH_COLUMN = 11
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
    return f" {card} ", PAINTS[card.partition("-")[0]].chip


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


def build_on(group: Group, houses: Mapping[str, House]) -> Line:
    """Return a house that can be built on, and what the builds on it score."""
    one = group.best
    line = [*padded(house(houses[one.house or ""]), _HOUSE_COLUMN), _worth(group)]
    ways = len(group.options)
    if ways > 1:
        return [*line, (f"  {say('({ways} ways)', ways=ways)}", PLAIN)]
    return _with_sum([*line, ("  ", PLAIN), *cards(one.cards), *_roof(one)], one)


def build_with(group: Group) -> Line:
    """Return the cards of a build, the number first, and what it scores."""
    one = group.best
    line = [*padded(cards(one.cards), _CARDS_COLUMN), _worth(group)]
    return _with_sum([*line, *_roof(one)] if len(group.options) == 1 else line, one)


def roof(one: House, built_on: str) -> Line:
    """Return a house whose roof can receive a token."""
    line = house(one)
    if one.name == built_on:
        line.append((str(say(" (you build here now)")), PLAIN))
    return line


def whole_build(option: Option) -> Line:
    """Return a build in the notation, and what it scores."""
    worth = say("{vp} VP", vp=option.vp)
    return _with_sum([(f"{worth!s:>6}  {option.move.removeprefix('build ')}", PLAIN)], option)


def private(contract: Private) -> Line:
    """Return a private contract of the deal, and what it pays."""
    meaning = phrases.private_contract(contract.name, contract.scale)
    return [(f"{contract.name}: ", BOLD), (str(meaning), PLAIN)]


def abbreviations(names: Iterable[str]) -> str:
    """Return short forms of cards to search for: ``b3`` for ``blue-3``."""
    return " ".join(f"{name[0]}{name[-1]}" for name in names)


def _worth(group: Group) -> Span:
    """Return what the builds of a group score; those for a timer never score."""
    best = group.best.vp
    if not best:
        return "", PLAIN
    same = group.least == best
    worth = say("{vp} VP", vp=best) if same else say("up to {vp} VP", vp=best)
    return f"{worth!s:>{_WORTH_COLUMN}}", BOLD


def _with_sum(line: Line, option: Option) -> Line:
    """Add where the VP come from."""
    text = _sum(option)
    return [*line, (f"  {text}", PLAIN)] if text else line


def _roof(option: Option) -> list[Span]:
    return [(str(say(" token to {roof}", roof=option.token)), PLAIN)] if option.token else []


def _sum(option: Option) -> str:
    """Return where the VP of a build come from, the contracts that it could fulfill included."""
    scores = [*option.scores, *(Score(PUBLIC_CONTRACT, vp, name) for name, vp in option.contracts)]
    return ", ".join(
        str(say(_SCORES[score.kind], vp=score.vp, name=score.contract)) for score in scores
    )
