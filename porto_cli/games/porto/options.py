"""The legal moves as documents, and as the options that menus, lists, mails and completion are made
from, see :mod:`porto_cli.words`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

from porto_cli.core import enumerated
from porto_cli.core.chance import first_of_pile
from porto_cli.games.porto import phrases as told
from porto_cli.games.porto.commands import COMMANDS
from porto_cli.games.porto.engine import (
    CARDS,
    HIDDEN,
    HOUSES,
    NOWHERE,
    PRIVATE_NAMES,
    PUBLIC,
    PUBLIC_NAMES,
    parse_card,
    parse_house,
)
from porto_cli.games.porto.engine import parse_public as parse_contract
from porto_cli.games.porto.engine.cards import (
    Claim,
    Draw,
    Keep,
    may_keep,
    scores_of_claim,
)
from porto_cli.games.porto.engine.play import (
    Build,
    Move,
    apply,
    as_built,
    legal_moves,
    scores_of,
    violations,
    vps_of,
)
from porto_cli.games.porto.engine.scoring import met_by, private_vp
from porto_cli.games.porto.engine.state import ACT, CONTRACTS, KEEP, TIMER, State
from porto_cli.games.porto.engine.turn import PUBLIC_CONTRACT
from porto_cli.games.porto.notation import (
    format_move,
    parse_move,
    reasons,
    scores_json,
    short_forms,
)
from porto_cli.games.porto.phrases import TO_BE_MET, TOKEN_STYLE, House, as_it_is, how_high
from porto_cli.games.porto.phrases import chip as bare
from porto_cli.games.porto.view import last_turn, private_of, view
from porto_cli.seam import MoveGroup, MoveOffer, Step, View
from porto_cli.term import BOLD, DIM, PLAIN, Line, Span, padded, text_of
from porto_cli.words import MANY, Option, Part, grouped, offered, split_words

if TYPE_CHECKING:
    from porto_cli.games.porto.players.candidates import Buildable
    from porto_cli.term.prompt import Asker

Facts = Mapping[str, Any]
"""A legal move as :func:`moves` returns it."""

DRAW_RULES = ("P-DRAW-1", "P-DRAW-2", "P-DRAW-4")
BUILD_RULES = ("P-BUILD-1", "P-BUILD-2", "P-BUILD-3", "P-BUILD-4", "P-BUILD-5")
SCORE_RULES = ("P-SCORE-1", "P-SCORE-2", "P-PUBLIC-1")
TOKEN_RULES = ("P-TOKEN-1", "P-TOKEN-2", "P-ROOF-1")
PUBLIC_RULES = ("contract", "P-PUBLIC-1", "P-PUBLIC-2", "P-PUBLIC-3")
TIMER_RULES = ("timer", "P-SOLO-2", "P-SOLO-3", "P-SOLO-4")
KEEP_RULES = ("keep", "P-SETUP-5", "P-PRIV-0")
PASS_KEY = "0"
"""What is typed for nothing."""
TURN_RULES = ("turn", *DRAW_RULES, *BUILD_RULES, *SCORE_RULES, "P-PASS-1")


def observe(state: State, seat: int | None, steps: Sequence[Step] = ()) -> dict[str, Any]:
    """Return what a seat, or a bystander (``None``), may see and do after ``steps``: the
    :func:`~porto_cli.games.porto.view.view` with the ``last_turn``, and the legal moves of the
    seat, best score first.
    """
    legal = {"count": 0, "moves": []} if seat is None else moves_json(state, seat)
    return {**view(state, seat), "last_turn": last_turn(steps), **legal}


def moves(state: State, seat: int | None = None) -> list[dict[str, Any]]:
    """Return every legal move of a seat, by default the one to move, best score first.

    Moves with the same score stay in the order of the rules. ``seat`` is also the observer: only
    the seat itself sees its private contracts. What would come up after a move is left out. Each
    move has

    ``move``       the move in the notation, as :meth:`Match.play` takes it
    ``kind``       ``build``, ``draw``, ``contract``, ``keep`` or ``pass``
    ``number_card``, ``color_card``, ``house``  of a build
    ``token``      the house whose roof would receive the token of the ground floor
    ``completes``  the build completes the house
    ``cards``      the cards that it takes or plays
    ``spaces``     the spaces, counted from 1, of the cards of a draw or the public contracts of a
                   claim; the numbers in the deal of private contracts to keep
    ``contracts``  public contracts that a build could fulfill, or that a claim fulfills; private
                   contracts that it would keep, where the asking seat may know
    ``vp``         what it would score, fulfilling every public contract that it meets
    ``scores``     VP and what for
    """
    legal = [move_json(state, move, seat) for move in legal_moves(state, seat)]
    return sorted(legal, key=lambda move: -int(move["vp"]))


def moves_json(state: State, seat: int | None) -> dict[str, Any]:
    """Return the legal moves as ``porto moves --format json`` has them."""
    legal = moves(state, seat)
    return {"count": len(legal), "moves": legal}


def move_json(state: State, move: Move, seat: int | None = None) -> dict[str, Any]:
    """Return one legal move as in :func:`moves`."""
    text = format_move(move, state)
    facts: dict[str, Any] = {
        "move": text,
        "kind": text.partition(" ")[0],
        "number_card": None,
        "color_card": None,
        "house": None,
        "token": None,
        "completes": False,
        "cards": [],
        "spaces": [],
        "contracts": [],
        "vp": 0,
        "scores": [],
    }
    if isinstance(move, Build):
        facts |= _build(state, move)
    elif isinstance(move, Draw):
        facts["cards"] = [CARDS[state.cards[space]] for space in move.spaces]
        facts["spaces"] = _from_one(move.spaces)
    elif isinstance(move, Claim):
        scores = scores_of_claim(state, move.spaces)
        facts["spaces"] = _from_one(move.spaces)
        facts["contracts"] = [score.contract for score in scores]
        facts["scores"] = scores_json(scores)
    elif isinstance(move, Keep):
        known = b"" if seat is None else private_of(state, seat, seat)
        kept = [known[place] for place in move.places] if known else []
        kept += [contract for contract in move.named if contract != HIDDEN]
        facts["spaces"] = _from_one(move.places)
        facts["contracts"] = [PRIVATE_NAMES[contract] for contract in kept]
    facts["vp"] = sum(vp for _, vp in facts["scores"])
    return facts


def _build(state: State, build: Build) -> dict[str, Any]:
    """Return the facts of a build. One for the solo timer scores nothing (P-SOLO-4)."""
    built = as_built(state, build)
    timer = state.phase == TIMER
    own = scores_of(state.seat, vps_of(state, build))
    met = () if timer else scores_of_claim(state, met_by(built, state.contracts))
    return {
        "number_card": CARDS[build.number],
        "color_card": CARDS[build.color],
        "house": HOUSES[build.house],
        "token": None if build.token == NOWHERE else HOUSES[build.token],
        "completes": built.completed,
        "cards": [CARDS[build.number], CARDS[build.color]],
        "contracts": [score.contract for score in met],
        "scores": scores_json(() if timer else (*own, *met)),
    }


def _from_one(spaces: tuple[int, ...]) -> list[int]:
    return [space + 1 for space in spaces]


def _rank(move: Facts) -> tuple[int, int]:
    """Return the place of a move: the best score first; draws score nothing, those with the most
    cards come first.
    """
    return -move["vp"], -len(move["cards"])


def example(state: State, moves: Sequence[Move]) -> Move:
    """Return one of some legal moves as an example: the first in the list; of contracts, all."""
    return min(moves, key=lambda move: _rank(move_json(state, move)))


# -- The legal moves as options


def options(state: State, seat: int | None = None, *, asking: bool = False) -> list[Option]:
    """Return the legal moves of a seat, by default the one to move, best score first; when
    ``asking``, draws first, of equal cards once, and builds for the timer by what they cost.

    ``seat`` is also the reader: only the seat itself sees its private contracts.
    """
    legal = sorted(moves(state, seat), key=_rank)
    mover = state.seat if seat is None else seat
    if state.phase == KEEP and not legal:
        return [_reveal(state, mover)] if state.is_revealing and may_keep(state, mover) else []
    turn = _Turn(state, mover, legal)
    listed = [turn.option(move) for move in legal]
    if asking and state.phase == TIMER:
        return _by_cost(state, listed)
    if not asking or state.phase != ACT:
        return listed
    draws = [one for one in listed if one.verb == "draw"]
    others = [one for one in listed if one.verb != "draw"]
    distinct = (same[0] for same in grouped(draws, _cards_of).values())
    # If there is only one draw, it is not asked about, so nobody can type an illegal one.
    return [*distinct, *others, *(turn.no_draws() if len(draws) > 1 else ())]


def _cards_of(draw: Option) -> tuple[str, ...]:
    """Return the cards of a draw, sorted."""
    return tuple(sorted(draw.facts["cards"])) if draw.facts else ()


def _by_cost(state: State, options: Sequence[Option]) -> list[Option]:
    """Return the builds for the timer by what they cost the solo player, by a quick estimate, which
    counts what the private contracts can bring less afterward. What is told of a build can be
    checked on the table; of a house it is what goes for all builds there.
    """
    from porto_cli.games.porto.players import evaluation, open_table
    from porto_cli.games.porto.players.candidates import after, buildable, taken_by

    table, value = open_table(View(None, state)), evaluation.SoloEvaluator().value
    own, hand = state.kept[0], state.hands[0]
    most = told.most_of(own, state)
    before = _contracts(own, state, most)
    builds = buildable(state, hand)
    known: dict[tuple[bytes, bytes], tuple[int, list[str]]] = {}
    takes: dict[str, list[str]] = {}
    worth: dict[str, tuple[float, float]] = {}
    for move in (one.move for one in options):
        left = after(table, parse_move(move, state))
        # Where the token goes does not matter to what is told, and this is slow.
        key = left.floors, left.colors
        if key not in known:
            then = told.most_of(own, left)
            lost = sum(told.less_of(most, then).values())
            changed = _changed(before, _contracts(own, left, then))
            known[key] = lost, [*_taken(taken_by(builds, buildable(left, hand))), *changed]
        loss, takes[move] = known[key]
        vp = value(left)
        # Of equal costs, what leaves the table worth more, as contracts may not be met in the end.
        worth[move] = round(vp - loss, 1), vp
    best = max(worth.values(), default=(0.0, 0.0))[0]
    on_house = grouped(options, lambda one: one.parts[1].key)
    ordered = sorted(options, key=lambda one: worth[one.move], reverse=True)
    for rank, build in enumerate(ordered):
        turn, where, *parts = build.parts
        alike = [takes[one.move] for one in on_house[where.key]]
        common = [text for text in takes[build.move] if all(text in some for some in alike)]
        where = where._replace(note=", ".join(common))
        parts = [
            part._replace(note=", ".join(filter(None, [part.note, *takes[build.move]])))
            for part in parts
        ]
        estimate = best - worth[build.move][0]
        ordered[rank] = build._replace(parts=(turn, where, *parts), estimate=estimate)
    return ordered


def _taken(taken: tuple[Buildable, int] | None) -> Iterator[str]:
    """Yield the player's best build that is not possible anymore, if there is one."""
    if taken:
        build, rest = taken
        less = f"your best build on {HOUSES[build.build.house]}: {rest} VP, not {build.vp}"
        yield less if rest else f"prevents your {build.what} ({build.vp} VP)"


