"""Keys of a record that only Porto has: options, setup, what came up, and the result; and the
editions, the component data of a box.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any
from unicodedata import normalize

from porto_cli.core import shown
from porto_cli.core.chance import NothingTypedError, NotInPileError
from porto_cli.core.files import name_of, read_text
from porto_cli.core.yaml import Node, flow, read, scalar
from porto_cli.games.porto.engine import (
    CARD_SPACES,
    CARDS,
    CONTRACT_SPACES,
    HOUSES,
    NONE,
    PRIVATE_KINDS,
    PRIVATE_NAMES,
    PUBLIC_FAMILIES,
    PUBLIC_NAMES,
    VALUES,
    Edition,
    names_of,
    parse_card,
    parse_house,
    parse_public,
)
from porto_cli.games.porto.engine.moves import Event, Refilled, TimerSkipped, TimerTurned
from porto_cli.games.porto.engine.scoring import level, ranking
from porto_cli.games.porto.engine.state import TIMER, TIMERS, Config, Deal, State
from porto_cli.games.porto.engine.state import deal as deal
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
"""The keys of an edition: what each holds, and where an edition has it."""
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


def passes_for(edition: Edition) -> Edition | None:
    """Return the edition of the program that one with other contents is called like; ``None`` if
    there is none. Case, blanks and signs in a name make no difference.
    """
    called = _bare(edition.name)
    alike = (shipped(name) for name in names() if _bare(name) == called)
    return next((one for one in alike if one != edition._replace(name=one.name)), None)


def _bare(name: str) -> str:
    return "".join(filter(str.isalnum, normalize("NFKC", name))).casefold()


def edition_of_file(path: Path) -> Edition:
    """Return the edition of a file. Raises InvalidFileError, FileError."""
    return edition_of_text(read_text(path), name_of(path))


def edition_of_text(text: str, file: str) -> Edition:
    """Return the edition of an edition file's text. Raises InvalidFileError."""
    return edition_of_node(read(text, file))


def edition_of_node(node: Node) -> Edition:
    """Return the edition that a node describes. Raises InvalidFileError.

    Contracts that are left out are those of the default edition.
    """
    found = read_all(_KINDS, node, required=_REQUIRED)
    for key in ("public-contracts", "private-contracts"):
        if key not in found:
            found[key] = _values(shipped(DEFAULT))[key]
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


def differences(edition: Edition, other: Edition) -> list[str]:
    """Return the keys of an edition file, besides the name, under which two editions differ."""
    one, two = (_values(each._replace(name="")) for each in (edition, other))
    return [key for key, value in one.items() if value != two[key]]


def edition_lines(edition: Edition) -> list[str]:
    """Return an edition as the lines of its file; :func:`edition_of_text` reads them back."""
    values = _values(edition)
    if not edition.artificial:
        del values["artificial"]
    return canonical_lines(_KINDS, values)


def _values(edition: Edition) -> dict[str, Any]:
    return {key: find(edition) for key, (_, find) in _FIELDS.items()}


# -- Keys of a record that only Porto has: options, setup, what came up, and the result

_ROWS = {"cards": "refill", "contracts": "refill-contracts"}
_TIMER_ROWS = {"cards": "timer-refill", "contracts": "timer-refill-contracts"}
"""The keys for what came up in a row, in a turn or after the timer."""
_TURNED_UP = frozenset({Refilled, TimerTurned, TimerSkipped})
"""The events that an item has to record, as they do not follow from the moves."""
_STREAM_OF = {
    **{key: stream for rows in (_ROWS, _TIMER_ROWS) for stream, key in rows.items()},
    "timer": "timer",
}
"""The keys for what came up, and the streams of chance that it came from."""


def chance_entries(before: State, events: Iterable[Event]) -> list[tuple[str, str]]:
    """Return what came up after a decision that was made at a table like ``before``."""
    found = []
    rows = _TIMER_ROWS if before.phase == TIMER else _ROWS
    for event in events:
        if type(event) not in _TURNED_UP:
            continue
        if isinstance(event, Refilled):
            found.append(_entry(rows[event.row], event.came_up))
        elif isinstance(event, TimerTurned):
            found.append(_entry("timer", event.turned))
            rows = _TIMER_ROWS
        else:
            found.append(("timer-build", NONE))
    return found


@lru_cache(maxsize=4096)
def _entry(key: str, things: bytes) -> tuple[str, str]:
    """Return the entry for what came up; many records and turns share it."""
    called = names_of(_STREAM_OF[key])
    return key, " ".join([called[thing] for thing in things])


def read_chance(key: str, text: str) -> tuple[str, bytes] | None:
    """Return the stream of an entry and what came up; ``None`` for any other key.

    Raises InvalidMoveError.
    """
    stream = _STREAM_OF.get(key)
    if stream is None:
        return None
    parse = parse_public if stream == "contracts" else parse_card
    return stream, bytes(parse(word) for word in text.split())


def chance_fault(error: NothingTypedError | NotInPileError) -> str:
    """Return what an item lacks, or which of its things cannot come up."""
    if isinstance(error, NotInPileError):
        called = names_of(error.stream)[error.thing]
        return f"{called} cannot come up: all copies of it are face up, in a hand, or played."
    if error.stream == "timer":
        return "The turn has to say which two timer cards were turned up ('timer: …')."
    if error.stream == "contracts":
        return "The turn has to say which public contracts came up ('refill-contracts: …')."
    return "The turn has to say which construction cards came up ('refill: …')."


