"""The machine part of a sealed record: the genesis and the signed steps as text and back, and the
setup, in which the record goes around the table twice.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from secrets import token_hex
from typing import Any, NamedTuple, NoReturn

from porto_cli.core import SentenceError, cited
from porto_cli.core.chance import choose, seeded_chance
from porto_cli.core.yaml import (
    InvalidFileError,
    NotKnownHereError,
    Place,
    newline_of,
    scalar,
    with_entry,
)
from porto_cli.games import Game
from porto_cli.match.record import (
    FORMAT,
    SEALED,
    Header,
    NotReadyError,
    Record,
    changed_by_reading,
    ended,
    header_lines,
    load,
    new_text,
    read_again,
    setup_lines,
    with_lines,
)
from porto_cli.sealed import (
    NONCE_SIZE,
    SIZE,
    GameSecrets,
    ProofError,
    dealing,
    demand,
    from_text,
    in_step,
    is_point,
    seed_of,
    short_hash,
)
from porto_cli.sealed.dealing import Join, SetupState, Unlock
from porto_cli.sealed.holder import KeyHolder, last_verified, remember_chain
from porto_cli.sealed.steps import Chain, Head, SignedStep, check_plain, game_id, public_text
from porto_cli.seam import Config, SealedPile

# -- The machine part as text
#
# The machine part begins with the line ``seals: |`` and reaches to the end of the file, so that the
# whole file is YAML. It is a sequence of JSON objects, the genesis and then the steps by height,
# each spelled in exactly one way: keys sorted, ASCII, with escapes in place of spaces and ``#``.
# Line breaks and spaces therefore mean nothing and may change on the way; everything else is
# refused. ``porto_cli.sealed.steps`` says what a signature covers, ``porto_cli.sealed.course`` what
# a step means for the game.

Data = dict[str, Any]
"""A genesis or a step: texts as keys; texts, whole numbers, lists and mappings as values."""

MARK = "seals:"
WIDTH = 76
"""Maximum length of a line that is written."""
MOST_STEPS = 20_000
"""Maximum number of steps. A game has a few hundred."""
DEEPEST = 8
"""Maximum depth of nesting in a step."""

_FIRST_LINE = re.compile(r"seals:[ \t]*\|[ \t]*(?:#[^\n]*)?\r?(?:\n|\Z)")
_BLOCK = re.compile(r"(?:[ \t][ -~\t]*\r?\n|\r?\n)*(?:[ \t][ -~\t]*)?")
"""Lines of ASCII that are indented, or empty."""
_LEAD = "  "
_NOTE = (
    "# This part is for porto: who signed which step, and what proves it. Leave",
    "# it as it is; 'porto verify' tells in words what it says.",
)


class Seals(NamedTuple):
    """The machine part of a record as it was read."""

    genesis: Data
    """What was agreed on before the game."""
    steps: tuple[Data, ...]
    file: str
    text: str
    """The lines after the mark, for the positions of errors."""
    line: int
    """The number of the first of them."""

    def place(self, height: int) -> Place:
        """Return the place in the file where a step begins; 0 is the genesis, and after the last
        step comes the end.
        """
        before = sum(len(spelled(data)) for data in (self.genesis, *self.steps)[:height])
        return self.place_of(before)

    def place_of(self, position: int) -> Place:
        """Return the place in the file of a position in the data without spaces and comments."""
        seen, place = 0, Place(self.file, self.line + self.text.count("\n"), 1)
        for line, column, data in _rows(self.text):
            seen, place = seen + len(data), Place(self.file, self.line + line, column)
            if position < seen:
                break
        return place

    def fail(self, height: int, sentence: str) -> NoReturn:
        """Raise InvalidFileError at a step."""
        raise InvalidFileError(self.place(height), sentence)

    @contextmanager
    def checked(self) -> Iterator[None]:
        """Turn an error in a step into one of the record, at the position of that step."""
        try:
            yield
        except ProofError as error:
            kind = NotKnownHereError if _NOT_READ in error.sentences else InvalidFileError
            raise kind(self.place(error.step or 0), " ".join(error.sentences)) from None


def seals_of(record: Record) -> Seals:
    """Parse the machine part of a record. Raises InvalidFileError."""
    file, machine = record.file, record.machine
    line = record.human.count("\n") + 1
    first = _FIRST_LINE.match(machine)
    if not first:
        raise InvalidFileError(
            Place(file, line, 1),
            "The line that begins the machine part has to read 'seals: |'.",
        )
    block = machine[first.end() :]
    whole = _BLOCK.match(block)
    end = whole.end() if whole else 0
    if end < len(block):
        number, column = line + 1 + block.count("\n", 0, end), end - block.rfind("\n", 0, end)
        raise InvalidFileError(
            Place(file, number, column),
            "The machine part reaches to the end of the file, and its lines begin with two spaces "
            "and are in ASCII; this one is not. The turns of the game belong before 'seals:'; if "
            "it was changed on its way, ask for another copy.",
        )
    seals = Seals({}, (), file, block, line + 1)
    packed, position, objects = "".join(data for *_, data in _rows(block)), 0, list[Data]()
    while position < len(packed):
        try:
            found, after = _DECODER.raw_decode(packed, position)
            is_spelled = type(found) is dict and spelled(found) == packed[position:after]
            demand(is_spelled, "another spelling")
            demand(len(objects) < MOST_STEPS, "too many steps")
        except (ValueError, RecursionError, ProofError) as error:
            place = seals.place_of(getattr(error, "pos", position))
            raise InvalidFileError(place, _DAMAGED) from None
        objects.append(found)
        position = after
    if not objects:
        raise InvalidFileError(
            Place(file, line, 1),
            "The machine part of the record is empty; it was cut off. Ask for a complete copy.",
        )
    genesis, *steps = objects
    return seals._replace(genesis=genesis, steps=tuple(steps))


_DAMAGED = (
    "The machine part of the record is damaged here: something is missing or was changed. Ask for "
    "another copy; it does not have to be typed in."
)


def _rows(block: str) -> Iterator[tuple[int, int, str]]:
    """Yield for each line but comments its number (from 0), its first column, and its data without
    spaces.
    """
    for number, text in enumerate(block.split("\n")):
        data = "".join(text.split())
        if data and not data.startswith("#"):
            yield number, len(text) - len(text.lstrip()) + 1, data


def _without_repetition(pairs: list[tuple[str, Any]]) -> Data:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("duplicate key")
    return found


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is not a whole number")


_DECODER = json.JSONDecoder(
    object_pairs_hook=_without_repetition, parse_float=_no_number, parse_constant=_no_number
)


def spelled(data: Data) -> str:
    """Return the only valid spelling of an object, without spaces.

    Raises ProofError for what a machine part cannot have: booleans, fractions, null, keys other
    than texts.
    """
    check_plain(data, DEEPEST + 1)
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return text.replace(" ", "\\u0020").replace("#", "\\u0023")


def written(objects: Iterable[Data], *, first: bool) -> list[str]:
    """Return objects as lines; with ``first``, the machine part begins with them."""
    lines = [f"{MARK} |", *(_LEAD + note for note in _NOTE)] if first else []
    room = WIDTH - len(_LEAD)
    for text in map(spelled, objects):
        lines += (_LEAD + text[start : start + room] for start in range(0, len(text), room))
    return lines


def with_steps(record: Record, steps: Sequence[Data]) -> Record:
    """Return a record with more steps at the end of its machine part."""
    machine = with_lines(record.machine, written(steps, first=False))
    return record._replace(text=ended(record.human) + machine, machine=machine)


# -- Kinds of steps, and who signed them


JOIN, UNLOCK, TURN, REVEAL, GONE = "join", "unlock", "turn", "reveal", "gone"

_OF_ALL = {"by", "kind"}
KEYS: dict[str, tuple[set[str], set[str]]] = {
    JOIN: ({"setup"}, set()),
    UNLOCK: ({"setup"}, set()),
    TURN: ({"entries"}, {"release", "commitment"}),
    REVEAL: ({"seed"}, {"entries"}),
    GONE: ({"without", "entries"}, {"rule"}),
}
"""The keys of each kind of step besides those of all steps: required, and optional."""
_GIVEN_UP = ("order", "ordered")
"""Orders in sealed games, which are no longer read."""
_NOT_READ = (
    "This is an order in a sealed game. Orders in sealed games were given up before they were "
    "released; only development versions of porto after 0.2.0 read them."
)


RULE = 2
"""The number of the rule by which players who have vanished leave, see
:mod:`porto_cli.sealed.course`. A step without a number follows the first rule."""


def check(seals: Seals, keys: KeyHolder | None = None) -> Chain:
    """Return the chain of a machine part, with the order and signature of every step checked.

    An error names the signer of a step only if its signature is valid for the key with which that
    player joined. Raises InvalidFileError at the first invalid step.
    """
    players = tuple(seals.genesis["players"])
    game = game_id(seals.genesis)
    public, steps, hashes = dict[int, bytes](), list[SignedStep](), list[bytes]()
    head = Head.of_genesis(game)
    with seals.checked():
        for height, data in enumerate(seals.steps, 1):
            with in_step(height):
                step = SignedStep.from_json(data)
                demand(step.content.get("kind") not in _GIVEN_UP, _NOT_READ)
                key = _key_for(step, public, players)
                head = head.after(step, key)
            with in_step(height, players[step.by] if step.by in public else ""):
                _check_content(step)
                again = f"A second join of {players[step.by]}: a key, once seen, may not change."
                demand(step.by not in public or step.content["kind"] != JOIN, again)
            public.setdefault(step.by, key)
            steps.append(step)
            hashes.append(head.hash)
    known = last_verified(hashes) if keys else 0
    return Chain(game, players, tuple(steps), public, head, known)


def _check_content(step: SignedStep) -> None:
    """Require the keys of a step and the form of their values."""
    content = step.content
    kind = content.get("kind")
    if type(kind) is not str or kind not in KEYS:
        raise ProofError(
            f"Step {step.height} is of an unknown kind: it was changed, or a newer porto wrote it."
        )
    needed, allowed = KEYS[kind]
    given = set(content) - _OF_ALL
    wrong = sorted((needed - given) | (given - needed - allowed))
    wrong = wrong or [key for key in sorted(given) if not _FORMS[key](content[key])]
    if wrong:
        lacks = f"Step {step.height} lacks {cited(wrong[0])} or has an invalid value for it."
        raise ProofError(lacks)


def _is_hash(value: object) -> bool:
    return type(value) is str and len(from_text(value) or b"") == SIZE


def _are_entries(value: Any) -> bool:
    pairs = type(value) is list and all(type(one) is list for one in value)
    return pairs and bool(value) and all([*map(type, one)] == [str, str] for one in value)


_FORMS: dict[str, Callable[[Any], bool]] = {
    "setup": lambda value: type(value) is dict,
    "entries": _are_entries,
    "release": _is_hash,
    "commitment": _is_hash,
    "seed": _is_hash,
    "without": lambda value: type(value) is list and {*map(type, value)} <= {int},
    "rule": lambda value: type(value) is int and value == RULE,
}


def _key_for(step: SignedStep, public: Mapping[int, bytes], players: Sequence[str]) -> bytes:
    """Return the key that has to have signed a step: the one with which its player joined, or, in a
    first join, the one that it names.
    """
    by, content = step.by, step.content
    demand(by < len(players), f"Step {step.height} names a signer who does not play.")
    if by in public:
        return public[by]
    player = players[by]
    demand(
        content.get("kind") == JOIN,
        f"Step {step.height} claims to be by {player}, but no step before it names {player}'s key.",
    )
    setup = content.get("setup")
    text = setup.get("key") if isinstance(setup, Mapping) else None
    key = from_text(text) if type(text) is str else None
    if key is None or not is_point(key):
        raise ProofError(f"Step {step.height} claims to be the join of {player}, but names no key.")
    return key


# -- Making steps


class OtherKeyError(SentenceError):
    """A move for a player whose key is not the one at hand."""


def not_the_key(player: str, known: bytes, own: bytes = b"") -> OtherKeyError:
    """Return the error for a move without the player's key, ``known``.

    ``own`` is the key on this computer, or empty.
    """
    here = (
        f"the key on this computer is {public_text(own)}"
        if own
        else "there is no key on this computer"
    )
    return OtherKeyError(
        f"In this game the seat of {player} belongs to the key {public_text(known)}, but {here}. "
        "Only that key can go on; if it is yours, restore it from its backup with 'porto key "
        "import FILE'."
    )


def with_draft(chain: Chain, content: Data) -> Chain:
    """Return a chain with one more step, not yet signed."""
    step = chain.head.unsigned(content)
    keys = {step.by: _key_for(step, chain.keys, chain.players), **chain.keys}
    head = Head(chain.game, step.height, step.hash(chain.game))
    return chain._replace(steps=(*chain.steps, step), keys=keys, head=head)


def sign(chain: Chain, drafted: Chain, record: Record, keys: KeyHolder) -> tuple[Chain, Record]:
    """Sign the drafted steps of a chain, and append them to a record whose turns already show them.

    A signature cannot be taken back, so the record is first read again with the unsigned steps, to
    refuse what any program would refuse. Raises FileError and what ``keys`` raises.
    """
    drafts = drafted.steps[len(chain.steps) :]
    read_again(with_steps(record, [draft.to_json() for draft in drafts]))
    # A signature changes neither the place of a step nor its hash.
    signed = [keys.sign(chain.game, draft) for draft in drafts]
    after = drafted._replace(steps=(*chain.steps, *signed))
    return after, with_steps(record, [step.to_json() for step in signed])


# -- The setup of a sealed game, see ``porto_cli.sealed.dealing``

_GENESIS = {"format", "head", "nonce", "players"}
"""The keys of every genesis."""
FIRST = "first"
"""The key in a genesis for the first player, if the players agreed on one."""


class Beginning(NamedTuple):
    """A sealed record with its setup, complete or not."""

    record: Record
    seals: Seals
    chain: Chain
    pile: SealedPile
    setup: SetupState

    @property
    def next(self) -> int | None:
        """The next player, by number in seating order; ``None`` if the setup is complete."""
        joins = self.setup.next_to_join
        return self.setup.next_to_unlock if joins is None else joins

    @property
    def played(self) -> tuple[SignedStep, ...]:
        """The steps after the setup."""
        return self.chain.steps[self.setup.height :]

    @property
    def hops(self) -> int:
        """How many times players take part in all, counting the one who began the record."""
        return 2 * self.setup.seats - 1

    @property
    def done(self) -> int:
        """How many of the :attr:`hops` are complete."""
        return len(self.setup.joins) + max(0, len(self.setup.unlocks) - 1)

    def not_ready(self, file: str | None = None) -> NotReadyError:
        """Return the error for playing too early; ``file`` is the name of the record in it, by
        default the one from which it was read.
        """
        assert self.next is not None
        player, digest = self.chain.players[self.next], self.chain.head.hash.hex()
        name = self.record.file if file is None else file
        return NotReadyError(name, self.done, self.hops, player, self.record, digest)


def read_setup(record: Record, keys: KeyHolder | None = None) -> Beginning:
    """Read a sealed record up to the end of its setup, fully checked.

    Proofs that were checked before, with ``keys``, are not checked again. Raises InvalidFileError.
    """
    seals = seals_of(record)
    _check_genesis(seals)
    chain = check(seals, keys)
    _compare_head(record, seals, chain)
    first = seals.genesis.get(FIRST, 0)
    if type(first) is not int or not 0 <= first < len(chain.players):
        seals.fail(0, "The machine part names a first player who does not play.")
    pile = record.game.sealed_pile(record.config)
    if not isinstance(pile, SealedPile):
        seals.fail(0, pile)
    with seals.checked():
        setup = dealing.begin(chain.game, len(chain.players), len(pile.things), pile.each)
        for step in chain.steps:
            if setup.complete:
                break
            # Anybody can make an invalid join, as it names the key that it is signed with.
            signer = "" if step.content["kind"] == JOIN else chain.by(step.height)
            with in_step(step.height, signer):
                setup = _with_step(setup, step, proven=step.height <= chain.known)
    if setup.height == len(chain.steps):
        remember_chain(chain, keys)
    return Beginning(record, seals, chain, pile, setup)


def _check_genesis(seals: Seals) -> None:
    """Require a genesis of the right form. Raises InvalidFileError."""
    genesis = seals.genesis
    players, head = genesis.get("players"), genesis.get("head")
    known = (
        _GENESIS <= set(genesis) <= _GENESIS | {FIRST}
        and genesis["format"] == FORMAT
        and type(genesis["nonce"]) is str
        and type(players) is list
        and type(head) is list
        and all(type(each) is str for each in [*players, *head])
    )
    if not known:
        seals.fail(
            0,
            "This program does not know how to read this machine part: its beginning was "
            "changed, or a newer porto wrote it.",
        )


def _compare_head(record: Record, seals: Seals, chain: Chain) -> None:
    """Require the header that was agreed on when the game began. Once the game is dealt, the
    players may be rotated into turn order. Raises InvalidFileError.
    """
    lead, players = "players: ", chain.players
    turned = [players[nth:] + players[:nth] for nth in range(len(players))]
    if record.settled and record.config.players in turned:
        players = record.config.players
    line = f"{lead}[{', '.join(map(scalar, players))}]"
    agreed = [line if one.startswith(lead) else one for one in seals.genesis["head"]]
    given = header_lines(record._replace(deal=None))
    if given == agreed:
        return
    missing = [line for line in agreed if line not in given]
    new = [line for line in given if line not in agreed]
    line, *_ = new or missing or ["players"]
    agreed_on = f", but the game began with {cited(missing[0].strip())}" if new and missing else ""
    raise InvalidFileError(
        Place(record.file, *record.lines.get(line.partition(":")[0].strip(), (1, 1))),
        f"The header of the record was changed since the game began: {cited(line.strip())}"
        f"{agreed_on}.",
    )


def _with_step(setup: SetupState, step: SignedStep, *, proven: bool) -> SetupState:
    """Return a setup after a step. Raises ProofError."""
    joins = setup.next_to_join is not None
    kind, by = (JOIN, setup.next_to_join) if joins else (UNLOCK, setup.next_to_unlock)
    whose = "this player's" if step.by == by else "another player's"
    due = f"Step {step.height} does not belong here: the next step of the setup is {whose} {kind}."
    demand(step.content["kind"] == kind and step.by == by, due)
    data = step.content["setup"]
    if joins:
        return setup.with_join(Join.from_json(data, setup), step.place, proven)
    return setup.with_unlock(Unlock.from_json(data, setup), step.place, proven)


def new_sealed(
    game: Game,
    config: Config,
    keys: KeyHolder,
    *,
    first: int | None,
    name: str,
    title: str = "",
    hints: str = "",
) -> Beginning:
    """Create a sealed game that the first player of its configuration has just joined.

    ``first`` is the player who moves first, by number in seating order; ``None`` leaves it to
    chance. ``name`` is the file named in the first line. Raises what ``keys`` raises.
    """
    head = header_lines(Header(game, config, None, SEALED, hints=hints))
    # The nonce makes every game unique.
    genesis: Data = {
        "format": FORMAT,
        "head": head,
        "nonce": token_hex(16),
        "players": [*config.players],
    }
    if first is not None:
        genesis[FIRST] = first
    machine = "".join(f"{line}\n" for line in written([genesis], first=True))
    text = new_text(head, title=title, name=name) + machine
    return take_part(read_setup(load(text, name)), keys)


def own_secrets(setup: SetupState, keys: KeyHolder | None) -> dict[int, GameSecrets]:
    """Return the secrets of all players who joined with these keys, by their numbers."""
    own: dict[int, GameSecrets] = {}
    for by, join in enumerate(setup.joins):
        if keys is not None and join.key == keys.public:
            seed = seed_of(keys.identity.master, setup.game, join.nonce)
            secrets = GameSecrets(seed, setup.game, by)
            if secrets.commitment == join.commitment:
                own[by] = secrets
    return own


def take_part(begun: Beginning, keys: KeyHolder) -> Beginning:
    """Return a setup, already checked, after the next player has joined or unlocked. After the last
    player the game begins.

    Raises ProofError, FileError, and what ``keys`` raises.
    """
    by = begun.next
    assert by is not None
    after = begun
    while after.next == by:  # The last player to join unlocks in the same message.
        after = _with_own(after, by, keys)
    if after.setup.complete:
        after = after._replace(record=_settled(after))
    chain, record = sign(begun.chain, after.chain, after.record, keys)
    return after._replace(chain=chain, record=record)


def _with_own(begun: Beginning, by: int, keys: KeyHolder) -> Beginning:
    """Return a setup with the next step, made with these keys and not yet signed. It is checked
    like anybody else's.
    """
    head, setup, master = begun.chain.head, begun.setup, keys.identity.master
    made: Join | Unlock
    if setup.next_to_join is None:
        kind, made = UNLOCK, dealing.unlock(setup, own_secrets(setup, keys)[by], head.place)
    else:
        # Joining the same copy again makes the same step, which may be signed again. In another
        # copy everything is new, so that the two versions together give nothing away.
        nonce = short_hash("join nonce", master, head.game, head.hash)[:NONCE_SIZE]
        secrets = GameSecrets(seed_of(master, head.game, nonce), head.game, by)
        public = keys.identity.public
        kind, made = JOIN, dealing.join(setup, secrets, public, nonce, head.place)
    chain = with_draft(begun.chain, {"by": by, "kind": kind, "setup": made.to_json()})
    return begun._replace(chain=chain, setup=_with_step(setup, chain.steps[-1], proven=True))


def order_of(begun: Beginning) -> tuple[int, ...]:
    """Return the turn order: for each seat its player's number in seating order."""
    count = begun.setup.seats
    first = begun.seals.genesis.get(FIRST)
    if first is None:
        first = choose(begun.setup.randomness.hex(), FIRST, 0, count)
    return tuple((first + seat) % count for seat in range(count))


def _settled(begun: Beginning) -> Record:
    """Return the record of a game that can begin, with its players in turn order and the deal.

    Of the header, whose layout is up to people, only the line of the players is rewritten.
    """
    record = begun.record
    players = [begun.chain.players[by] for by in order_of(begun)]
    human = with_entry(record.human, "players", f"players: [{', '.join(map(scalar, players))}]")
    # The configuration does not say who is first, so it deals the same in any order.
    deal = record.game.sealed.deal_sealed(
        record.config, seeded_chance(begun.setup.randomness.hex())
    )
    indent, end = " " * record.dash, newline_of(human)
    dealt = [f"{indent}{line}{end}" for line in setup_lines(record.game, record.config, deal)]
    text = "".join([human, *dealt]) + record.machine
    settled = read_again(record._replace(text=text))
    if settled.config.players != tuple(players):
        raise changed_by_reading()
    return settled