def _contracts(own: bytes, table: State, most: Mapping[str, int]) -> dict[str, str]:
    """Return what private contracts bring, and can bring at ``most``, as the table shows it."""
    return {
        PRIVATE_NAMES[one]: f"{private_vp(table, one)}/{most[PRIVATE_NAMES[one]]}" for one in own
    }


def _changed(before: Mapping[str, str], now: Mapping[str, str]) -> Iterator[str]:
    """Yield the private contracts that bring, or can bring, something else than before."""
    return (f"{name} {now[name]}, not {was}" for name, was in before.items() if now[name] != was)


class _Turn:
    """Makes the options of a player's turn."""

    def __init__(self, state: State, seat: int, legal: Iterable[Facts]) -> None:
        self.state, self.player = state, state.config.players[seat]
        self.seen = view(state, None, foresight=False)
        self.houses: dict[str, House] = self.seen["houses"]
        self.timer = state.phase == TIMER
        asked, self.rules = {
            KEEP: ("first keep three private contracts.", KEEP_RULES),
            CONTRACTS: ("which contracts will your build fulfill?", PUBLIC_RULES),
            TIMER: ("what will you build for the timer?", TIMER_RULES),
        }.get(state.phase, ("what will you do?", TURN_RULES))
        if state.is_revealing:
            asked = "reveal your three private contracts."
        self.question = f"{self.player}, {asked}"
        self.roofs: dict[str, dict[str, None]] = {}
        for move in legal:
            if move["token"]:
                self.roofs.setdefault(move["house"], {})[move["token"]] = None
        self._claims: dict[tuple[str, ...], list[Option]] = {}
        self.form: Callable[[Asker], str] = lambda asker: _asked_form(asker, state, seat)

    def option(self, move: Facts) -> Option:
        """Return a move as an option."""
        tell: Callable[[Facts], Option] = getattr(self, f"_{move['kind']}", self._plain)
        return tell(move)

    def _contract(self, move: Facts) -> Option:
        claim = self._claim(move["contracts"])
        parts = (self.part("Choose public contracts", "c"), *claim.parts)
        claim = claim._replace(move=move["move"], parts=parts, vp=move["vp"], facts=move)
        several = len(move["scores"]) > 1
        return claim._replace(note=[(reasons(move["scores"]), DIM)]) if several else claim

    def _pass(self, move: Facts) -> Option:
        turn = self.part("Pass", PASS_KEY)
        return Option("pass", (turn,), heading="Nothing can be drawn or built", facts=move)

    def _plain(self, move: Facts) -> Option:
        """Return a move with any other verb, labeled by what its command does, and its words."""
        verb, _, words = move["move"].partition(" ")
        does = COMMANDS.verbs[verb].does or verb
        does = does[:1].upper() + does[1:]
        which = Part(f"{does}: which one?", [(words, PLAIN)])
        return Option(move["move"], (self.part(does), which), heading=does, facts=move)

    def part(self, label: str, key: str = "") -> Part:
        """Return the question of the turn with one of its answers."""
        at_once = self.rules is not TURN_RULES
        return Part(self.question, [(label, PLAIN)], self.rules, at_once=at_once, key=key)

    def _draw(self, move: Facts) -> Option:
        # Unlike the names of the cards, the words of the move tell equal cards apart.
        words, row = move["move"].split()[1:], self.seen["cards"]
        taken: Counter[str | None] = Counter(move["cards"])
        equal = (
            "".join(str(space + 1) for space in spaces)
            for spaces in combinations(range(len(row)), len(words))
            if Counter(row[space] for space in spaces) == taken
        )
        return Option(
            move["move"],
            (
                self.part("Draw construction cards", "d"),
                Part(
                    "Which cards will you take?",
                    chips(words),
                    ("draw", *DRAW_RULES),
                    also=" ".join(equal),
                    key="".join(map(str, move["spaces"])),
                ),
            ),
            heading="Draw cards",
            facts=move,
            ordered=False,
        )

    def no_draws(self) -> Iterator[Option]:
        """Yield cards that cannot be drawn together, and why, in case their spaces are typed."""
        lying = [space for space, card in enumerate(self.seen["cards"]) if card]
        for spaces in (some for count in (2, 3) for some in combinations(lying, count)):
            if broken := violations(self.state, Draw(spaces)):
                yield self._draw(move_json(self.state, Draw(spaces)))._replace(
                    note=[(broken[0].sentence, DIM)],
                    facts=None,
                    why_not=[str(one) for one in broken],
                )

    def _build(self, move: Facts) -> Option:
        name, cards, token = move["house"], move["cards"], move["token"]
        house, before = self.houses[name], TIMER_RULES if self.timer else ()
        floors = told.floors(int(cards[0][-1]), cards[1].partition("-")[0])
        which = Part(
            "Which cards? First the number of floors, then the color.",
            chips(cards),
            (*before, "cards", *BUILD_RULES[:1], *SCORE_RULES),
            also=short_forms(cards),
            first="" if self.timer else "Choose two cards first",
            key=short_forms(cards).replace(" ", ""),
            # Two cards of a color can build either way.
            note=floors if self.timer else "",
        )
        parts = [
            self.part("Build", "b"),
            Part(
                "Where will the timer build?" if self.timer else "Where will you build?",
                house_label(name, house),
                (*before, "house", *BUILD_RULES),
                key=name,
            ),
            which,
        ]
        if token:
            vp, rules = house["ground_token"], ("roof", *before, *TOKEN_RULES)
            question = f"Which roof will get {name}'s {vp} VP token?"
            label = house_label(token, self.houses[token])
            label += [(" (built here now)", PLAIN)] * (token == name)
            roof = Part(question, label, rules, key=token)
            # Nothing scores here, so one question asks for both.
            both = f"Which cards, and which roof for {name}'s {vp} VP token?"
            parts[2:] = [_at_once(which, roof, both)] if self.timer else [which, roof]
        met = [score for score in move["scores"] if score[0].startswith(f"{PUBLIC_CONTRACT}:")]
        own = [score for score in move["scores"] if score not in met]
        does = f"{floors} and the roof" if move["completes"] else floors
        on_roof = [f"with its token on {token}"] if token else []
        short = [("build ", PLAIN), bare(cards[0]), (" ", PLAIN), bare(cards[1])]
        short.append((f" {name}", PLAIN))
        return Option(
            move["move"],
            tuple(parts),
            vp=move["vp"],
            does=does,
            note=[
                *([(reasons(own) + (", " if met else ""), DIM)] if own else []),
                *([(reasons(met), TO_BE_MET)] if met else []),
            ],
            heading=about_house(name, house, self.roofs.get(name, ()), self.houses),
            facts=move,
            colored=[*short, (f" token {token}", PLAIN)] if token else short,
            short=short,
            glosses={name: how_high(house)},
            then=self._claims_of(tuple(move["contracts"])),
            says=(f"build {does} on {name}", f"using {enumerated(cards)}", *on_roof),
        )

    def _claims_of(self, met: tuple[str, ...]) -> Sequence[Option]:
        """Return the choices among the contracts that a build meets, the best first."""
        if met and met not in self._claims:
            sizes = range(len(met), -1, -1)
            subsets = [chosen for size in sizes for chosen in combinations(met, size)]
            claims = [self._claim(chosen) for chosen in subsets]
            self._claims[met] = sorted(claims, key=lambda claim: -claim.vp)
        return self._claims.get(met, ())

    def _claim(self, contracts: Sequence[str]) -> Option:
        vps = self.state.config.public
        label = (", ".join(contracts), BOLD) if contracts else ("none of them", PLAIN)
        spaces = (self.seen["contracts"].index(name) + 1 for name in contracts)
        return Option(
            " ".join(["contract", *(contracts or ["none"])]),
            (
                Part(
                    "Which contracts will you fulfill?",
                    [label],
                    PUBLIC_RULES,
                    key="".join(map(str, sorted(spaces))) or PASS_KEY,
                ),
            ),
            sum(vps[PUBLIC_NAMES.index(name)] for name in contracts),
            heading="Fulfill public contracts",
            ordered=False,
        )

    def _keep(self, move: Facts) -> Option:
        """Return a choice of private contracts; in a sealed game that is over, it reveals them."""
        names = move["contracts"]
        label = f"{'Reveal' if self.state.is_revealing else 'Choose'} three private contracts"
        return Option(
            move["move"],
            (
                self.part(label, label[0].lower()),
                Part("Which ones will you keep?", [(enumerated(names), PLAIN)]),
            ),
            note=[(enumerated(names), DIM)] if names else [],
            heading="Keep three private contracts",
            facts=move,
            glosses=dict(zip(map(str, move["spaces"]), names, strict=False)),
            ordered=False,
            secret=True,
            form=None if self.state.is_revealing else self.form,
        )


