"""The class of the game, for :class:`porto_cli.games.Game`; before it the editions of the box, the
keys that only records of Porto have, what a seat may know, and sealed games.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from porto_cli.core import Violation, shown
from porto_cli.core.chance import Chance, random_chance
from porto_cli.core.chance import drawn as draw_from
from porto_cli.core.values import event_json
from porto_cli.core.yaml import Node, flow, read, scalar
from porto_cli.games import PackagedGame
from porto_cli.games.porto import META
from porto_cli.games.porto.commands import TIE_BREAKS
from porto_cli.games.porto.engine import (
    CARD_SPACES,
    CARDS,
    CONTRACT_SPACES,
    DEALT,
    HIDDEN,
    HOUSES,
    KEPT,
    NONE,
    PRIVATE_KINDS,
    PRIVATE_NAMES,
    PUBLIC_FAMILIES,
    PUBLIC_NAMES,
    STREAMS,
    VALUES,
    Edition,
    parse_card,
    parse_house,
    parse_public,
)
from porto_cli.games.porto.engine.cards import CLAIM_NONE, KEEP_SEALED, Claim, Keep, may_keep
from porto_cli.games.porto.engine.play import (
    Build,
    Move,
    as_built,
    canonical_move,
    legal_moves,
    to_move,
    violations,
)
from porto_cli.games.porto.engine.play import apply as apply
from porto_cli.games.porto.engine.scoring import LOST, level, met_by, places
from porto_cli.games.porto.engine.state import (
    ACT,
    CONTRACTS,
    GIVEN_UP,
    OVER,
    SHOWN,
    TIMER,
    TIMERS,
    Config,
    Deal,
    State,
    begin,
    without,
)
from porto_cli.games.porto.engine.state import deal as deal
from porto_cli.games.porto.engine.turn import (
    Event,
    Refilled,
    TimerSkipped,
    TimerTurned,
    is_final,
    leave_out,
    scored_in,
)
from porto_cli.games.porto.engine.turn import give_up as give_up
from porto_cli.games.porto.engine.turn import turn_up as turn_up
from porto_cli.games.porto.notation import format_move, parse_move, summary, turn
from porto_cli.kinds import (
    FLAG,
    TITLE,
    Kind,
    Plain,
    as_yaml,
    by,
    canonical_lines,
    drawn,
    many,
    name,
    number,
    read_all,
    word,
)
from porto_cli.match.items import IllegalMoveError
from porto_cli.seam import Glance, Outcome, SealedPile, Secrets, View, later

if TYPE_CHECKING:
    from random import Random

    from porto_cli.abilities import Sealing

# -- Editions: the component data of a box, from YAML files here or anywhere

DEFAULT = "mebo-2019"
_FOLDER = Path(__file__).with_name("editions")
_COUNT = number(0, 99)
_OF_VALUES = by(number(1, max(VALUES)), number(0, 40), [str(value) for value in VALUES])
_FIELDS: dict[str, tuple[Kind, Callable[[Edition], Any]]] = {
    "name": (TITLE, lambda one: one.name),
    "heights": (
        by(word(*HOUSES), _COUNT, HOUSES),
        lambda one: dict(zip(HOUSES, one.heights, strict=True)),
    ),
    "cards": (_OF_VALUES, lambda one: dict(zip(VALUES, one.cards_per_value, strict=True))),
    "ground-floors": (_COUNT, lambda one: one.ground_floors),
    "upper-floors": (_COUNT, lambda one: one.upper_floors),
    "tokens": (by(number(1, 9), _COUNT), lambda one: Counter(sorted(one.tokens))),
    "public-contracts": (by(word(*PUBLIC_FAMILIES), _COUNT), lambda one: one.public),
    "private-contracts": (
        by(word(*PRIVATE_KINDS), many(_COUNT, tuple)),
        lambda one: one.private,
    ),
    "artificial": (FLAG, lambda one: one.artificial),
}
"""The keys of an edition file: the kind of the value, and how to get it from an edition."""
_KINDS = {key: kind for key, (kind, _) in _FIELDS.items()}
_REQUIRED = tuple(_KINDS)[:6]


@cache
def names() -> tuple[str, ...]:
    """Return the names of the editions that come with the program."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.yaml")))


