"""The machine part of a sealed record: its genesis and its signed steps, as text and back; who
signed which step, and that none is missing.

It begins with the line ``seals: |`` and reaches to the end of the file, so that the whole file is
YAML. It is one JSON object after another, the genesis first and then the steps in the order of
their heights, each spelled in exactly one way: keys sorted, ASCII, with escapes in place of spaces
and ``#``. Line breaks and spaces therefore mean nothing and may change on the way; everything else
is refused.

A step is numbered by its *height*, from 1, and names the hash of the step before it. So a step
cannot be removed, inserted, moved or copied from another game without the signature of that step
or of the next one failing, see :mod:`porto_cli.sealed.steps`. What a step means for the game is in
:mod:`porto_cli.sealed.course`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, NoReturn

from porto_cli.core.chance import sha256
from porto_cli.core.message import SentenceError, shown
from porto_cli.core.yaml import InvalidFileError, Place
from porto_cli.match.record import Record, ended, read_again, with_lines
from porto_cli.sealed import ProofError, demand, player_at
from porto_cli.sealed.holder import KeyHolder, last_verified
from porto_cli.sealed.primitives import SIZE, from_text, is_point
from porto_cli.sealed.steps import Chain, Head, SignedStep, check_plain, game_id, public_text

Data = dict[str, Any]
"""A genesis or a step: texts, whole numbers, lists and mappings of these, with texts as keys."""

MARK = "seals:"
WIDTH = 76
"""Maximum length of a line that is written."""
MOST_STEPS = 20_000
"""Maximum number of steps. A game has some hundreds."""
DEEPEST = 8
"""Maximum number of nested levels in a step."""

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
    """What was agreed before the game."""
    steps: tuple[Data, ...]
    file: str
    text: str
    """The lines after the mark, for the positions of errors."""
    line: int
    """The number of the first of them."""

    def place(self, height: int) -> Place:
        """Return where a step begins; 0 is the genesis. After the last one, where they end."""
        before = sum(len(spelled(one)) for one in (self.genesis, *self.steps)[:height])
        return _place(self.text, before, self.file, self.line)

    def fail(self, height: int, sentence: str) -> NoReturn:
        """Raise InvalidFileError at a step."""
        raise InvalidFileError(self.place(height), sentence)


def seals_of(record: Record) -> Seals:
    """Return the content of the machine part of a record. Raises InvalidFileError."""
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
        raise _outside(block, end, file, line + 1)
    packed = _packed(block)
    objects = []
    position = 0
    while position < len(packed):
        try:
            found, after = _DECODER.raw_decode(packed, position)
            is_spelled = type(found) is dict and spelled(found) == packed[position:after]
        except (ValueError, RecursionError, ProofError) as error:
            raise _damaged(block, getattr(error, "pos", position), file, line + 1) from None
        if not is_spelled:
            raise _damaged(block, position, file, line + 1)
        objects.append(found)
        position = after
        if len(objects) > MOST_STEPS:
            raise _damaged(block, position, file, line + 1)
    if not objects:
        raise InvalidFileError(
            Place(file, line, 1),
            "The machine part of the record is empty; it was cut off. Ask for a complete copy.",
        )
    genesis, *steps = objects
    return Seals(genesis, tuple(steps), file, block, line + 1)


def _packed(block: str) -> str:
    """Return the data without spaces and comments."""
    if "#" in block:
        lines = block.split("\n")
        block = "\n".join(line for line in lines if not line.lstrip().startswith("#"))
    return "".join(block.split())


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


def _outside(block: str, index: int, file: str, line: int) -> InvalidFileError:
    """Return the error for a line that does not belong to the block."""
    number = line + block.count("\n", 0, index)
    column = index - block.rfind("\n", 0, index)
    if column == 1 and block[index : index + 1].isprintable():
        return InvalidFileError(
            Place(file, number, 1),
            "The machine part reaches to the end of the file and its lines begin with "
            "two spaces; this line does not. The turns of the game belong before "
            "'seals:'.",
        )
    return InvalidFileError(
        Place(file, number, column),
        "This character cannot be in the machine part; ask for another copy.",
    )


def _damaged(block: str, position: int, file: str, line: int) -> InvalidFileError:
    return InvalidFileError(
        _place(block, position, file, line),
        "The machine part of the record is damaged here: something is missing or was "
        "changed. Ask for another copy; it does not have to be typed in.",
    )


def _place(block: str, position: int, file: str, line: int) -> Place:
    """Return where a position in the data is, which does not count spaces and comments."""
    seen, place = 0, Place(file, line + block.count("\n"), 1)
    for number, text in enumerate(block.split("\n"), line):
        data = "".join(text.split())
        if data and not data.startswith("#"):
            seen += len(data)
            place = Place(file, number, len(text) - len(text.lstrip()) + 1)
            if position < seen:
                break
    return place


def spelled(data: Data) -> str:
    """Return the one spelling of an object, without spaces.

    Raises ProofError for what a machine part cannot have: booleans, fractions, null, keys that are
    not texts.
    """
    check_plain(data, DEEPEST + 1)
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return text.replace(" ", "\\u0020").replace("#", "\\u0023")


def written(objects: Iterable[Data], *, first: bool) -> list[str]:
    """Return the lines of objects; ``first`` if the machine part begins with them."""
    lines = [f"{MARK} |", *(_LEAD + note for note in _NOTE)] if first else []
    room = WIDTH - len(_LEAD)
    for text in map(spelled, objects):
        lines += (_LEAD + text[start : start + room] for start in range(0, len(text), room))
    return lines


def with_steps(record: Record, steps: Sequence[Data]) -> Record:
    """Return a record with more steps at the end of its machine part."""
    machine = with_lines(record.machine, written(steps, first=False))
    return record._replace(text=ended(record.human) + machine, machine=machine)


# -- Who signed what


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
"""Steps of orders in sealed games, which are not read any more."""


RULE = 2
"""The number of the rule by which players who have vanished leave, see
:mod:`porto_cli.sealed.course`. A step without a number follows the first rule."""


def check(seals: Seals, keys: KeyHolder | None = None) -> Chain:
    """Return the chain of a machine part.

    An error names the signer of a step only after its signature was checked with the key that the
    player has joined with. Raises InvalidFileError at the first invalid step.
    """
    players = tuple(seals.genesis["players"])
    game = game_id(seals.genesis)
    marks = _marks(seals)
    known = last_verified(marks) if keys else 0
    public, steps = dict[int, bytes](), list[SignedStep]()
    head = Head.of_genesis(game)
    for height, data in enumerate(seals.steps, 1):
        signer = None
        try:
            step = SignedStep.from_json(data)
            if step.content.get("kind") in _GIVEN_UP:
                seals.fail(
                    height,
                    f"Step {height} is an order in a sealed game. Orders in sealed games were "
                    "given up before they were released; only development versions of porto "
                    "after 0.2.0 read them.",
                )
            key = _key_for(step, public, len(players))
            if height > known or step.height != height or step.previous != head.hash:
                head = head.after(step, key)
            else:
                head = Head(game, step.height, step.hash(game))
            signer = step.by if step.by in public else None
            _check_content(step)
            _learn(step, key, public)
        except ProofError as error:
            raise invalid(seals, error.located(players, height, signer)) from None
        steps.append(step)
    return Chain(game, players, tuple(steps), public, head, marks, known)


def invalid(seals: Seals, error: ProofError) -> InvalidFileError:
    """Return an error of a step as one of the record, at the position of that step."""
    return InvalidFileError(seals.place(error.step or 0), " ".join(error.sentences))


def _marks(seals: Seals) -> tuple[bytes, ...]:
    """Return for each step the hash of all text up to it."""
    marks = []
    mark = sha256(spelled(seals.genesis).encode())
    for data in seals.steps:
        mark.update(spelled(data).encode())
        marks.append(mark.digest())
    return tuple(marks)


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
        lacks = f"Step {step.height} lacks {shown(wrong[0])} or has an invalid value for it."
        raise ProofError(lacks)


def _is_list(value: Any, is_one: Callable[[Any], bool]) -> bool:
    return type(value) is list and all(map(is_one, value))


def _is_entry(value: Any) -> bool:
    return _is_list(value, lambda part: type(part) is str) and len(value) == 2


def _is_hash(value: object) -> bool:
    raw = from_text(value) if type(value) is str else None
    return raw is not None and len(raw) == SIZE


_FORMS: dict[str, Callable[[Any], bool]] = {
    "setup": lambda value: type(value) is dict,
    "entries": lambda value: bool(value) and _is_list(value, _is_entry),
    "release": _is_hash,
    "commitment": _is_hash,
    "seed": _is_hash,
    "without": lambda value: _is_list(value, lambda one: type(one) is int),
    "rule": lambda value: type(value) is int and value == RULE,
}


def _key_for(step: SignedStep, public: Mapping[int, bytes], players: int) -> bytes:
    """Return the key that a step has to be signed with: the one with which its player has joined,
    or the one that a first join names.
    """
    by = step.by
    demand(by < players, f"Step {step.height} names a signer who does not play.")
    if by in public:
        return public[by]
    content, player = step.content, player_at(by)
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


def _learn(step: SignedStep, key: bytes, public: dict[int, bytes]) -> None:
    """Note the key with which a player joins, once only."""
    if step.content["kind"] == JOIN:
        demand(
            step.by not in public,
            f"Step {step.height} names a key of {player_at(step.by)}, who already has one: a key, "
            "once seen, may not change.",
        )
        public[step.by] = key


# -- Making steps


class OtherKeyError(SentenceError):
    """A player who has a different key than the one at hand."""


def not_the_key(player: str, known: bytes, own: bytes = b"") -> OtherKeyError:
    """Return the error for a move without ``known``, the key of the player.

    ``own`` is the key on this computer; empty if there is none.
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
    """Return a chain with one more step, which is still to be signed."""
    return _longer(chain, chain.head.unsigned(content))


def sign(chain: Chain, drafted: Chain, record: Record, keys: KeyHolder) -> tuple[Chain, Record]:
    """Sign the drafted steps of a chain, and append them to a record whose turns already have them.

    What a program would refuse has to be refused before: a signature cannot be taken back. So the
    record is read again with the unsigned steps, and only then are they signed. Raises FileError
    and what ``keys`` raises.
    """
    drafts = drafted.steps[len(chain.steps) :]
    read_again(with_steps(record, [draft.to_json() for draft in drafts]))
    for draft in drafts:
        step = keys.sign(chain.head, dict(draft.content))
        chain = _longer(chain, step)
        record = with_steps(record, [step.to_json()])
    return chain, record


def _longer(chain: Chain, step: SignedStep) -> Chain:
    key, public = _key_for(step, chain.keys, len(chain.players)), dict(chain.keys)
    _learn(step, key, public)
    head = Head(chain.game, step.height, step.hash(chain.game))
    return chain._replace(steps=(*chain.steps, step), keys=public, head=head)
