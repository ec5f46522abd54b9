"""What a player is asked in a turn at the keyboard, and what came up on a real table.

Builds are chosen step by step: by house or by cards, then by the rest. Each step groups what is
left by one of these; the groups keep the order of the options, so what scores best comes first. The
functions that ask for a move return it in the notation. All of them raise CancelledError when the
player backs out of the first question, and KeyboardInterrupt.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from porto_cli.core.chance import TypedChance
from porto_cli.games.porto.engine.components import CARDS, KEPT, PRIVATE
from porto_cli.games.porto.engine.explain import check
from porto_cli.games.porto.engine.legal_moves import legal_moves, may_keep
from porto_cli.games.porto.engine.moves import KEEPS, PUBLIC_CONTRACT, Score
from porto_cli.games.porto.engine.state import ACT, CONTRACTS, KEEP, SHOWN, TIMER, State
from porto_cli.games.porto.notation import PRIVATE_NAMES, PUBLIC_NAMES, format_move
from porto_cli.games.porto.options import BUILD, DRAW, Option, options
from porto_cli.games.porto.ui import phrases
from porto_cli.games.porto.ui.houses import PAINTS, TOKEN, House
from porto_cli.games.porto.view import view
from porto_cli.match.match import Match
from porto_cli.match.replay import IllegalMoveError
from porto_cli.term.prompt import Asker, CancelledError, Choice
from porto_cli.term.spans import BOLD, PLAIN, Line, Span, padded
from porto_cli.ui_values import Entry, Offer

Key = Callable[[Option], Hashable]


def by_house(option: Option) -> Hashable:
    """Distinguish builds by their house."""
    return option.house


def by_cards(option: Option) -> Hashable:
    """Distinguish builds by their cards: the number first, then the color."""
    return option.cards


def by_token(option: Option) -> Hashable:
    """Distinguish builds by the roof that gets the token."""
    return option.token


class Group(NamedTuple):
    """Options that have something in common; there is at least one."""

    options: tuple[Option, ...]

    @property
    def best(self) -> Option:
        """The one that scores most."""
        return max(self.options, key=lambda option: option.vp)

    @property
    def least(self) -> int:
        """What the one that scores least would score."""
        return min(option.vp for option in self.options)


def groups(options: Iterable[Option], key: Key) -> list[Group]:
    """Return the options in groups with equal keys, in the order in which the keys appear."""
    found: dict[Hashable, list[Option]] = {}
    for option in options:
        found.setdefault(key(option), []).append(option)
    return [Group(tuple(members)) for members in found.values()]


def fitting(
    options: Iterable[Option],
    *,
    number: str | None = None,
    color: str | None = None,
    house: str | None = None,
    token: str | None = None,
) -> list[Option]:
    """Return the builds that have these parts, as far as they are said."""
    return [
        option
        for option in options
        if number in (None, option.cards[0])
        and color in (None, option.cards[1])
        and house in (None, option.house)
        and token in (None, option.token)
    ]


def open_steps(options: Sequence[Option], steps: Iterable[Key]) -> list[Key]:
    """Return those of the steps that still distinguish the options."""
    return [key for key in steps if len({key(option) for option in options}) > 1]


_COLOR_COLUMN = 9
_HOUSE_COLUMN = 34
_WORTH_COLUMN = 11
_CARDS_COLUMN = 22
_TOKENS = {"ground-token": "token", "roof-token": "roof token"}
"""Short forms of reasons of a score, so that all of them fit behind a move."""


def chip(card: str) -> Span:
    """Return a card, a space or a color on its color."""
    return f" {card} ", PAINTS[card.partition("-")[0]].chip


def card_chips(words: Iterable[str]) -> Line:
    """Return cards side by side."""
    line: Line = []
    for word in words:
        line += [(" ", PLAIN), chip(word)] if line else [chip(word)]
    return line


def house_label(name: str, house: House) -> Line:
    """Return a house as it is now."""
    line: Line = [(f"{name} ", BOLD)]
    if house["color"]:
        line += padded([chip(house["color"])], _COLOR_COLUMN)
        state = f"{house['floors']} of {house['height']} floors"
    else:
        line += padded([(" empty", PLAIN)], _COLOR_COLUMN)
        state = f"{house['height']} floors"
    line.append((state, PLAIN))
    if house["ground_token"]:
        line.append((f", token {house['ground_token']}", TOKEN))
    return line


def build_on(group: Group, houses: Mapping[str, House]) -> Line:
    """Return a house that can be built on, and what the builds on it score."""
    one, name = group.best, group.best.house or ""
    line = [*padded(house_label(name, houses[name]), _HOUSE_COLUMN), _worth(group)]
    ways = len(group.options)
    if ways > 1:
        return [*line, (f"  ({ways} ways)", PLAIN)]
    return _with_sum([*line, ("  ", PLAIN), *card_chips(one.cards), *_roof(one)], one)


def build_with(group: Group) -> Line:
    """Return the cards of a build, the number first, and what it scores."""
    one = group.best
    line = [*padded(card_chips(one.cards), _CARDS_COLUMN), _worth(group)]
    return _with_sum([*line, *_roof(one)] if len(group.options) == 1 else line, one)


def roof_label(name: str, house: House, built_on: str) -> Line:
    """Return a house whose roof can receive a token."""
    line = house_label(name, house)
    if name == built_on:
        line.append((" (you build here now)", PLAIN))
    return line


def whole_build(option: Option) -> Line:
    """Return a build in the notation, and what it scores."""
    worth = f"{option.vp} VP"
    return _with_sum([(f"{worth:>6}  {option.move.removeprefix('build ')}", PLAIN)], option)


def private_label(contract: str, scale: Sequence[int]) -> Line:
    """Return a private contract, and what it pays."""
    return [(f"{contract}: ", BOLD), (phrases.private_contract(contract, scale), PLAIN)]


def short_forms(names: Iterable[str]) -> str:
    """Return short forms of cards to search for: ``b3`` for ``blue-3``."""
    return " ".join(f"{name[0]}{name[-1]}" for name in names)


def _worth(group: Group) -> Span:
    """Return what the builds of a group score; those for a timer never score."""
    best = group.best.vp
    if not best:
        return "", PLAIN
    same = group.least == best
    worth = f"{best} VP" if same else f"up to {best} VP"
    return f"{worth:>{_WORTH_COLUMN}}", BOLD


def _with_sum(line: Line, option: Option) -> Line:
    """Add where the VP come from."""
    text = _sum(option)
    return [*line, (f"  {text}", PLAIN)] if text else line


def _roof(option: Option) -> list[Span]:
    return [(f" token to {option.token}", PLAIN)] if option.token else []


def _sum(option: Option) -> str:
    """Return where the VP of a build come from, the contracts that it could fulfill included."""
    scores = [*option.scores, *(Score(PUBLIC_CONTRACT, vp, name) for name, vp in option.contracts)]
    return ", ".join(
        f"{score.contract or _TOKENS.get(score.kind, score.kind)} {score.vp}" for score in scores
    )


DRAW_RULES = ("P-DRAW-1", "P-DRAW-2", "P-DRAW-4")
BUILD_RULES = ("P-BUILD-1", "P-BUILD-2", "P-BUILD-3", "P-BUILD-4", "P-BUILD-5")
SCORE_RULES = ("P-SCORE-1", "P-SCORE-2", "P-PUBLIC-1")
TOKEN_RULES = ("P-TOKEN-1", "P-TOKEN-2", "P-ROOF-1")
PUBLIC_RULES = ("P-PUBLIC-1", "P-PUBLIC-2", "P-PUBLIC-3")
TIMER_RULES = ("P-SOLO-2", "P-SOLO-3", "P-SOLO-4")
KEEP_RULES = ("P-SETUP-5", "P-PRIV-0")

_CARDS_FIRST, _ALL = "cards-first", "all"


def draw(asker: Asker, options: Sequence[Option]) -> str:
    """Ask which face-up cards to take, of these draws."""
    most_first = sorted(options, key=lambda option: -len(option.cards))
    choices = [Choice(_draw(option), option.move) for option in most_first]
    return asker.choose("Which cards will you take?", choices, rules=DRAW_RULES)


def _draw(option: Option) -> Line:
    # The words of the move, not the names of the cards: they tell equal cards apart.
    return card_chips(option.move.split()[1:])


def build(
    asker: Asker, state: State, options: Sequence[Option], *, claim: bool = True
) -> list[str]:
    """Ask for one of these builds, and (``claim``) the public contracts that it could fulfill.

    Returns the build and, if there was something to fulfill, the move that says so.
    """
    asked = _Build(asker, state, claim)
    steps = open_steps(options, (by_house, by_cards))
    if len(steps) < 2:
        return asked.walk(options, [*steps, by_token])
    return asked.first(options)


def contracts(asker: Asker, met: Sequence[tuple[str, int]]) -> str:
    """Ask which of the public contracts that a build meets are fulfilled."""
    subsets = [chosen for size in range(len(met), -1, -1) for chosen in combinations(met, size)]
    subsets.sort(key=lambda chosen: -sum(vp for _, vp in chosen))
    choices = [
        Choice(_claim(chosen), " ".join(["contract", *([name for name, _ in chosen] or ["none"])]))
        for chosen in subsets
    ]
    return asker.choose("Which public contracts will you fulfill?", choices, rules=PUBLIC_RULES)


def _claim(chosen: Sequence[tuple[str, int]]) -> Line:
    if not chosen:
        return [("none of them", PLAIN)]
    total = f"{sum(vp for _, vp in chosen)} VP"
    return [(", ".join(name for name, _ in chosen), BOLD), (f"  {total}", PLAIN)]


def keep(asker: Asker, state: State, seat: int) -> str:
    """Ask a player which three of the five private contracts to keep (P-SETUP-5).

    Where the deal is not known, at a real table, they are asked for by name. At the end of a sealed
    game there is nothing to choose for who knows what was kept. Raises IllegalMoveError where the
    deal is sealed.
    """
    if not state.dealt or state.is_revealing:
        known = legal_moves(state, seat)
        return format_move(known[0], state) if known else _reveal(asker, state, seat)
    faults = check(state, KEEPS[0], seat) if state.seals else []
    if faults:
        raise IllegalMoveError(faults)
    player = view(state, seat)["players"][seat]
    choices = [
        Choice(private_label(one["contract"], one["scale"]), number)
        for number, one in enumerate(player["private_contracts"], start=1)
    ]
    rules = (*KEEP_RULES, *dict.fromkeys(map(_rule_of, player["private"])))
    kept = asker.choose_several(
        f"{player['name']}, mark the {KEPT} that you keep.",
        choices,
        KEPT,
        rules=rules,
    )
    return " ".join(["keep", *map(str, kept)])


def _rule_of(contract: str) -> str:
    return f"P-PRIV-{contract.partition('-')[0].upper()}"


def _reveal(asker: Asker, state: State, seat: int) -> str:
    """P-END-2: at a real table the kept contracts are named when the game is over."""
    revealed: list[str] = []
    while len(revealed) < KEPT:
        question = (
            f"{state.config.players[seat]}, reveal private contract {len(revealed) + 1} of {KEPT}:"
        )
        left = [PRIVATE_NAMES[contract] for contract in state.config.private_deck()]
        for name in (*revealed, *(PRIVATE_NAMES[each] for each in _shown(state))):
            left.remove(name)
        choices = [Choice(_revealed(state, name), name) for name in dict.fromkeys(left)]
        try:
            revealed.append(asker.choose(question, choices, rules=("P-END-2",), search=True))
        except CancelledError:
            if not revealed:
                raise
            revealed.pop()
    return " ".join(["keep", *revealed])


def _shown(state: State) -> bytes:
    """Return the private contracts that were revealed already."""
    if not state.seals:
        return b"".join(state.kept)
    return b"".join(
        kept for kept, seal in zip(state.kept, state.seals, strict=True) if seal == SHOWN
    )


def _revealed(state: State, name: str) -> Line:
    contract = PRIVATE_NAMES.index(name)
    scale = state.config.edition.private[PRIVATE[contract].kind]
    return private_label(name, scale)


class _Build:
    """The questions of one build, by a player or for the solo timer."""

    def __init__(self, asker: Asker, state: State, claim: bool) -> None:
        self.asker = asker
        self.claim = claim
        self.timer = state.phase == TIMER
        self.rules = TIMER_RULES if self.timer else ()
        self.houses: dict[str, House] = view(state, None)["houses"]

    def first(self, options: Sequence[Option]) -> list[str]:
        """Ask for the house, or for another way to begin."""
        choices: list[Choice[Group | str]] = [
            Choice(self._house(group), group) for group in groups(options, by_house)
        ]
        choices.append(Choice([("Choose two cards first", PLAIN)], _CARDS_FIRST))
        choices.append(Choice([(f"Search in all {len(options)} builds", PLAIN)], _ALL))
        while True:
            chosen = self.asker.choose(self._where(), choices, rules=(*self.rules, *BUILD_RULES))
            try:
                if chosen == _CARDS_FIRST:
                    return self.walk(options, [by_cards, by_house, by_token])
                if chosen == _ALL:
                    return self._any(options)
                assert isinstance(chosen, Group)
                return self.walk(chosen.options, [by_cards, by_token])
            except CancelledError:
                continue

    def walk(self, options: Sequence[Option], steps: Sequence[Key]) -> list[str]:
        """Ask step by step, leaving out the steps that have only one answer."""
        left = open_steps(options, steps)
        if not left:
            return self._end(options[0])
        step, *later = left
        question, label, rules = self._step(step, options[0])
        choices = [Choice(label(group), group) for group in groups(options, step)]
        while True:
            group = self.asker.choose(question, choices, rules=(*self.rules, *rules))
            try:
                return self.walk(group.options, later)
            except CancelledError:
                continue

    def _step(self, step: Key, one: Option) -> tuple[str, Callable[[Group], Line], tuple[str, ...]]:
        if step is by_house:
            return self._where(), self._house, BUILD_RULES
        if step is by_cards:
            return self._with_which(), self._cards, (*BUILD_RULES[:1], *SCORE_RULES)
        return self._to_which_roof(one), self._roof, TOKEN_RULES

    def _any(self, options: Sequence[Option]) -> list[str]:
        choices = [
            Choice(whole_build(option), option, short_forms(option.cards)) for option in options
        ]
        while True:
            option = self.asker.choose(
                "Which build? Like: red-3 blue-1 L4",
                choices,
                rules=(*BUILD_RULES, *SCORE_RULES),
                search=True,
            )
            try:
                return self._end(option)
            except CancelledError:
                continue

    def _end(self, option: Option) -> list[str]:
        if not option.contracts or not self.claim:
            return [option.move]
        return [option.move, contracts(self.asker, option.contracts)]

    def _where(self) -> str:
        return "Where will the timer build?" if self.timer else "Where will you build?"

    def _with_which(self) -> str:
        return "Which cards? First how many floors, then their color."

    def _to_which_roof(self, one: Option) -> str:
        token = self.houses[one.house or ""]["ground_token"]
        return f"Which roof will get the token of {token} VP from {one.house}?"

    def _house(self, group: Group) -> Line:
        return build_on(group, self.houses)

    def _cards(self, group: Group) -> Line:
        return build_with(group)

    def _roof(self, group: Group) -> Line:
        one = group.best
        name = one.token or ""
        return roof_label(name, self.houses[name], one.house or "")


TURN_RULES = (
    *DRAW_RULES,
    *BUILD_RULES,
    *SCORE_RULES,
    "P-PASS-1",
)


def offer(match: Match, seat: int, asker: Asker) -> Offer:
    """Return the question of a turn, and the moves that it offers."""
    state = match.state
    player = match.players[seat]
    if state.phase == KEEP:
        question = (
            f"{player}, first keep three private contracts."
            if not state.is_revealing
            else f"{player}, reveal your three private contracts."
        )
        return Offer(question, [_keep(state, seat, asker)], KEEP_RULES, at_once=True)
    found = options(state, seat)
    if state.phase == CONTRACTS:
        met = max((option.contracts for option in found), key=len)
        claim = Entry("Choose public contracts", lambda: [contracts(asker, met)])
        return Offer(
            f"{player}, which contracts will your build fulfill?",
            [claim],
            PUBLIC_RULES,
            at_once=True,
        )
    only = _only(found)
    if state.phase == TIMER:
        return Offer(
            f"{player}, what will you build for the timer?",
            only or [_build(state, found, asker)],
            TIMER_RULES,
            at_once=not only,
        )
    question = f"{player}, what will you do?"
    return Offer(question, only or _act(state, found, asker), TURN_RULES)


def meanwhile(match: Match, seat: int, asker: Asker) -> list[Entry]:
    """Offer to keep private contracts before it is one's turn."""
    state = match.state
    may = state.dealt and not state.is_revealing and may_keep(state, seat)
    return [_keep(state, seat, asker)] if may else []