@cache
def shipped(name: str) -> Edition:
    """Return an edition that comes with the program. Raises KeyError if there is none."""
    if name != DEFAULT and name not in names():
        raise KeyError(name)
    path = _FOLDER / f"{name}.yaml"
    return edition_of_text(path.read_text("utf-8"), str(path))


def is_shipped(edition: Edition) -> bool:
    """Return whether an edition is one of those that come with the program."""
    return edition.name in names() and shipped(edition.name) == edition


def edition_of_text(text: str, file: str) -> Edition:
    """Read an edition from the text of its file. Raises InvalidFileError."""
    return edition_of_node(read(text, file))


def edition_of_node(node: Node) -> Edition:
    """Return the edition that a node describes. Raises InvalidFileError.

    Contracts that are left out are taken from the default edition.
    """
    found = read_all(_KINDS, node, required=_REQUIRED)
    for key in ("public-contracts", "private-contracts"):
        if key not in found:
            found[key] = edition_values(shipped(DEFAULT))[key]
    cards, public, private = found["cards"], found["public-contracts"], found["private-contracts"]
    for kind, scale in private.items():
        if not scale:
            node["private-contracts"][kind].fail(f"{shown(kind)} needs at least one number of VP.")
    edition = Edition(
        name=found["name"],
        heights=bytes(found["heights"][house] for house in HOUSES),
        cards_per_value=(cards[1], cards[2], cards[3]),
        ground_floors=found["ground-floors"],
        upper_floors=found["upper-floors"],
        tokens=bytes(sorted(Counter(found["tokens"]).elements())),
        public={one: public[one] for one in PUBLIC_FAMILIES if one in public},
        private={one: private[one] for one in PRIVATE_KINDS if one in private},
        artificial=found.get("artificial", False),
    )
    if faults := [*edition.faults()]:
        node.fail(f"This edition does not make a game: {' '.join(faults)}")
    return edition


def edition_lines(edition: Edition) -> list[str]:
    """Return an edition as the lines of its file; :func:`edition_of_text` reads them back."""
    values = edition_values(edition)
    if not edition.artificial:
        del values["artificial"]
    return canonical_lines(_KINDS, values)


def edition_values(edition: Edition) -> dict[str, Any]:
    """Return the values of an edition by the keys of its file."""
    return {key: find(edition) for key, (_, find) in _FIELDS.items()}


# -- Keys of a record that only Porto has: options, setup, and what came up


@lru_cache(maxsize=4096)
def _entry(name: str, things: bytes, *, after_timer: bool = False) -> tuple[str, str]:
    """Return the entry for what came up; cached, as many turns and records share it."""
    stream = STREAMS[name]
    key = [*stream.entries][after_timer]
    return key, " ".join([stream.names[thing] for thing in things])


UNPROVEN = "unproven"
"""Stands in the result for the private contracts of a player who was given up."""


_OPTIONS = {
    "private-contracts": FLAG,
    "tie-break": word(*TIE_BREAKS),
    "timer": word(*map(str, TIMERS)),
}


def _read_edition(node: Node | None) -> Edition:
    """Return the edition that a file names or holds; the default if it does neither."""
    if node is None:
        return shipped(DEFAULT)
    if node.is_mapping:
        return edition_of_node(node)
    name = node.text()
    if name not in names():
        node.fail(
            f"The edition {shown(name)} does not come with the program; these do: "
            f"{', '.join(names())}. Any other has to be written out under this key."
        )
    return shipped(name)


USUAL: dict[str, Plain] = {"timer": TIMERS[0], "tie-break": TIE_BREAKS[0]}
"""The default options, except for the private contracts."""


def options_of(config: Config) -> dict[str, Plain]:
    """Return the options for this number of players, except for the private contracts."""
    alone = config.seats == 1
    return {"timer": config.timer} if alone else {"tie-break": TIE_BREAKS[config.seat_first]}