def _at_once(cards: Part, roof: Part, question: str) -> Part:
    """Return a part that asks for cards and a roof in one question."""
    return roof._replace(
        question=question,
        label=[*cards.label, ("  roof ", PLAIN), (roof.key, BOLD)],
        note=", ".join([cards.note, " ".join(text_of(roof.label).split())]),
        rules=tuple(dict.fromkeys((*cards.rules, *roof.rules))),
        also=cards.also,
        key=cards.key + roof.key,
    )


def about_house(name: str, house: House, roofs: Collection[str], houses: Iterable[str]) -> str:
    """Describe one of the houses to build on; its token can move to one of the roofs."""
    about = f"Build on {name}: {as_it_is(house)}."
    if house["color"] or not roofs:
        return about
    others = [one for one in houses if one not in roofs]
    to = f"the roof of {enumerated(roofs, 'or')}"
    if len(others) < len(roofs):
        to = f"any roof but that of {enumerated(others)}" if others else "any roof"
    return f"{about} Its token of {house['ground_token']} VP moves to {to}."


def chips(words: Iterable[str]) -> Line:
    """Return cards on their colors, side by side."""
    line: Line = []
    for word in words:
        line += [(" ", PLAIN)] * bool(line) + [chip(word)]
    return line


def chip(card: str) -> Span:
    """Return a card or a color on its color."""
    name, style = bare(card)
    return f" {name} ", style