TIE_BREAKS = ("contracts-first", "seat-first")
"""What decides a tie first (P-RANK-1, P-RANK-2)."""
UNPROVEN = "unproven"
"""What the result has for the private contracts of a player who was given up."""


# The options are keywords of Config, each of a type of its own.
def new_config(players: Sequence[str], **options: Any) -> Config:
    """Return a configuration; the options are those of :class:`Config`, ``edition`` too.

    A solo game has a ``timer`` of 28 cards if none is named. Raises ValueError.
    """
    if options.get("timer", TIMERS[0]) not in TIMERS:
        raise ValueError(f"A timer has {TIMERS[0]}, {TIMERS[1]} or {TIMERS[2]} cards.")
    edition = options.pop("edition", None) or shipped(DEFAULT)
    config = Config(edition, tuple(players), **options)
    for fault in config.faults():
        raise ValueError(fault)
    return config


_OPTIONS = {
    "private-contracts": FLAG,
    "tie-break": word(*TIE_BREAKS),
    "timer": word(*map(str, TIMERS)),
}


def read_config(root: Node, players: tuple[str, ...]) -> Config:
    """Return the configuration of the keys ``edition`` and ``options``. Raises InvalidFileError."""
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
    # A scenario is not set up, so that its box need not hold what a setup takes.
    for fault in config.faults() if "setup" in root else ():
        root.keys.get("edition", root.keys["players"]).fail(fault)
    return config


def _read_edition(node: Node | None) -> Edition:
    """Return the edition that a file names or holds; the default if it does neither."""
    if node is None:
        return shipped(DEFAULT)
    if node.is_mapping:
        return edition_of_node(node)
    name = node.text()
    if name not in names():
        node.fail(
            f"The edition {shown(name)} does not come with the program; there is "
            f"{', '.join(names())}. Another one is written out under this key."
        )
    return shipped(name)


USUAL: dict[str, Plain] = {"timer": TIMERS[0], "tie-break": TIE_BREAKS[0]}
"""The options of a game for which none is named, but for the private contracts."""


def options_of(config: Config) -> dict[str, Plain]:
    """Return the options that a game with so many players has besides the private contracts."""
    alone = config.seats == 1
    return {"timer": config.timer} if alone else {"tie-break": TIE_BREAKS[config.seat_first]}


def config_lines(config: Config) -> list[str]:
    """Return the canonical lines of ``edition`` and ``options``."""
    options = {"private-contracts": config.private_contracts, **options_of(config)}
    if is_shipped(config.edition):
        edition = [f"edition: {config.edition.name}"]
    else:
        edition = ["edition:", *(f"  {line}" for line in edition_lines(config.edition))]
    return [*edition, f"options: {as_yaml(options)}"]


# -- The setup


def _house(node: Node, config: Config) -> int:
    house = node.parsed(parse_house)
    if not config.heights[house]:
        node.fail(config.unused(house))
    return house


HOUSE = Kind(_house, lambda house, config: HOUSES[house])
CARD, CONTRACT = name(parse_card, CARDS), name(parse_public, PUBLIC_NAMES)


def deal_kinds(config: Config) -> dict[str, Kind]:
    """Return what is under ``setup`` (P-SETUP-2, P-SETUP-3), of which the box has enough."""
    cards, contracts = config.construction_deck, config.public_deck
    houses = [HOUSES[house] for house in config.houses]
    return {
        "tokens": by(HOUSE, drawn(number(1, 9), bytes(config.edition.tokens)), houses),
        "cards": many(drawn(CARD, cards), count=min(CARD_SPACES, len(cards))),
        "contracts": many(drawn(CONTRACT, contracts), count=min(CONTRACT_SPACES, len(contracts))),
    }


def deal_of(config: Config, values: Mapping[str, Any]) -> Deal:
    """Return the deal that has these values under ``setup``."""
    tokens = bytes(values["tokens"].get(house, 0) for house in range(len(HOUSES)))
    return Deal(tokens, values["cards"], values["contracts"])


def deal_values(config: Config, deal: Deal) -> dict[str, Any]:
    """Return what a deal has under the keys of ``setup``."""
    tokens = {house: deal.tokens[house] for house in config.houses}
    return {"tokens": tokens, "cards": deal.cards, "contracts": deal.contracts}


# -- The result


def result_entries(state: State) -> list[tuple[str, str]]:
    """Return the entries of a result: scores, the level of a solo game, what was kept.

    What a player of a sealed game kept who was given up is unknown, and counts nothing; so does
    what somebody kept who has left an open game.
    """
    players = state.config.players
    scores = {scalar(players[seat]): str(state.scores[seat]) for seat in ranking(state)}
    entries = [("result", flow(scores))]
    if state.config.timer:
        entries.append(("level", level(state)))
    if any(state.kept) or (state.seals and state.config.private_contracts):
        revealed = {
            scalar(player): UNPROVEN
            if not state.has_shown(seat)
            else " ".join(PRIVATE_NAMES[contract] for contract in state.kept[seat])
            for seat, player in enumerate(players)
        }
        entries.append(("private", flow(revealed)))
    return entries
