"""The record: the one file that is a game. Text to :class:`Record` and back.

A record is a header (who plays, with which box and options, what the setup turned up) and a
list of turns. Loading is strict and says where something is wrong. Writing appends to the text:
what people wrote into the file stays as it is.

This module knows the form of a record, not what a turn means: that is
:mod:`porto_cli.match.replay`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from porto_cli.core.characters import find_forbidden, find_invisible, without_selectors
from porto_cli.core.errors import InvalidMoveError
from porto_cli.core.message import Sentence, say
from porto_cli.core.quoting import file_word
from porto_cli.core.schema import Reader
from porto_cli.core.yaml import (
    Mapping,
    Node,
    Place,
    Scalar,
    flow,
    read,
    scalar,
)
from porto_cli.games.porto.editions import DEFAULT, edition_lines, edition_of_node, shipped
from porto_cli.games.porto.editions import names as edition_names
from porto_cli.games.porto.engine.components import CARD_SPACES, CONTRACT_SPACES, HOUSES
from porto_cli.games.porto.engine.edition import Edition
from porto_cli.games.porto.engine.state import MOST_PLAYERS, TIMERS, Config, Deal, without
from porto_cli.games.porto.notation import PUBLIC_NAMES, card_names, parse_card, parse_public

FORMAT = 1
"""The version of the record format."""
RULES = 1
"""The version of the rules that this program plays."""

OPEN, TABLE = "open", "table"
SECRECIES = (OPEN, TABLE)
TIE_BREAKS = ("contracts-first", "seat-first")

FOLLOW_UPS = (
    "contract",
    "refill",
    "refill-contracts",
    "timer",
    "timer-build",
    "timer-refill",
    "timer-refill-contracts",
)
"""What a turn can go on with, in this order."""
RESULT_KEYS = ("result", "level", "private", "fingerprint")
KEYS = (*FOLLOW_UPS, *RESULT_KEYS)
LONGEST_NAME = 40
GENERIC_NAME = "GAME.yaml"
"""What a file is called whose name is not known, or holds what must not stand in a record."""


class Item(NamedTuple):
    """One item of ``turns``: its keys with their texts, in order, and where they stand.

    The values of ``result`` and ``private`` are mappings; their text here is canonical.
    """

    entries: tuple[tuple[str, str], ...]
    places: tuple[tuple[int, int], ...]
    """Line and column of each value, counted from 1."""

    @property
    def line(self) -> int:
        """The line in which the item begins."""
        return self.places[0][0]


class Record(NamedTuple):
    """A record as it was read: header, items, and the text that they came from."""

    file: str
    text: str
    title: str
    config: Config
    secrecy: str
    seed: str
    deal: Deal
    items: tuple[Item, ...]
    lines: dict[str, tuple[int, int]]
    """Line and column of the header's values."""
    dash: int
    """Blanks before the dash of an item."""
    indent: int
    """Blanks before the keys that an item goes on with."""

    def place(self, item: int, entry: int = 0) -> Place:
        """Return where a value of an item stands."""
        return Place(self.file, *self.items[item].places[entry])

    def with_item(self, entries: Sequence[tuple[str, str]], remark: str = "") -> Record:
        """Return the record with a new item at its end."""
        # A dash may stand in a line of its own, and what follows closer to it than a blank allows.
        indent = max(self.indent, self.dash + 2)
        lines = item_lines(entries, remark, self.dash, indent)
        places = self._places_of(entries, indent)
        return self._replace(
            text=_with_lines(self.text, lines),
            items=(*self.items, Item(tuple(entries), places)),
            indent=indent,
        )

    def with_more(self, entries: Sequence[tuple[str, str]], remark: str = "") -> Record:
        """Return the record with its last item going on."""
        last = self.items[-1]
        lines = item_lines(entries, remark, self.dash, self.indent, first=False)
        places = self._places_of(entries, self.indent)
        item = Item((*last.entries, *entries), (*last.places, *places))
        return self._replace(text=_with_lines(self.text, lines), items=(*self.items[:-1], item))

    def _places_of(
        self, entries: Sequence[tuple[str, str]], indent: int
    ) -> tuple[tuple[int, int], ...]:
        line = _ended(self.text).count("\n")
        return tuple(
            (line + nth, indent + len(scalar(key)) + 3)
            for nth, (key, _) in enumerate(entries, start=1)
        )