def house_label(name: str, house: House) -> Line:
    """Return a house as it is now."""
    chipped = [chip(house["color"])] if house["color"] else [(" empty", PLAIN)]
    line = [(f"{name} ", BOLD), *padded(chipped, _COLOR_COLUMN), (how_high(house), PLAIN)]
    token = house["ground_token"]
    return [*line, (f", token {token}", TOKEN_STYLE)] if token else line


_COLOR_COLUMN = 9


def fits(options: Mapping[str, Any]) -> Callable[[Facts], bool]:
    """Return a test for moves: whether one is on a house, can fulfill a public contract, and takes
    or plays some cards. Raises InvalidMoveError.
    """
    house, contract = options.get("house"), options.get("contract")
    on = None if house is None else HOUSES[parse_house(house)]
    wanted = None if contract is None else PUBLIC[parse_contract(contract)].name
    needed = Counter(CARDS[parse_card(word)] for word in split_words(options.get("cards", ())))

    def fits_all(move: Facts) -> bool:
        return (
            on in (None, move["house"])
            and (wanted is None or wanted in move["contracts"])
            and all(move["cards"].count(card) >= count for card, count in needed.items())
        )

    return fits_all


# -- Private contracts


def _reveal(state: State, seat: int) -> Option:
    """Return the choice of P-END-2: at a real table kept contracts are named after the end."""
    turn = _Turn(state, seat, ())
    parts = (turn.part("Reveal three private contracts", "r"),)
    return Option(f"keep {MANY}", parts, secret=True, form=turn.form)