def _only(found: list[Option]) -> list[Entry]:
    """Offer the only legal move, if there is only one."""
    if len(found) != 1 or found[0].contracts:
        return []
    move = found[0].move
    return [Entry(f"{move} (nothing else is possible)", lambda: [move])]


def _act(state: State, found: list[Option], asker: Asker) -> list[Entry]:
    builds = [option for option in found if option.kind == BUILD]
    draws = [option for option in found if option.kind == DRAW]
    entries = [_build(state, builds, asker)] if builds else []
    if draws:
        label = "Draw construction cards"
        entries.append(Entry(label, lambda: [draw(asker, draws)]))
    return entries


def _build(state: State, builds: list[Option], asker: Asker) -> Entry:
    best = max(option.vp for option in builds)
    label = f"Build, for up to {best} VP" if state.phase == ACT else "Build"
    return Entry(label, lambda: build(asker, state, builds))


def _keep(state: State, seat: int, asker: Asker) -> Entry:
    label = (
        "Choose three private contracts"
        if not state.is_revealing
        else "Reveal three private contracts"
    )
    return Entry(label, lambda: [keep(asker, state, seat)])


_QUESTIONS = {
    "cards": "Which card came up? Lowest empty space first, card {number}.",
    "contracts": "Which public contract came up? Lowest empty space first, contract {number}.",
    "timer": "Which timer card was turned up? Card {number} of 2.",
}