def _ended(text: str) -> str:
    return text if text.endswith("\n") else text + "\n"


def _with_lines(text: str, lines: list[str]) -> str:
    """Append lines, with the line ends that the text has: mail programs may have changed them."""
    end = "\r\n" if "\r\n" in text else "\n"
    return text + ("" if text.endswith("\n") else end) + end.join(lines) + end


def item_lines(
    entries: Iterable[tuple[str, str]],
    remark: str = "",
    dash: int = 0,
    indent: int = 2,
    *,
    first: bool = True,
) -> list[str]:
    """Return an item as lines, or (not ``first``) the lines that an item goes on with."""
    lines = []
    for nth, (key, value) in enumerate(entries):
        lead = " " * dash + "-" + " " * (indent - dash - 1) if first and not nth else " " * indent
        lines.append(f"{lead}{scalar(key)}: {value}")
    if remark:
        lines[0] += f"  # {remark}"
    return lines


def load(text: str, file: str) -> Record:
    """Return the record of a text; ``file`` names it in errors. Raises InvalidFileError."""
    return load_node(read(text, file), text, Reader(file))


_REQUIRED = ("porto", "rules", "players", "setup", "turns")
_OPTIONAL = ("title", "edition", "options", "secrecy", "seed")


def load_node(root: Mapping, text: str, reader: Reader) -> Record:
    """Return the record that a node holds; ``text`` is where turns would be appended."""
    entries = root.entries
    _check_kind(root, reader)
    _check_versions(entries, reader, root)
    reader.keys(root, _REQUIRED, _OPTIONAL)
    if list(entries)[-1] != "turns":
        later = list(entries)[-1]
        reader.fail(
            root.keys[later], say("The key 'turns' has to be the last one; {key!r} is.", key=later)
        )
    secrecy = (
        reader.one_of(entries["secrecy"], "secrecy", SECRECIES) if "secrecy" in entries else OPEN
    )
    seed = _read_seed(entries.get("seed"), secrecy, reader, root)
    game = read_game(entries, reader)
    for fault in game.faults():
        reader.fail(root.keys.get("edition", root.keys["players"]), fault)
    deal = _read_setup(entries["setup"], game, reader)
    items, dash, indent = _read_turns(entries["turns"], root, reader)
    return Record(
        file=reader.file,
        text=text,
        title=reader.title(entries["title"], "title") if "title" in entries else "",
        config=game,
        secrecy=secrecy,
        seed=seed,
        deal=deal,
        items=items,
        lines={key: (node.line, node.column) for key, node in entries.items()},
        dash=dash,
        indent=indent,
    )


def _check_kind(root: Mapping, reader: Reader) -> None:
    """A file of another kind is told apart from a record with a mistake."""
    if "scenario" in root.keys:
        reader.fail(
            root.keys["scenario"],
            say("This file is a scenario, not a record; 'porto scenario' runs it."),
        )
    if "heights" in root.keys and "porto" not in root.keys:
        reader.fail(
            root.keys["heights"],
            say("This file is an edition, not a record; 'porto new --edition' plays with it."),
        )


def _check_versions(entries: dict[str, Node], reader: Reader, root: Mapping) -> None:
    """A newer record is refused with a clear sentence, whatever else it may hold."""
    if "porto" not in entries:
        reader.fail(root, say("This is not a record: the key 'porto' is missing."))
    for key, known in (("porto", FORMAT), ("rules", RULES)):
        if key not in entries:
            continue
        version = reader.number(entries[key], key, least=1)
        if version <= known:
            continue
        if key == "porto":
            reader.fail(
                entries[key],
                say(
                    "The record has format {version}, this program reads formats up to {known}: "
                    "a newer porto is needed.",
                    version=version,
                    known=known,
                ),
            )
        reader.fail(
            entries[key],
            say(
                "The game is played under version {version} of the rules, this program knows "
                "versions up to {known}: a newer porto is needed.",
                version=version,
                known=known,
            ),
        )


