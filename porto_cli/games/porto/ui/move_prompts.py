"""The questions that lead to a move. Each returns the move in the notation.

All of them raise CancelledError when the player backs out of the first question, and
KeyboardInterrupt.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

from porto_cli.core.message import Sentence, say
from porto_cli.games.porto.engine.components import KEPT, PRIVATE
from porto_cli.games.porto.engine.contracts import private_vp
from porto_cli.games.porto.engine.explain import check
from porto_cli.games.porto.engine.generate import legal_moves
from porto_cli.games.porto.engine.moves import KEEPS
from porto_cli.games.porto.engine.state import SHOWN, TIMER, State
from porto_cli.games.porto.move_list import Option
from porto_cli.games.porto.notation import PRIVATE_NAMES, format_move
from porto_cli.games.porto.table import House, Private, table_of
from porto_cli.games.porto.ui import labels
from porto_cli.games.porto.ui.grouping import (
    Group,
    Key,
    by_cards,
    by_house,
    by_token,
    groups,
    open_steps,
)
from porto_cli.match.replay import IllegalMoveError
from porto_cli.term.prompt import Asker, CancelledError, Choice
from porto_cli.term.spans import BOLD, PLAIN, Line

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
    return asker.choose(say("Which cards do you take?"), choices, rules=DRAW_RULES)


def _draw(option: Option) -> Line:
    # The words of the move, not the names of the cards: they tell equal cards apart.
    return labels.cards(option.move.split()[1:])


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
    return asker.choose(say("Which public contracts do you fulfill?"), choices, rules=PUBLIC_RULES)


def _claim(chosen: Sequence[tuple[str, int]]) -> Line:
    if not chosen:
        return [(str(say("none of them")), PLAIN)]
    total = say("{vp} VP", vp=sum(vp for _, vp in chosen))
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
    player = table_of(state, seat).players[seat]
    dealt = player.private or ()
    choices = [
        Choice(labels.private(contract), number) for number, contract in enumerate(dealt, start=1)
    ]
    rules = (*KEEP_RULES, *dict.fromkeys(_rule_of(contract.name) for contract in dealt))
    kept = asker.choose_several(
        say("{player}, mark the {count} that you keep.", player=player.name, count=KEPT),
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
        question = say(
            "{player}, reveal private contract {number} of {count}:",
            player=state.config.players[seat],
            number=len(revealed) + 1,
            count=KEPT,
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
    return labels.private(Private(name, private_vp(state, contract), scale, None))


class _Build:
    """The questions of one build, by a player or for the solo timer."""

    def __init__(self, asker: Asker, state: State, claim: bool) -> None:
        self.asker = asker
        self.claim = claim
        self.timer = state.phase == TIMER
        self.rules = TIMER_RULES if self.timer else ()
        self.houses: dict[str, House] = {one.name: one for one in table_of(state).houses}

    def first(self, options: Sequence[Option]) -> list[str]:
        """Ask for the house, or for another way to begin."""
        choices: list[Choice[Group | str]] = [
            Choice(self._house(group), group) for group in groups(options, by_house)
        ]
        choices.append(Choice([(str(say("Choose two cards first")), PLAIN)], _CARDS_FIRST))
        choices.append(
            Choice([(str(say("Search in all {count} builds", count=len(options))), PLAIN)], _ALL)
        )
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

    def _step(
        self, step: Key, one: Option
    ) -> tuple[Sentence, Callable[[Group], Line], tuple[str, ...]]:
        if step is by_house:
            return self._where(), self._house, BUILD_RULES
        if step is by_cards:
            return self._with_which(), self._cards, (*BUILD_RULES[:1], *SCORE_RULES)
        return self._to_which_roof(one), self._roof, TOKEN_RULES

    def _any(self, options: Sequence[Option]) -> list[str]:
        choices = [
            Choice(labels.whole_build(option), option, labels.abbreviations(option.cards))
            for option in options
        ]
        while True:
            option = self.asker.choose(
                say("Which build? Like: red-3 blue-1 L4"),
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

    def _where(self) -> Sentence:
        return say("Where does the timer build?") if self.timer else say("Where do you build?")

    def _with_which(self) -> Sentence:
        return say("Which cards? First how many floors, then their color.")

    def _to_which_roof(self, one: Option) -> Sentence:
        token = self.houses[one.house or ""].ground_token
        return say(
            "To which roof does the token of {vp} VP from {house} move?", vp=token, house=one.house
        )

    def _house(self, group: Group) -> Line:
        return labels.build_on(group, self.houses)

    def _cards(self, group: Group) -> Line:
        return labels.build_with(group)

    def _roof(self, group: Group) -> Line:
        one = group.best
        return labels.roof(self.houses[one.token or ""], one.house or "")