class AskedChance(TypedChance):
    """Asks for what was not typed. Raises what an Asker raises, NotInPileError."""

    def __init__(self, asker: Asker, typed: TypedChance | None = None) -> None:
        super().__init__()
        self.left = typed.left if typed else {}
        self._asker = asker
        self._asked: dict[str, int] = {}

    def __call__(self, stream: str, index: int, pile: bytes, /) -> int:
        """Return the position in the pile of what was typed, or is now said."""
        number = self._asked[stream] = self._asked.get(stream, 0) + 1
        if self.left.get(stream):
            return super().__call__(stream, index, pile)
        question = _QUESTIONS[stream].format(number=number)
        kinds = list(dict.fromkeys(pile))
        choices = [Choice(_label(stream, thing), thing, _also(stream, thing)) for thing in kinds]
        return pile.index(self._asker.choose(question, choices, rules=_RULES[stream], search=True))


_RULES = {"cards": ("P-DRAW-2",), "contracts": ("P-PUBLIC-3",), "timer": ("P-SOLO-2", "P-SOLO-3")}


def _also(stream: str, thing: int) -> str:
    return "" if stream == "contracts" else short_forms([CARDS[thing]])


def _label(stream: str, thing: int) -> Line:
    if stream != "contracts":
        return [chip(CARDS[thing])]
    name = PUBLIC_NAMES[thing]
    return [(f"{name:14} {phrases.public_contract(name)}", PLAIN)]