def _read_seed(node: Node | None, secrecy: str, reader: Reader, root: Mapping) -> str:
    if secrecy == TABLE:
        if node is not None:
            reader.fail(node, say("A game with 'secrecy: table' has no seed."))
        return ""
    if node is None:
        reader.fail(
            root, say("The key 'seed' is missing; a game with real cards has 'secrecy: table'.")
        )
    seed = reader.text(node, "seed")
    if not seed_is_good(seed):
        reader.fail(
            node,
            say("A seed is made of letters, digits, '-' and '_', at most 64 of them."),
        )
    return seed


def seed_is_good(seed: str) -> bool:
    """Tell whether a text can be a seed."""
    return (
        0 < len(seed) <= 64 and seed.isascii() and seed.replace("-", "").replace("_", "").isalnum()
    )


def read_game(entries: dict[str, Node], reader: Reader) -> Config:
    """Return the game of the keys ``players``, ``edition`` and ``options``."""
    players = reader.texts(entries["players"], "players")
    if not 1 <= len(players) <= MOST_PLAYERS:
        reader.fail(
            entries["players"],
            say(
                "Porto has 1 to {most} players, not {count}.", most=MOST_PLAYERS, count=len(players)
            ),
        )
    for nth, (name, node) in enumerate(players):
        fault = name_fault(name, [other for other, _ in players[:nth]])
        if fault:
            reader.fail(node, fault)
    options: dict[str, Node] = {}
    if "options" in entries:
        mapping = reader.mapping(entries["options"], "options")
        reader.keys(mapping, (), ("private-contracts", "tie-break", "timer"))
        options = mapping.entries
    timer = 0
    if len(players) == 1:
        timer = TIMERS[0]
        if "timer" in options:
            timer = int(reader.one_of(options["timer"], "timer", map(str, TIMERS)))
    elif "timer" in options:
        reader.fail(options["timer"], say("Only a solo game has a timer."))
    return Config(
        read_edition(entries.get("edition"), reader),
        tuple(name for name, _ in players),
        private_contracts="private-contracts" not in options
        or reader.flag(options["private-contracts"], "private-contracts"),
        seat_first="tie-break" in options
        and reader.one_of(options["tie-break"], "tie-break", TIE_BREAKS) == TIE_BREAKS[1],
        timer=timer,
    )


def read_edition(node: Node | None, reader: Reader) -> Edition:
    """Return the edition that a file names or holds; the default if it does neither."""
    if node is None:
        return shipped(DEFAULT)
    if isinstance(node, Mapping):
        return edition_of_node(node, reader)
    name = reader.text(node, "edition")
    if name not in edition_names():
        reader.fail(
            node,
            say(
                "The edition {name!r} does not come with the program; there is {names}. Another "
                "one is written out under this key.",
                name=name,
                names=", ".join(edition_names()),
            ),
        )
    return shipped(name)


def is_shipped(edition: Edition) -> bool:
    """Tell whether an edition is one of those that come with the program."""
    return edition.name in edition_names() and shipped(edition.name) == edition


def seat_of(players: Iterable[str], name: str) -> int | None:
    """Return the seat of the one player who can be meant, see :func:`seats_of`; else None."""
    seats = seats_of(players, name)
    return seats[0] if len(seats) == 1 else None


