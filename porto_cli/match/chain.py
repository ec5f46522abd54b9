"""The chain of signed steps: what a step of each kind has, who signed it, and that none is missing.

A step is numbered by its *height*, from 1, and names the hash of the step before it. So no step
can be taken out, put in, moved, or taken over from another game without the signature of that step
or of the next one failing, see :mod:`porto_cli.sealed.steps`.

What a step means for the game is not told here: see :mod:`porto_cli.match.signed` for games with a
seed, and :mod:`porto_cli.match.sealed` for sealed ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from porto_cli.core.chance import sha256
from porto_cli.core.message import say
from porto_cli.core.yaml import InvalidFileError
from porto_cli.match.seals import Data, Seals, spelled
from porto_cli.sealed.errors import ProofError, refused
from porto_cli.sealed.forms import from_text, to_text
from porto_cli.sealed.identity import Identity
from porto_cli.sealed.primitives import SIZE, is_point
from porto_cli.sealed.steps import Head, Step, game_id

JOIN, UNLOCK, TURN, REVEAL, GONE = "join", "unlock", "turn", "reveal", "gone"

_OF_ALL = {"by", "kind"}
_UNSIGNED = {"step-height", "step-previous", "step-signature"}
"""Errors of steps that may be from anybody."""
KEYS: dict[str, tuple[set[str], set[str]]] = {
    JOIN: (set(), {"key", "setup"}),
    UNLOCK: ({"setup"}, set()),
    TURN: ({"entries"}, {"release", "commitment"}),
    REVEAL: ({"seed"}, {"entries"}),
    GONE: ({"without", "entries"}, set()),
}
"""What the content of each kind of step has besides the keys of all: needed, and allowed."""


class Keys(Protocol):
    """Who can sign: a key file with its journal, see :mod:`porto_cli.keys`."""

    @property
    def identity(self) -> Identity:
        """The key."""
        ...

    def sign(self, head: Head, content: Data) -> Step:
        """Return the next step, the only version that is ever signed at this height of a game.

        Raises PortoError if another version was signed before.
        """
        ...

    @property
    def public(self) -> bytes:
        """What the others check signatures with; nothing if there is no key."""
        ...

    def prepare(self, chain: Chain) -> None:
        """Take over from a record what was signed in it with this key.

        Raises PortoError if that is another version of a step than was signed here.
        """
        ...

    def handed_over(self, game: bytes) -> int:
        """Return the height of the last step that was sent to somebody; 0 if none was."""
        ...

    def answered(self, game: bytes) -> int:
        """Return the height of the last own step that another player has gone on from, as far as
        this computer has seen; 0 if there is none.
        """
        ...

    def see(self, chain: Chain) -> None:
        """Note that a record was opened with these steps."""
        ...

    def give_way(self, old: Chain, new: Chain) -> None:
        """Note that one copy takes the place of another one: its own steps may be missing now."""
        ...

    def knows(self, mark: bytes) -> bool:
        """Tell whether a machine part with this mark was checked before."""
        ...

    def learn(self, mark: bytes) -> None:
        """Remember that a machine part with this mark is good."""
        ...


class Chain(NamedTuple):
    """The steps of a game, each signed by the key of its player."""

    game: bytes
    """The hash of the genesis, which names the game in every signature."""
    players: tuple[str, ...]
    """In the order of sitting: ``by`` counts them from 0."""
    steps: tuple[Step, ...]
    keys: dict[int, bytes]
    """The public key of each player who has signed."""
    head: Head
    marks: tuple[bytes, ...] = ()
    """For each step the hash of all text up to it: signatures, proofs and all."""
    known: int = 0
    """So many steps were checked in full before."""

    def by(self, height: int) -> str:
        """Return the name of who signed a step."""
        return self.players[self.steps[height - 1].by]

    def before(self, step: Step) -> Head:
        """Return the head that a step follows."""
        return Head(self.game, step.height - 1, step.previous)


def names(genesis: Data) -> tuple[str, ...]:
    """Return the players of a genesis in the order of sitting."""
    return tuple(genesis["players"])


def check(seals: Seals, keys: Keys | None = None) -> Chain:
    """Return the chain of a machine part.

    Raises InvalidFileError at the first step that is not good.
    """
    players = names(seals.genesis)
    game = game_id(seals.genesis)
    steps, marks = _read(seals, players)
    known = next(
        (nth for nth in range(len(steps), 0, -1) if keys and keys.knows(marks[nth - 1])), 0
    )
    public: dict[int, bytes] = {}
    head = Head.of_genesis(game)
    for nth, step in enumerate(steps):
        try:
            _learn_key(step, public)
            if nth >= known or step.height != nth + 1 or step.previous != head.hash:
                head = head.after(step, public[step.by])
            else:
                head = Head(game, step.height, step.hash(game))
        except ProofError as error:
            raise located(seals, players, nth + 1, step.by, error) from None
    return Chain(game, players, tuple(steps), public, head, marks, known)


def remember(chain: Chain, keys: Keys | None) -> None:
    """Remember that a chain is good, with all that its steps prove."""
    if keys and chain.known < len(chain.marks):
        keys.learn(chain.marks[-1])


def located(
    seals: Seals, players: Sequence[str], height: int, by: int, error: ProofError
) -> InvalidFileError:
    """Return an error of a step with its place, its number and who signed it.

    Where the signature itself is wrong nobody is said to have signed.
    """
    found = error.located(players, height, None if error.kind in _UNSIGNED else by)
    return InvalidFileError(
        seals.place(height), say("{fault}", fault=" ".join(map(str, found.sentences)))
    )


def _read(seals: Seals, players: Sequence[str]) -> tuple[list[Step], tuple[bytes, ...]]:
    """Return the steps and their marks. Raises InvalidFileError."""
    steps, marks = [], []
    mark = sha256(spelled(seals.genesis).encode())
    for height, data in enumerate(seals.steps, 1):
        by = 0
        try:
            step = Step.from_json(data)
            by = step.by
            _check_content(step, len(players))
        except ProofError as error:
            raise located(seals, players, height, by, error) from None
        mark.update(spelled(data).encode())
        steps.append(step)
        marks.append(mark.digest())
    return steps, tuple(marks)


def _check_content(step: Step, players: int) -> None:
    """Demand the keys of a step and the form of their values."""
    content = step.content
    kind = content.get("kind")
    needed, allowed = KEYS.get(kind, (None, set())) if type(kind) is str else (None, set())
    if needed is None:
        raise refused(
            "step-kind", None,
            "Step {height} is of no kind that this program knows: it was changed, or a newer porto"
            " wrote it.", height=step.height,
        )  # fmt: skip
    if step.by >= players:
        raise refused(
            "step-by", None, "Step {height} is signed by nobody who plays.", height=step.height
        )
    given = set(content) - _OF_ALL
    wrong = sorted((needed - given) | (given - needed - allowed))
    wrong = wrong or [key for key in sorted(given) if not _FORMS[key](content[key])]
    if wrong:
        raise refused(
            "step-form", step.by,
            "Step {height} of {player} lacks {key!r}, or has something there that it cannot have.",
            height=step.height, key=wrong[0],
        )  # fmt: skip


def _are_entries(value: object) -> bool:
    return (
        type(value) is list
        and bool(value)
        and all(
            type(entry) is list and len(entry) == 2 and all(type(part) is str for part in entry)
            for entry in value
        )
    )


def _is_mapping(value: object) -> bool:
    return type(value) is dict


def _is_hash(value: object) -> bool:
    raw = from_text(value) if type(value) is str else None
    return raw is not None and len(raw) == SIZE


def _are_numbers(value: object) -> bool:
    return type(value) is list and all(type(each) is int for each in value)


_FORMS: dict[str, Callable[[object], bool]] = {
    "key": _is_hash,
    "setup": _is_mapping,
    "entries": _are_entries,
    "release": _is_hash,
    "commitment": _is_hash,
    "seed": _is_hash,
    "without": _are_numbers,
}


def _learn_key(step: Step, public: dict[int, bytes]) -> None:
    """Note the key that a player joins with, and demand that there is one."""
    by, content = step.by, step.content
    if content["kind"] == JOIN:
        if by in public:
            raise refused(
                "key-changed", by,
                "Step {height} names a key of {player}, who already has one: a key, once seen, may"
                " not change.", height=step.height,
            )  # fmt: skip
        holder: Any = content if "key" in content else content.get("setup")
        text = holder.get("key") if isinstance(holder, Mapping) else None
        key = from_text(text) if type(text) is str else None
        if key is None or not is_point(key):
            raise refused(
                "key-form", by, "Step {height} names no key of {player}.", height=step.height
            )
        public[by] = key
    elif by not in public:
        raise refused(
            "key-missing", by,
            "Step {height} is one of {player}, whose key no step before it names.",
            height=step.height,
        )  # fmt: skip


def longer(chain: Chain, step: Step) -> Chain:
    """Return a chain with a step behind it that was just signed."""
    public = dict(chain.keys)
    _learn_key(step, public)
    head = Head(chain.game, step.height, step.hash(chain.game))
    return chain._replace(steps=(*chain.steps, step), keys=public, head=head)


def text_of(key: bytes) -> str:
    """Return bytes as a machine part has them."""
    return to_text(key)


def bytes_of(text: object) -> bytes:
    """Return the bytes of a text whose form was checked."""
    raw = from_text(str(text))
    assert raw is not None
    return raw