# -- The setup


def _house(node: Node, config: Config) -> int:
    house = node.parsed(parse_house)
    if not config.heights[house]:
        node.fail(config.unused(house))
    return house


HOUSE = Kind(_house, lambda house, config: HOUSES[house])
CARD, CONTRACT = name(parse_card, CARDS), name(parse_public, PUBLIC_NAMES)


def deal_kinds(config: Config) -> dict[str, Kind]:
    """Return the kinds of the keys under ``setup``, bounded by the box (P-SETUP-2, P-SETUP-3)."""
    cards, contracts = config.construction_deck, config.public_deck
    houses = [HOUSES[house] for house in config.houses]
    return {
        "tokens": by(HOUSE, drawn(number(1, 9), bytes(config.edition.tokens)), houses),
        "cards": many(drawn(CARD, cards), count=min(CARD_SPACES, len(cards))),
        "contracts": many(drawn(CONTRACT, contracts), count=min(CONTRACT_SPACES, len(contracts))),
    }


def deal_of(config: Config, values: Mapping[str, Any]) -> Deal:
    """Return the deal for the values under ``setup``."""
    tokens = bytes(values["tokens"].get(house, 0) for house in range(len(HOUSES)))
    return Deal(tokens, values["cards"], values["contracts"])


def deal_values(config: Config, deal: Deal) -> dict[str, Any]:
    """Return the values of a deal by the keys under ``setup``."""
    tokens = {house: deal.tokens[house] for house in config.houses}
    return {"tokens": tokens, "cards": deal.cards, "contracts": deal.contracts}


# -- Hidden information: what a seat may know, states consistent with that, and sealed games
#
# What is hidden are the private contracts of the others (P-SETUP-5), dealt and kept, and the order
# in which cards come up, which no state contains. Face-down piles are known as multisets: all cards
# that are not in them have been seen. In a sealed game no computer knows what is hidden: private
# contracts are sealed when they are kept, and revealed at the end.

deal_sealed = partial(deal, sealed=True)
_HIDDEN = tuple(bytes([HIDDEN]) * count for count in range(DEALT + 1))


def view(state: State, seat: int | None) -> View:
    """Return what a seat, or (``None``) a bystander, may know.

    Each private contract of the others is ``HIDDEN`` until the game is over (P-END-2).
    """
    if state.phase == OVER or not state.config.private_contracts:
        return View(seat, state)
    table = state.copy()
    table.dealt = _of_others_hidden(state.dealt, seat)
    table.kept = _of_others_hidden(state.kept, seat)
    return View(seat, table)


def _of_others_hidden(contracts: tuple[bytes, ...], seat: int | None) -> tuple[bytes, ...]:
    return tuple(
        [cards if owner == seat else _HIDDEN[len(cards)] for owner, cards in enumerate(contracts)]
    )


def dealt_anew(view: View, chance: Chance) -> State:
    """Return a table of a running game with the private contracts of the others dealt anew.

    At a real table, where only the players know their deal, a deal is made up for everybody, and
    all players are assumed to have made their choice by their own first turn. In the state of a
    sealed game everything is then known, so nothing is left to be revealed.
    """
    table: State = view.table
    config = table.config
    if not config.private_contracts:
        return table
    looker = view.seat
    own = b"" if looker is None else (table.dealt or table.kept)[looker]
    if HIDDEN in own:
        looker, own = None, b""
    deck = without(config.private_deck, own)
    dealt, kept = [], []
    for seat in range(config.seats):
        hand = own if seat == looker else b""
        more, deck = draw_from(deck, DEALT - len(hand), "private", chance)
        hand += more
        has_kept = bool(table.kept[seat]) or (not table.dealt and seat <= table.turn)
        chosen = table.kept[seat] if seat == looker else b""
        if HIDDEN in chosen:
            chosen = b""
        if has_kept:
            rest = without(hand, chosen)
            chosen += draw_from(rest, KEPT - len(chosen), "private", chance)[0]
        dealt.append(hand)
        kept.append(bytes(sorted(chosen)))
    new = table.copy()
    new.dealt = tuple(dealt)
    new.kept = tuple(kept)
    new.seals = bytes([GIVEN_UP if seal == GIVEN_UP else SHOWN for seal in table.seals])
    return new