def seats_of(players: Iterable[str], name: str) -> list[int]:
    """Return the seats of the players that a typed name can mean; none if nobody is called so.

    The case and the encoding of a letter make no difference. Whoever has exactly this name is
    meant; else who has it but for accents; else everybody whose name begins with it.
    """
    names = [_folded(player) for player in players]
    wanted = _folded(name.strip())
    found = [seat for seat, player in enumerate(names) if player == wanted]
    if found or not wanted:
        return found
    plain = [_without_accents(player) for player in names]
    plainly_wanted = _without_accents(wanted)
    accented = not wanted.isascii()
    return (
        [seat for seat, player in enumerate(plain) if player == plainly_wanted]
        or [seat for seat, player in enumerate(names) if accented and player.startswith(wanted)]
        or [seat for seat, player in enumerate(plain) if player.startswith(plainly_wanted)]
    )


def _folded(name: str) -> str:
    # An accent can be a letter of its own: the same name, but other characters. The first of
    # those is U+0300; Latin letters have only one form.
    if max(name, default="") >= "\u0300":
        from unicodedata import normalize

        name = without_selectors(normalize("NFC", name))
    return name.casefold()


def _without_accents(name: str) -> str:
    if name.isascii():
        return name
    from unicodedata import combining, normalize

    return "".join(letter for letter in normalize("NFKD", name) if not combining(letter))


def name_fault(name: str, others: Iterable[str] = ()) -> Sentence | None:
    """Say why a name cannot be a player's, or return None if it can."""
    if not name or name != name.strip():
        return say(
            "{name!r} cannot be a player's name: it has to begin and end with a visible character.",
            name=name,
        )
    invisible = find_invisible(name)
    if invisible is not None:
        return say(
            "{name!r} cannot be a player's name: the character {code} in it cannot be seen, or is "
            "too new for some programs.",
            name=name,
            code=f"U+{ord(name[invisible]):04X}",
        )
    if len(name) > LONGEST_NAME:
        return say(
            "A player's name may have {most} characters, {name!r} has {count}.",
            most=LONGEST_NAME,
            name=name,
            count=len(name),
        )
    if name.lower() in KEYS:
        return say(
            "A player cannot be called {name!r}: the word has a meaning of its own in a record.",
            name=name,
        )
    if _folded(name) in map(_folded, others):
        return say("Two players are called {name!r}; give them different names.", name=name)
    return None


def _read_setup(node: Node, config: Config, reader: Reader) -> Deal:
    setup = reader.mapping(node, "setup")
    reader.keys(setup, ("tokens", "cards", "contracts"))
    return Deal(
        tokens=_read_tokens(setup.entries["tokens"], config, reader),
        cards=_read_row(
            setup.entries["cards"], "cards", CARD_SPACES, config.construction_deck(), reader
        ),
        contracts=_read_row(
            setup.entries["contracts"], "contracts", CONTRACT_SPACES, config.public_deck(), reader
        ),
    )


def _read_tokens(node: Node, config: Config, reader: Reader) -> bytes:
    """P-SETUP-2: one token for each house in play."""
    mapping = reader.mapping(node, "tokens")
    reader.keys(mapping, [HOUSES[house] for house in config.houses])
    tokens = bytearray(len(HOUSES))
    left = config.edition.tokens
    for house in config.houses:
        value_node = mapping.entries[HOUSES[house]]
        value = reader.number(value_node, HOUSES[house], least=1, most=9)
        if value not in left:
            reader.fail(
                value_node,
                say(
                    "There are only {count} VP tokens of value {value}.",
                    count=config.edition.tokens.count(value),
                    value=value,
                ),
            )
        left = without(left, bytes([value]))
        tokens[house] = value
    return bytes(tokens)


def _read_row(node: Node, what: str, spaces: int, deck: bytes, reader: Reader) -> bytes:
    """P-SETUP-3: face-up cards or contracts, each of which the box has to hold."""
    texts = reader.texts(node, what)
    wanted = min(spaces, len(deck))
    if len(texts) != wanted:
        reader.fail(
            node,
            say(
                "Under {what!r} there should be {wanted} names, not {count}.",
                what=what,
                wanted=wanted,
                count=len(texts),
            ),
        )
    row = bytearray()
    for text, item in texts:
        try:
            thing = (parse_card if what == "cards" else parse_public)(text)
        except InvalidMoveError as error:
            reader.fail(item, error.sentence)
        if row.count(thing) == deck.count(thing):
            reader.fail(
                item,
                say(
                    "{thing} cannot lie there as well: the box holds {count} of it.",
                    thing=text,
                    count=deck.count(thing),
                ),
            )
        row.append(thing)
    return bytes(row)