def _asked_form(asker: Asker, state: State, seat: int) -> str:
    """Ask for three contracts at once."""
    from porto_cli.games.porto.panes import ask_to_keep, ask_to_reveal

    if state.is_revealing:
        return ask_to_reveal(asker, state, seat, ("P-END-2",))
    return ask_to_keep(asker, state, seat, KEEP_RULES)


def keeps_in_mail(state: State, seat: int) -> list[MoveGroup]:
    """Return the most promising choices with the draws of the same turn, so that one answer will
    do; then all choices alone.
    """
    from porto_cli.games.porto.players import weights_for, worths_of_dealt

    worths = worths_of_dealt(state, seat, weights_for(state))
    keeps = moves(state, seat)
    keeps.sort(key=lambda move: -sum(worths[space - 1] for space in move["spaces"]))
    groups = []
    for keep in keeps[:_WITH_A_DRAW]:
        move = parse_move(keep["move"], state, seat)
        after = apply(state, move, first_of_pile, seat)[0]
        draws = [
            MoveOffer(offer.label, (keep["move"], *offer.moves))
            for group in offered(options(after, seat))
            for offer in group.offers
        ]
        groups.append(MoveGroup(f"Keep {enumerated(keep['contracts'])}, and draw", tuple(draws)))
    alone = [MoveOffer(enumerated(keep["contracts"]), (keep["move"],)) for keep in keeps]
    more = (
        "Your turn can go into the same answer, on a line of its own below what you keep, for "
        f"example: {groups[0].offers[0].moves[1]}"
    )
    title = "Keep three private contracts, and play your turn later"
    return [*groups, MoveGroup(title, tuple(alone), more)]


_WITH_A_DRAW = 2
