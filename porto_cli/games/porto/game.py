"""The class of the game, for :class:`porto_cli.games.Game`; before it the keys that only records of
Porto have.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from porto_cli.core import Violation, cited
from porto_cli.core.chance import random_chance
from porto_cli.core.values import event_json
from porto_cli.core.yaml import Node, flow, scalar
from porto_cli.games import PackagedGame
from porto_cli.games.porto import META
from porto_cli.games.porto.commands import TIE_BREAKS
from porto_cli.games.porto.editions import DEFAULT, edition_lines, edition_of, is_shipped, shipped
from porto_cli.games.porto.engine import (
    CARD_SPACES,
    CARDS,
    CONTRACT_SPACES,
    HOUSES,
    NONE,
    PRIVATE_NAMES,
    PUBLIC_NAMES,
    STREAMS,
    parse_card,
    parse_house,
    parse_public,
)
from porto_cli.games.porto.engine.cards import CLAIM_NONE, Claim, Keep, may_keep
from porto_cli.games.porto.engine.play import (
    Build,
    Move,
    apply,
    as_built,
    canonical_move,
    legal_moves,
    to_move,
    violations,
)
from porto_cli.games.porto.engine.scoring import LOST, level, met_by, places
from porto_cli.games.porto.engine.state import (
    ACT,
    CONTRACTS,
    OVER,
    TIMER,
    TIMERS,
    Config,
    Deal,
    State,
    begin,
    deal,
)
from porto_cli.games.porto.engine.turn import (
    Event,
    Refilled,
    TimerSkipped,
    TimerTurned,
    is_final,
    leave_out,
    scored_in,
)
from porto_cli.games.porto.notation import format_move, parse_move, summary, turn
from porto_cli.games.porto.sealing import PortoSealing, dealt_anew, view
from porto_cli.kinds import (
    FLAG,
    Kind,
    Plain,
    as_yaml,
    by,
    drawn,
    many,
    name,
    number,
    read_all,
    word,
)
from porto_cli.match.items import IllegalMoveError
from porto_cli.seam import Glance, Outcome, Secrets, View, later

if TYPE_CHECKING:
    from random import Random


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


class Dealing:
    """What is turned up before the first move, see :class:`porto_cli.abilities.Setup`."""

    deal = staticmethod(deal)

    def deal_kinds(self, config: Config) -> dict[str, Kind]:
        """Return the kinds of the keys under ``setup`` (P-SETUP-2, P-SETUP-3)."""
        cards, contracts = config.construction_deck, config.public_deck
        houses = [HOUSES[house] for house in config.houses]
        return {
            "tokens": by(HOUSE, drawn(number(1, 9), bytes(config.edition.tokens)), houses),
            "cards": many(drawn(CARD, cards), count=min(CARD_SPACES, len(cards))),
            "contracts": many(
                drawn(CONTRACT, contracts), count=min(CONTRACT_SPACES, len(contracts))
            ),
        }

    def deal_of(self, config: Config, values: Mapping[str, Any]) -> Deal:
        """Return the deal for the values under ``setup``."""
        tokens = bytes(values["tokens"].get(house, 0) for house in range(len(HOUSES)))
        return Deal(tokens, values["cards"], values["contracts"])

    def deal_values(self, config: Config, deal: Deal) -> dict[str, Any]:
        """Return the values of a deal by the keys under ``setup``."""
        tokens = {house: deal.tokens[house] for house in config.houses}
        return {"tokens": tokens, "cards": deal.cards, "contracts": deal.contracts}


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
            edition_of(root.get("edition")),
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
        remark = f"with an edition of its own, {cited(name)}" if own else None
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
    setup = Dealing()
    leaving = LeftOut()
    sealing = PortoSealing()


PORTO = Porto()