def _read_turns(node: Node, root: Mapping, reader: Reader) -> tuple[tuple[Item, ...], int, int]:
    if isinstance(node, Scalar) and node.plain and not node.text:
        if not root.block:
            reader.fail(
                root, say("The keys have to stand one below the other, so that turns can follow.")
            )
        return (), root.column - 1, root.column + 1
    turns = reader.sequence(node, "turns")
    if not turns.block:
        reader.fail(
            node,
            say("The turns have to stand one below the other, each behind a dash: '- Name: move'."),
        )
    items = tuple(_read_item(item, reader) for item in turns.items)
    return items, turns.column - 1, turns.items[-1].column - 1


def _read_item(node: Node, reader: Reader) -> Item:
    if not isinstance(node, Mapping) or not node.block:
        reader.fail(node, say("A turn has to read '- Name: move'."))
    entries = []
    for key, value in node.entries.items():
        if key in ("result", "private"):
            mapping = reader.mapping(value, key)
            parts = {name: reader.text(part, key) for name, part in mapping.entries.items()}
            text = flow(
                {
                    scalar(name): part if part.isdigit() else scalar(part)
                    for name, part in parts.items()
                }
            )
        elif isinstance(value, Scalar):
            text = " ".join(value.text.split())
        else:
            reader.fail(value, say("Behind {key!r} there should be a text.", key=key))
        entries.append((key, text))
    if not entries:
        reader.fail(node, say("A turn has to read '- Name: move'."))
    return Item(
        tuple(entries), tuple((value.line, value.column) for value in node.entries.values())
    )


def new_text(
    config: Config,
    deal: Deal,
    *,
    secrecy: str,
    seed: str,
    title: str = "",
    name: str = GENERIC_NAME,
) -> str:
    """Return the text of a new record without turns; ``name`` is the file it is meant for."""
    lines = header(config, deal, secrecy=secrecy, seed=seed)
    if title:
        lines.insert(2, f"title: {scalar(title)}")
    if "\n" in name or find_forbidden(name) is not None:
        name = GENERIC_NAME
    lines.insert(0, f"# Porto game record. Continue with: porto show {file_word(name)}")
    return "\n".join(lines) + "\n"


def header(config: Config, deal: Deal, *, secrecy: str, seed: str) -> list[str]:
    """Return the canonical lines of a record without title and turns."""
    solo = config.seats == 1
    options = {"private-contracts": "true" if config.private_contracts else "false"}
    if solo:
        options["timer"] = str(config.timer)
    else:
        options["tie-break"] = TIE_BREAKS[config.seat_first]
    lines = [
        f"porto: {FORMAT}",
        f"rules: {RULES}",
        f"players: [{', '.join(map(scalar, config.players))}]",
    ]
    if is_shipped(config.edition):
        lines.append(f"edition: {config.edition.name}")
    else:
        lines.append("edition:")
        lines += [f"  {line}" for line in edition_lines(config.edition)]
    lines += [f"options: {flow(options)}", f"secrecy: {secrecy}"]
    if seed:
        lines.append(f"seed: {scalar(seed)}")
    tokens = {HOUSES[house]: str(deal.tokens[house]) for house in config.houses}
    contracts = [PUBLIC_NAMES[contract] for contract in deal.contracts]
    lines += [
        "setup:",
        f"  tokens: {flow(tokens)}",
        f"  cards: [{', '.join(card_names(deal.cards))}]",
        f"  contracts: [{', '.join(contracts)}]",
        "turns:",
    ]
    return lines