def sealed_pile(config: Config) -> SealedPile | str:
    """Return the private contracts and how many each seat gets, or why a game cannot be sealed."""
    if config.seats == 1:
        return "A solo game cannot be sealed: there are no other players to hide anything from."
    if not config.private_contracts:
        return SealedPile(b"", 0)
    return SealedPile(config.private_deck, DEALT)


def with_hand(deal: Deal, seat: int, hand: bytes) -> Deal:
    """Return a sealed deal in which the private contracts of a seat are known."""
    if not deal.sealed or not 0 <= seat < len(deal.private) or len(hand) != DEALT:
        raise ValueError(f"The seat {seat} is not dealt {list(hand)} in this game.")
    return deal._replace(private=(*deal.private[:seat], hand, *deal.private[seat + 1 :]))


def is_sealed(move: Move) -> bool:
    """Return whether a move keeps private contracts without saying which."""
    return isinstance(move, Keep) and move == KEEP_SEALED


def seal(state: State, move: Move, seat: int) -> tuple[Move, bytes]:
    """Return a move as the others see it, and the private contracts it hides, if it keeps any."""
    if not isinstance(move, Keep) or not state.seals or state.is_revealing:
        return move, b""
    dealt = state.dealt[seat]
    if HIDDEN in dealt or not move.places:
        raise ValueError("A move can hide only contracts from the hand of the player who makes it.")
    return KEEP_SEALED, bytes(sorted(dealt[place] for place in move.places))


def unseal(state: State, move: Move, hidden: bytes, seat: int) -> Move:
    """Return the choice of these private contracts in place of a sealed one."""
    if not is_sealed(move):
        return move
    dealt = state.dealt[seat]
    if any(hidden.count(contract) > dealt.count(contract) for contract in hidden):
        raise ValueError(f"Not all of {list(hidden)} are in the hand of the seat {seat}.")
    places: list[int] = []
    for contract in hidden:
        places.append(next(p for p, one in enumerate(dealt) if one == contract and p not in places))
    return Keep(tuple(sorted(places)))


def reveal(hidden: bytes) -> Move:
    """Return the move that names three private contracts at the end (P-END-2)."""
    return Keep((), tuple(sorted(hidden)))


def revealed(state: State, move: Move) -> bytes:
    """Return the private contracts that a move reveals at the end."""
    if not isinstance(move, Keep) or not state.seals or not state.is_revealing:
        return b""
    return bytes(sorted(move.named))


def unrevealed(state: State) -> tuple[int, ...]:
    """Return the seats whose private contracts are still known only to them."""
    return state.unrevealed if state.seals else ()


def is_waiting(state: State) -> bool:
    """Return whether empty spaces still wait for their refill."""
    return state.is_waiting


# -- The game

_FOLLOW_UPS = {CONTRACTS: ("contract", "contract"), TIMER: ("timer-build", "build")}
"""The phases in which a turn waits for another decision: its key in the record, and the verb of the
move that it stands for."""


class LeftOut:
    """How Porto goes on when nobody plays a seat: its turns are skipped."""

    def fault(self, state: State, seat: int) -> str | None:
        """Return why a seat cannot be left out in the middle of its turn, or at the end."""
        player = state.config.players[seat]
        if state.phase == CONTRACTS and state.seat == seat:
            return (
                f"{player} has built and must say which contracts that fulfills before leaving: "
                "'contract none' fulfills none."
            )
        without = leave_out(state, state.out | {seat})
        if state.is_revealing or without.is_played_out:
            return f"Without {player} the game would end; it has to be played to its end."
        return None

    without = staticmethod(leave_out)


