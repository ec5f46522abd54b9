"""What a player can answer to the question of a phase, with what each answer brings.

An answer is a move, or asks what is still open of one. The questions raise CancelledError when the
player backs out of the first one, and KeyboardInterrupt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from porto_cli.core.chance import TypedChance
from porto_cli.core.message import both, either, plural
from porto_cli.games.puerto_rico import phrases
from porto_cli.games.puerto_rico.engine.builder import price
from porto_cli.games.puerto_rico.engine.components import (
    BIT,
    BUILDING_PLACES,
    COST,
    GOODS,
    NO_GOOD,
    NO_PLACE,
    PLACES,
    QUARRY,
    ROLES,
    TILES,
    VIOLET,
)
from porto_cli.games.puerto_rico.engine.craftsman_trader import yields
from porto_cli.games.puerto_rico.engine.moves import (
    FACE_DOWN,
    WHARF,
    Build,
    Choose,
    Load,
    LoadSmallWharf,
    Move,
    MoveGuest,
    Pass,
    Sell,
    Store,
    Take,
    TakeRole,
    place_name,
)
from porto_cli.games.puerto_rico.engine.play import begun, legal_moves, violations
from porto_cli.games.puerto_rico.engine.state import (
    BUILDER_PHASE,
    CAPTAIN_PHASE,
    CRAFTSMAN_PHASE,
    DRAFT_PHASE,
    LIBRARY_PHASE,
    MAYOR_PHASE,
    PRIVILEGE_PHASE,
    ROLE_PHASE,
    SETTLER_PHASE,
    STORE_PHASE,
    TRADER_PHASE,
    State,
)
from porto_cli.games.puerto_rico.notation import format_move
from porto_cli.games.puerto_rico.options import option_of
from porto_cli.games.puerto_rico.things import effects
from porto_cli.games.puerto_rico.ui.placement_form import (
    PLACE_RULES,
    ask_placement,
    ask_small_wharf,
)
from porto_cli.games.puerto_rico.ui.promises import PROMISES
from porto_cli.term.prompt import Asker, CancelledError, Choice
from porto_cli.term.spans import PLAIN, wrapped
from porto_cli.ui_values import Entry, Offer

ENOUGH = 500
"""Loads of a Small Wharf beyond which they are not listed one by one."""


class Answer(NamedTuple):
    """Something that a player can do: ``move`` asks what is still open, and returns a text."""

    verb: str
    label: str
    move: Callable[[Asker], str]
    note: str = ""
    """What it does, in a line."""


class Question(NamedTuple):
    """What a phase asks the player to move, and what can be answered."""

    sentence: str
    answers: list[Answer]
    rules: tuple[str, ...]


RULES: dict[str, tuple[str, ...]] = {
    DRAFT_PHASE: ("PR-DRAFT-1", "PR-DRAFT-2", "PR-DRAFT-3"),
    ROLE_PHASE: (
        *("PR-ROLE-1", "PR-ROLE-2", "PR-SETTLER-1", "PR-SETTLER-3", "PR-MAYOR-1", "PR-MAYOR-2"),
        *("PR-BUILDER-1", "PR-BUILDER-2", "PR-CRAFTSMAN-1", "PR-CRAFTSMAN-4", "PR-TRADER-1"),
        *("PR-CAPTAIN-1", "PR-PROSPECTOR-1"),
    ),
    SETTLER_PHASE: (
        *("PR-SETTLER-1", "PR-SETTLER-2", "PR-SETTLER-3", "PR-B-HACIENDA", "PR-B-HUT"),
        *("PR-B-HOSPICE",),
    ),
    LIBRARY_PHASE: ("PR-B-LIBRARY",),
    MAYOR_PHASE: PLACE_RULES,
    BUILDER_PHASE: (
        *("PR-BUILDER-1", "PR-BUILDER-2", "PR-BUILDER-3", "PR-BUILDER-4", "PR-BUILDER-5"),
    ),
    CRAFTSMAN_PHASE: ("PR-B-GUEST-HOUSE", "PR-CRAFTSMAN-1"),
    PRIVILEGE_PHASE: ("PR-CRAFTSMAN-4",),
    TRADER_PHASE: ("PR-TRADER-1", "PR-TRADER-2", "PR-TRADER-3"),
    CAPTAIN_PHASE: ("PR-CAPTAIN-1", "PR-CAPTAIN-2", "PR-CAPTAIN-3", "PR-CAPTAIN-4"),
    STORE_PHASE: ("PR-STORE-1", "PR-STORE-2"),
}


def question_of(state: State) -> Question:
    """Return what the player to move is asked; the game must not be over."""
    sentence = f"{state.config.players[state.seat]}, {_asked(state)}"
    if state.phase == MAYOR_PHASE:
        answers = [
            Answer("place", "Place all colonists", lambda asker: ask_placement(asker, state))
        ]
        return Question(sentence, answers, RULES[MAYOR_PHASE])
    legal = legal_moves(state, limit=ENOUGH if state.phase == CAPTAIN_PHASE else None)
    answers = [
        *_PHASES[state.phase](state, legal),
        *_passes(state, legal),
        *_guests(legal),
        *(_out_of_reach(state, legal) if state.phase == BUILDER_PHASE else ()),
    ]
    return Question(sentence, answers, _rules(state, legal))


def _asked(state: State) -> str:
    doubloons = phrases.doubloons(state.players[state.seat].doubloons)
    return {
        DRAFT_PHASE: "which building will you choose for the game?",
        ROLE_PHASE: "which role will you take?",
        SETTLER_PHASE: "which tile will you take?",
        LIBRARY_PHASE: "which second tile will you take?",
        MAYOR_PHASE: "where will your colonists go?",
        BUILDER_PHASE: f"what will you build with {doubloons}?",
        CRAFTSMAN_PHASE: "will you move a guest before you produce?",
        PRIVILEGE_PHASE: "which extra barrel will you take?",
        TRADER_PHASE: "what will you sell?",
        CAPTAIN_PHASE: "what will you load?",
        STORE_PHASE: "which barrels will you keep?",
    }[state.phase]


def _rules(state: State, legal: Iterable[Move]) -> tuple[str, ...]:
    """Return the rulings about a phase, and about what the buildings on offer do."""
    rules = RULES[state.phase]
    builds = dict.fromkeys(move.building for move in legal if isinstance(move, Build | Choose))
    of_buildings = [rule for place in builds for rule in phrases.rules_of_building(place)]
    guests = ["PR-B-GUEST-HOUSE"] if any(isinstance(move, MoveGuest) for move in legal) else []
    return tuple(dict.fromkeys([*rules, *of_buildings, *guests]))


def ask(asker: Asker, question: Question) -> str:
    """Ask a question, and what its answer leaves open; return the move.

    What leaves no choice is not asked.
    """
    if len(question.answers) == 1:
        return question.answers[0].move(asker)
    choices = [
        Choice([(answer.label, PLAIN)], answer, note=answer.note) for answer in question.answers
    ]
    while True:
        answer = asker.choose(question.sentence, choices, rules=question.rules)
        try:
            return answer.move(asker)
        except CancelledError:
            continue


def _known(move: Move) -> Callable[[Asker], str]:
    """Return an answer that needs no prompt."""
    return lambda asker: format_move(move)


def _one_of(
    question: str, moves: Sequence[tuple[str, Move]], rules: tuple[str, ...]
) -> Callable[[Asker], str]:
    """Return the prompt for one of some moves."""

    def move(asker: Asker) -> str:
        choices = [
            Choice([(label, PLAIN)], format_move(move), note=_effect(move)) for label, move in moves
        ]
        return asker.choose(question, choices, rules=rules)

    return move


def _effect(move: Move) -> str:
    """Return what the building of a move does, in a line."""
    return effects()[PLACES[move.building]] if isinstance(move, Build | Choose) else ""


def _brings(state: State, move: Move) -> str:
    option = option_of(state, move)
    return phrases.brought(option.scores, option.earns)


# -- what can be done in any phase

_PASS = {
    SETTLER_PHASE: "Take no tile",
    LIBRARY_PHASE: "Take no second tile",
    BUILDER_PHASE: "Build nothing",
    PRIVILEGE_PHASE: "Take nothing",
    TRADER_PHASE: "Sell nothing",
    CAPTAIN_PHASE: "Load nothing",
}


def _passes(state: State, legal: Iterable[Move]) -> list[Answer]:
    if state.phase == CRAFTSMAN_PHASE or not any(isinstance(move, Pass) for move in legal):
        return []
    return [Answer("pass", _PASS[state.phase], lambda asker: "pass")]


def _guests(legal: Iterable[Move]) -> list[Answer]:
    """PR-B-GUEST-HOUSE: before anything else a guest can move."""
    moves = [(PLACES[move.place], move) for move in legal if isinstance(move, MoveGuest)]
    if not moves:
        return []
    asked = _one_of("Where will a guest go?", moves, ("PR-B-GUEST-HOUSE",))
    return [Answer("guest", "First move a guest of the guest house", asked)]


# -- phase by phase


def _role_answers(state: State, legal: Iterable[Move]) -> list[Answer]:
    found, declined = [], []
    for move in legal:
        if not isinstance(move, TakeRole):
            continue
        lying = state.role_doubloons[move.role]
        role = ROLES[move.role] + (f" (+{phrases.doubloons(lying)})" if lying else "")
        if move.no_colonist:
            label = f"{role}, without the extra colonist"
            declined.append(Answer("role", label, _known(move)))
        else:
            promise = PROMISES[ROLES[move.role].removesuffix("-2")]
            after, events = begun(state, move)
            found.append(Answer("role", f"{role}: {promise(after, events)}", _known(move)))
    return [*found, *declined]


def _take_answers(state: State, legal: Iterable[Move]) -> list[Answer]:
    takes = [move for move in legal if isinstance(move, Take)]
    found = []
    for move in takes:
        if move.what == FACE_DOWN:
            label = "First draw a hacienda tile from the stack"
            found.append(Answer("take", label, _known(move)))
        elif not move.forest and not move.no_colonist:
            found.append(Answer("take", _tile(state, move), _known(move)))
    forests = [(_tile(state, move), move) for move in takes if move.forest]
    if forests:
        asked = _one_of("Which plantation will become a forest?", forests, ("PR-B-FOREST-HOUSE",))
        found.append(Answer("take", "A plantation face down, as a forest", asked))
    alone = [(_tile(state, move), move) for move in takes if move.no_colonist]
    if alone:
        asked = _one_of("Which tile, without a colonist?", alone, ("PR-B-HOSPICE",))
        found.append(Answer("take", "A tile without the colonist of the hospice", asked))
    return found


def _tile(state: State, move: Take) -> str:
    if move.what == QUARRY:
        return f"quarry ({state.quarries} left)"
    return f"{TILES[move.what]} ({state.row[move.what]} in the row)"


def _privilege_answers(state: State, legal: Iterable[Move]) -> list[Answer]:
    return [
        Answer(
            "take",
            f"1 {both([GOODS[good] for good in _goods_of(move)])}",
            _known(move),
        )
        for move in legal
        if isinstance(move, Take)
    ]


def _goods_of(move: Take) -> list[int]:
    return [good for good in (move.what, move.second) if good != NO_GOOD]


def _produce_answers(state: State, legal: Iterable[Move]) -> list[Answer]:
    goods = yields(state.players[state.seat], state.goods_supply)
    label = f"Produce now: {phrases.goods(goods)}"
    return [Answer("pass", label, lambda asker: "pass")]


def _sale_answers(state: State, legal: Iterable[Move]) -> list[Answer]:
    found = []
    for move in legal:
        if isinstance(move, Sell):
            where = "your trading post" if move.post else "the trading house"
            brings = _brings(state, move) or phrases.doubloons(0)
            found.append(Answer("sell", f"{GOODS[move.good]} to {where}: {brings}", _known(move)))
    return found


def _load_answers(state: State, legal: Iterable[Move]) -> list[Answer]:
    found = []
    for move in legal:
        if isinstance(move, Load):
            option = option_of(state, move)
            barrels = option.fields["goods"]
            assert isinstance(barrels, dict)
            good = GOODS[move.good]
            where = "by the wharf" if move.onto == WHARF else f"onto the ship of {move.onto}"
            brings = phrases.brought(option.scores, option.earns)
            label = f"{barrels[good]} {good} {where}: {brings}"
            found.append(Answer("load", label, _known(move)))
    if any(isinstance(move, LoadSmallWharf) for move in legal):
        label = "Any barrels by the small wharf: 1 VP for each two"
        found.append(Answer("load", label, lambda asker: ask_small_wharf(asker, state)))
    return found


def _store_answers(state: State, legal: Iterable[Move]) -> list[Answer]:
    found = []
    barrels = state.players[state.seat].goods
    for move in legal:
        if isinstance(move, Store):
            lost = bytes(map(int.__sub__, barrels, move.goods))
            label = f"Keep {phrases.goods(move.goods)}; {phrases.goods(lost)} go back"
            found.append(Answer("store", label, _known(move)))
    return found


def _draft_answers(state: State, legal: Iterable[Move]) -> list[Answer]:
    """By cost, as that is how the places are given (PR-DRAFT-2)."""
    by_cost: dict[int, list[Choose]] = {}
    for move in legal:
        if isinstance(move, Choose):
            by_cost.setdefault(COST[move.building], []).append(move)
    found = []
    for cost, moves in sorted(by_cost.items()):
        buildings = either([PLACES[move.building] for move in moves])
        label = f"{phrases.doubloons(cost)}: {buildings}"
        found.append(Answer("choose", label, _kind_of(cost, moves)))
    return found


def _kind_of(cost: int, moves: Sequence[Choose]) -> Callable[[Asker], str]:
    if len(moves) == 1:
        return _known(moves[0])
    rules = [rule for move in moves for rule in phrases.rules_of_building(move.building)]
    return _one_of(
        f"Which building that costs {phrases.doubloons(cost)}?",
        [(PLACES[move.building], move) for move in moves],
        tuple(dict.fromkeys(rules)),
    )


# -- building


def _build_answers(state: State, legal: Iterable[Move]) -> list[Answer]:
    """What can be built, the costliest first; then what only the Black Market helps to pay."""
    builds = [move for move in legal if isinstance(move, Build)]
    usual = [move for move in builds if not move.no_colonist]
    found = [_build_answer(state, group) for group in _by_building(usual)]
    alone = [move for move in builds if move.no_colonist]
    if alone:

        def without_colonist(asker: Asker) -> str:
            answers = [_build_answer(state, group) for group in _by_building(alone)]
            sentence = "Which building, without the colonist of the university?"
            return ask(asker, Question(sentence, answers, ("PR-B-UNIVERSITY",)))

        label = "A building without the colonist of the university"
        found.append(Answer("build", label, without_colonist))
    return found


def _by_building(builds: Iterable[Build]) -> list[list[Build]]:
    """Return the builds of each building together, what is paid in doubloons alone first."""
    found: dict[int, list[Build]] = {}
    for move in builds:
        found.setdefault(move.building, []).append(move)
    return sorted(found.values(), key=lambda some: (some[0].returned, -COST[some[0].building]))


def _build_answer(state: State, builds: Sequence[Build]) -> Answer:
    one = builds[0]
    cost = phrases.doubloons(price(state, state.seat, one.building))
    label = f"{PLACES[one.building]}: {cost}"
    if one.returned:
        label += f", with {plural(one.returned, 'thing')} returned instead"
    return Answer("build", label, lambda asker: returned(asker, builds), _effect(one))


BLACK_MARKET_RULES = ("PR-B-BLACK-MARKET",)


def returned(asker: Asker, builds: Sequence[Build]) -> str:
    """Ask what is returned for a building, thing by thing, and return the build.

    The builds differ in nothing else. What leaves no choice is not asked.
    """
    return _narrowed(
        asker,
        builds,
        [
            ("Which barrel will you return?", lambda build: build.good, _good),
            ("Will you return a VP chip?", lambda build: build.vp, _chip),
            ("Which colonist will you return?", lambda build: build.colonist, _colonist),
        ],
    )


_Step = tuple[str, Callable[[Build], int], Callable[[int], str]]


def _narrowed(asker: Asker, builds: Sequence[Build], steps: Sequence[_Step]) -> str:
    if not steps:
        return format_move(builds[0])
    (question, key, label), *later = steps
    values = list(dict.fromkeys(map(key, builds)))
    if len(values) == 1:
        return _narrowed(asker, builds, later)
    choices = [Choice([(label(value), PLAIN)], value) for value in values]
    while True:
        value = asker.choose(question, choices, rules=BLACK_MARKET_RULES)
        try:
            return _narrowed(asker, [build for build in builds if key(build) == value], later)
        except CancelledError:
            continue


def _good(good: int) -> str:
    return "no barrel" if good == NO_GOOD else f"1 {GOODS[good]}"


def _chip(vp: int) -> str:
    return "1 VP" if vp else "no VP"


def _colonist(place: int) -> str:
    if place == NO_PLACE:
        return "no colonist"
    return f"the colonist of {place_name(place)}"


_WHY_NOT = {
    "PR-BUILDER-2": "too expensive",
    "PR-BUILDER-3": "you have one",
    "PR-BUILDER-4": "none left",
    "PR-BUILDER-5": "no space in your city",
}


def _out_of_reach(state: State, legal: Iterable[Move]) -> list[Answer]:
    """What cannot be built, and why; choosing one of these shows the rules that it breaks."""
    found = []
    within = {move.building for move in legal if isinstance(move, Build)}
    for place in sorted(BUILDING_PLACES, key=lambda place: (COST[place], place)):
        if place in within or VIOLET & BIT[place] & ~state.violet:
            continue
        broken = violations(state, Build(place), state.seat)
        label = (
            f"({PLACES[place]}: {phrases.doubloons(price(state, state.seat, place))}, "
            f"{_WHY_NOT[broken[-1].rule]})"
        )

        def explain(asker: Asker, broken: Sequence[object] = tuple(broken)) -> str:
            asker.show(
                lambda screen: [line for one in broken for line in wrapped(str(one), screen.width)]
            )
            raise CancelledError

        found.append(Answer("build", label, explain, effects()[PLACES[place]]))
    return found


_PHASES: dict[str, Callable[[State, Iterable[Move]], list[Answer]]] = {
    DRAFT_PHASE: _draft_answers,
    ROLE_PHASE: _role_answers,
    SETTLER_PHASE: _take_answers,
    LIBRARY_PHASE: _take_answers,
    BUILDER_PHASE: _build_answers,
    CRAFTSMAN_PHASE: _produce_answers,
    PRIVILEGE_PHASE: _privilege_answers,
    TRADER_PHASE: _sale_answers,
    CAPTAIN_PHASE: _load_answers,
    STORE_PHASE: _store_answers,
}


def label_of(state: State, move: Move) -> str:
    """Return the answer that a move is; what other answers differ in by a detail is not named."""
    if isinstance(move, Pass) and state.phase in _PASS:
        return _PASS[state.phase]
    return _PHASES[state.phase](state, [move])[0].label


def offer(state: State, asker: Asker) -> Offer:
    """Return the question of a turn, and what can be answered.

    What has many answers, or is a form, is asked at once; what else there is to do comes up for
    who backs out of it.
    """
    question = question_of(state)
    if state.phase == MAYOR_PHASE:
        return Offer(
            question.sentence, [_entry(question.answers[0], asker)], question.rules, at_once=True
        )
    if state.phase == BUILDER_PHASE:
        build = Entry("Build, or build nothing", lambda: [ask(asker, question)])
        return Offer(question.sentence, [build], question.rules, at_once=True)
    entries = [_entry(answer, asker) for answer in question.answers]
    return Offer(question.sentence, entries, question.rules)


def _entry(answer: Answer, asker: Asker) -> Entry:
    moves: Callable[[], Sequence[str]] = lambda: [answer.move(asker)]  # noqa: E731
    return Entry(answer.label, moves)


CAME_UP_RULES = ("PR-SETTLER-4", "PR-SETTLER-6", "PR-B-HACIENDA")


class AskedChance(TypedChance):
    """Asks for the tiles that were not typed. Raises what an Asker raises, NotInPileError."""

    def __init__(self, asker: Asker, typed: TypedChance | None = None) -> None:
        super().__init__(typed.unordered if typed else ())
        self.left = typed.left if typed else {}
        self._asker = asker
        self._asked = 0

    def __call__(self, stream: str, index: int, pile: bytes, /) -> int:
        """Return the position in the pile of the tile that was typed, or is chosen now."""
        self._asked += 1
        if self.left.get(stream):
            return super().__call__(stream, index, pile)
        question = (
            f"Which plantation was drawn? Number {self._asked} with this move; the order does not "
            "matter."
        )
        choices = [
            Choice([(TILES[tile], phrases.style_of(tile))], tile) for tile in dict.fromkeys(pile)
        ]
        return pile.index(self._asker.choose(question, choices, rules=CAME_UP_RULES))