class Porto(PackagedGame[Config, State, Move, Event]):
    """The game of Porto; :class:`porto_cli.games.Game` explains the members."""

    meta = META

    # The options are keywords of Config, each of a type of its own.
    def new_config(self, players: Sequence[str], **options: Any) -> Config:
        """Return a configuration; the options are ``edition`` and those of :class:`Config`.

        A solo game has a ``timer`` of 28 cards by default. Raises ValueError.
        """
        if options.get("timer", TIMERS[0]) not in TIMERS:
            raise ValueError(f"A timer has {TIMERS[0]}, {TIMERS[1]} or {TIMERS[2]} cards.")
        edition = options.pop("edition", None) or shipped(DEFAULT)
        config = Config(edition, tuple(players), **options)
        for fault in config.faults():
            raise ValueError(fault)
        return config

    def read_config(self, root: Node, players: tuple[str, ...]) -> Config:
        """Return the configuration of the keys ``edition`` and ``options``.

        Raises InvalidFileError.
        """
        options = read_all(_OPTIONS, root["options"]) if "options" in root else {}
        if "timer" in options and len(players) > 1:
            root["options"]["timer"].fail("Only a solo game has a timer.")
        config = Config(
            _read_edition(root.get("edition")),
            players,
            private_contracts=options.get("private-contracts", True),
            seat_first=options.get("tie-break") == TIE_BREAKS[1],
            timer=int(options.get("timer", TIMERS[0])),
        )
        # A scenario needs no setup, so its box need not hold what a setup takes.
        for fault in config.faults() if "setup" in root else ():
            root.keys.get("edition", root.keys["players"]).fail(fault)
        return config

    def config_lines(self, config: Config) -> list[str]:
        """Return the canonical lines of ``edition`` and ``options``."""
        options = {"private-contracts": config.private_contracts, **options_of(config)}
        if is_shipped(config.edition):
            edition = [f"edition: {config.edition.name}"]
        else:
            edition = ["edition:", *(f"  {line}" for line in edition_lines(config.edition))]
        return [*edition, f"options: {as_yaml(options)}"]

    initial_state = staticmethod(begin)
    to_move = staticmethod(to_move)
    legal_moves = staticmethod(legal_moves)
    violations = staticmethod(violations)
    apply = staticmethod(apply)
    canonical_move = staticmethod(canonical_move)
    parse_move = staticmethod(parse_move)
    format_move = staticmethod(format_move)

    streams = STREAMS

    def chance_entries(self, before: State, events: Iterable[Event]) -> list[tuple[str, str]]:
        """Return the entries for what came up after a decision at the table ``before``."""
        found = []
        after_timer = before.phase == TIMER
        for event in events:
            if isinstance(event, Refilled):
                found.append(_entry(event.row, event.came_up, after_timer=after_timer))
            elif isinstance(event, TimerTurned):
                found.append(_entry("timer", event.turned))
                after_timer = True
            elif isinstance(event, TimerSkipped):
                found.append(("timer-build", NONE))
        return found

    def result_entries(self, state: State) -> list[tuple[str, str]]:
        """Return the entries of a result: scores, the level of a solo game, what was kept.

        What a player who was given up in a sealed game kept is unknown, and counts nothing; nor do
        the private contracts of a player who has left an open game.
        """
        entries = super().result_entries(state)
        if state.config.timer:
            entries.append(("level", level(state)))
        if any(state.kept) or (state.seals and state.config.private_contracts):
            revealed = {
                scalar(player): UNPROVEN
                if not state.has_shown(seat)
                else " ".join(PRIVATE_NAMES[contract] for contract in state.kept[seat])
                for seat, player in enumerate(state.config.players)
            }
            entries.append(("private", flow(revealed)))
        return entries

    def follow_up(self, state: State) -> tuple[str, str] | None:
        """A build waits for the choice of public contracts, two cards of the timer for a build."""
        return _FOLLOW_UPS.get(state.phase)

    def continues(self, state: State, move: Move, seat: int) -> bool:
        """Private contracts may be kept while a turn waits; that is an item of its own."""
        return state.phase in _FOLLOW_UPS and state.seat == seat and not isinstance(move, Keep)

    def remark(self, events: Sequence[Event], config: Config) -> str:
        """Return where the VP of a build came from."""
        scores = scored_in(events)
        if not scores:
            return ""
        parts = ", ".join(f"{score.contract or score.kind} {score.vp}" for score in scores)
        return f"{parts}: {sum(score.vp for score in scores)} VP"

    def outcome(self, state: State) -> Outcome | None:
        """Return places and scores (P-RANK-1, P-RANK-2); a solo game can be lost (P-SOLO-6)."""
        if state.phase != OVER:
            return None
        lost = bool(state.config.timer) and level(state) == LOST
        won = tuple(place == 1 and not lost for place in places(state))
        return Outcome(places(state), state.scores, won)

    view = staticmethod(view)

    def resample(self, view: View, rng: Random) -> State:
        """Return a random state consistent with the view: others get new private contracts."""
        table: State = view.table
        return table if table.phase == OVER else dealt_anew(view, random_chance(rng))

    def is_hidden(self, event: Event) -> bool:
        """P-DRAW-2 and P-PUBLIC-3: what comes up; P-END-2: what is revealed only then."""
        return isinstance(event, Refilled) or is_final(event)

    def stops_foresight(self, event: Event) -> Violation | None:
        """P-SOLO-2: the two cards of the timer are unknown before they are turned up."""
        if not isinstance(event, TimerTurned):
            return None
        return Violation(
            "P-SOLO-2",
            "What can be done then depends on the timer cards that this turn will turn up.",
        )

    def turn_moves(self, state: State, moves: list[Move], seat: int) -> list[Move]:
        """P-PUBLIC-1: after a build that meets no public contract there is nothing to choose.

        'contract none' is dropped; any other choice is refused.
        """
        if len(moves) != 2 or not isinstance(moves[1], Claim) or state.phase != ACT:
            return moves
        build = moves[0]
        if not isinstance(build, Build) or violations(state, build, seat):
            return moves
        if met_by(as_built(state, build), state.contracts):
            return moves
        if moves[1] == CLAIM_NONE:
            return moves[:1]
        raise IllegalMoveError(
            [Violation("P-PUBLIC-1", "This build meets none of the face-up public contracts.")]
        )

    def describe(self, event: Event, config: Config) -> str:
        """Return an event as a sentence."""
        return event.told(config.players)

    events_text = staticmethod(summary)

    event_json = staticmethod(event_json)
    turn = staticmethod(turn)

    def does(self, state: State, verb: str) -> str:
        """Return what moves with a verb do now."""
        return "build for the timer (no VP)" if state.phase == TIMER else super().does(state, verb)

    def glance(self, state: State, seat: int | None) -> Glance:
        """Return the round and the scores; private contracts count at the end (P-END-2)."""
        return Glance(state.round, tuple(state.scores))

    def facts(self, config: Config) -> tuple[dict[str, Any], str | None]:
        """Return the edition, and a remark if it does not come with the program."""
        name, own = config.edition.name, not is_shipped(config.edition)
        remark = f"with an edition of its own, {shown(name)}" if own else None
        return {"edition": name, "own_edition": own}, remark

    observe = later(".options:observe")
    example = later(".options:example")
    decided = later(".shown:decided")

    secrets = Secrets(
        "private contracts",
        "keeps private contracts",
        is_secret=lambda move: isinstance(move, Keep),
        movers=lambda state: tuple(
            seat for seat in range(state.config.seats) if may_keep(state, seat)
        ),
        there_are=lambda state: bool(state.dealt),
    )
    """P-SETUP-5: which private contracts a player has."""
    leaving = LeftOut()
    # This module itself is the ability: its members are the functions above, and ``apply``,
    # ``deal``, ``give_up`` and ``turn_up``, which are imported under their own names for that.
    sealing: Sealing[Config, State, Move, Event] = later(".game")


PORTO = Porto()
