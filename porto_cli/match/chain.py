"""The chain of signed steps: the form of each kind of step, its signer, and that none is missing.

A step is numbered by its *height*, from 1, and names the hash of the step before it. So a step
cannot be removed, inserted, moved or copied from another game without the signature of that step
or of the next one failing, see :mod:`porto_cli.crypto.steps`.

What a step means for the game is in :mod:`porto_cli.match.signed` for games with a seed, and in
:mod:`porto_cli.match.sealed_replay` for sealed ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from porto_cli.core.chance import sha256
from porto_cli.core.message import InvalidMoveError, say
from porto_cli.core.yaml import InvalidFileError
from porto_cli.crypto import ProofError, refused
from porto_cli.crypto.encoding import from_text, to_text
from porto_cli.crypto.identity import Identity, public_from_text
from porto_cli.crypto.primitives import SIZE, is_point
from porto_cli.crypto.steps import Head, Step, game_id
from porto_cli.match.declarations import SEAT, begins_with
from porto_cli.match.sealed_state import RULE
from porto_cli.match.seals import Data, Seals, spelled

if TYPE_CHECKING:
    from porto_cli.match.sitting import Agreements

JOIN, UNLOCK, TURN, REVEAL, GONE = "join", "unlock", "turn", "reveal", "gone"
ORDER = "order"
"""The kind of a step that gives an order in a sealed game, or takes it back."""
ORDERED = "ordered"
"""The kind of a step with which others make a move that an order of its player decides."""

_OF_ALL = {"by", "kind"}
KEYS: dict[str, tuple[set[str], set[str]]] = {
    JOIN: (set(), {"key", "setup"}),
    UNLOCK: ({"setup"}, set()),
    TURN: ({"entries"}, {"release", "commitment"}),
    REVEAL: ({"seed"}, {"entries"}),
    GONE: ({"without", "entries"}, {"rule"}),
    ORDER: ({"entries"}, {"commitment", "boxes"}),
    ORDERED: ({"entries", "order"}, {"opening", "release"}),
}
"""The keys of each kind of step besides those of all steps: required, and optional."""


class Keys(Protocol):
    """What can sign: a key file with its journal, see :mod:`porto_cli.keys`."""

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
        """The public key, with which others check signatures; empty if there is no key."""
        ...

    def prepare(self, chain: Chain) -> None:
        """Note what was signed in a record with this key.

        Raises PortoError if that is another version of a step than was signed here.
        """
        ...

    def handed_over(self, game: bytes) -> int:
        """Return the height of the last step that was sent to somebody; 0 if none was."""
        ...

    def answered(self, game: bytes) -> int:
        """Return the height of our last step that another player has answered, in any copy seen on
        this computer; 0 if there is none.
        """
        ...

    def see(self, chain: Chain) -> None:
        """Note that a record with these steps was opened."""
        ...

    def give_way(self, old: Chain, new: Chain) -> None:
        """Note that one copy replaces another one, whose own steps may be missing now."""
        ...

    def knows(self, mark: bytes) -> bool:
        """Return whether a machine part with this mark was checked before."""
        ...

    def learn(self, mark: bytes) -> None:
        """Remember that a machine part with this mark is valid."""
        ...


class Chain(NamedTuple):
    """The steps of a game, each signed by the key of its player."""

    game: bytes
    """The hash of the genesis, which identifies the game in every signature."""
    players: tuple[str, ...]
    """In seating order: ``by`` counts them from 0."""
    steps: tuple[Step, ...]
    keys: dict[int, bytes]
    """The public key with which each player signs now who has joined, or whose seat somebody else
    has taken."""
    signers: tuple[bytes, ...]
    """The public key that has signed each step."""
    head: Head
    marks: tuple[bytes, ...] = ()
    """For each step the hash of all text up to it: signatures, proofs and all."""
    known: int = 0
    """How many steps were checked in full before."""

    def key_of(self, step: Step) -> bytes:
        """Return the public key that has signed a step."""
        return self.signers[step.height - 1]

    def by(self, height: int) -> str:
        """Return the name of who signed a step."""
        return self.players[self.steps[height - 1].by]

    def before(self, step: Step) -> Head:
        """Return the head that a step follows."""
        return Head(self.game, step.height - 1, step.previous)


def names(genesis: Data) -> tuple[str, ...]:
    """Return the players of a genesis in seating order."""
    return tuple(genesis["players"])


def check(seals: Seals, keys: Keys | None = None) -> Chain:
    """Return the chain of a machine part.

    An error names the signer of a step only after its signature was checked with the key that the
    player has joined with. Raises InvalidFileError at the first invalid step.
    """
    players = names(seals.genesis)
    game = game_id(seals.genesis)
    marks = _marks(seals)
    known = next(
        (nth for nth in range(len(marks), 0, -1) if keys and keys.knows(marks[nth - 1])), 0
    )
    owners = _Owners(players)
    public, signers = owners.keys, list[bytes]()
    steps: list[Step] = []
    head = Head.of_genesis(game)
    for height, data in enumerate(seals.steps, 1):
        signer = None
        try:
            step = Step.from_json(data)
            key = _key_for(step, public, len(players))
            if height > known or step.height != height or step.previous != head.hash:
                head = head.after(step, key)
            else:
                head = Head(game, step.height, step.hash(game))
            signer = step.by if step.by in public else None
            _check_content(step)
            owners.learn(step)
        except ProofError as error:
            raise invalid(seals, error.located(players, height, signer)) from None
        steps.append(step)
        signers.append(key)
    return Chain(game, players, tuple(steps), public, tuple(signers), head, marks, known)


def remember(chain: Chain, keys: Keys | None) -> None:
    """Remember that a chain is valid, with everything that its steps prove."""
    if keys and chain.known < len(chain.marks):
        keys.learn(chain.marks[-1])


def invalid(seals: Seals, error: ProofError) -> InvalidFileError:
    """Return an error of a step as one of the record, at the position of that step."""
    return InvalidFileError(
        seals.place(error.step or 0), say("{fault}", fault=" ".join(map(str, error.sentences)))
    )


def signer_of(step: Step) -> int | None:
    """Return who is responsible for a step of a checked chain; ``None`` for a join.

    A join is signed with the key that it names itself, so that anybody can have made an invalid
    one.
    """
    return None if step.content["kind"] == JOIN else step.by


def _marks(seals: Seals) -> tuple[bytes, ...]:
    """Return for each step the hash of all text up to it."""
    marks = []
    mark = sha256(spelled(seals.genesis).encode())
    for data in seals.steps:
        mark.update(spelled(data).encode())
        marks.append(mark.digest())
    return tuple(marks)


def _check_content(step: Step) -> None:
    """Require the keys of a step and the form of their values."""
    content = step.content
    kind = content.get("kind")
    needed, allowed = KEYS.get(kind, (None, set())) if type(kind) is str else (None, set())
    if needed is None:
        raise refused(
            "step-kind",
            None,
            "Step {height} is of an unknown kind: it was changed, or a newer porto wrote it.",
            height=step.height,
        )
    given = set(content) - _OF_ALL
    wrong = sorted((needed - given) | (given - needed - allowed))
    wrong = wrong or [key for key in sorted(given) if not _FORMS[key](content[key])]
    if wrong:
        raise refused(
            "step-form",
            None,
            "Step {height} lacks {key!r}, or has an invalid value for it.",
            height=step.height,
            key=wrong[0],
        )


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


def _are_texts(value: Any) -> bool:
    return type(value) is dict and all(type(each) is str for each in value.values())


def _is_hash(value: object) -> bool:
    raw = from_text(value) if type(value) is str else None
    return raw is not None and len(raw) == SIZE


def _are_numbers(value: object) -> bool:
    return type(value) is list and all(type(each) is int for each in value)


_FORMS: dict[str, Callable[[Any], bool]] = {
    "key": _is_hash,
    "setup": _is_mapping,
    "entries": _are_entries,
    "release": _is_hash,
    "commitment": _is_hash,
    "seed": _is_hash,
    "without": _are_numbers,
    "rule": lambda value: type(value) is int and value == RULE,
    "order": lambda value: type(value) is int and value > 0,
    "boxes": lambda value: _are_texts(value) and all(map(from_text, value.values())),
    "opening": lambda value: (
        _are_texts(value) and set(value) == {"salt", "text"} and _is_hash(value["salt"])
    ),
}


def _key_for(step: Step, public: Mapping[int, bytes], players: int) -> bytes:
    """Return the key that a step has to be signed with: the one with which its player has joined,
    or the one that a first join names.
    """
    by = step.by
    if by >= players:
        raise refused(
            "step-by", None, "Step {height} names a signer who does not play.", height=step.height
        )
    if by in public:
        return public[by]
    content = step.content
    if content.get("kind") != JOIN:
        raise refused(
            "key-missing",
            by,
            "Step {height} claims to be by {player}, but no step before it names {player}'s key.",
            height=step.height,
        )
    holder: Any = content if "key" in content else content.get("setup")
    text = holder.get("key") if isinstance(holder, Mapping) else None
    key = from_text(text) if type(text) is str else None
    if key is None or not is_point(key):
        raise refused(
            "key-form",
            by,
            "Step {height} claims to be the join of {player}, but names no key.",
            height=step.height,
        )
    return key


class _Owners:
    """Who signs for each player, step by step: ``keys``."""

    def __init__(self, players: Sequence[str]) -> None:
        self.keys: dict[int, bytes] = {}
        self._players = players
        self._joined: dict[int, bytes] = {}
        self._agreements: Agreements | None = None

    def learn(self, step: Step) -> None:
        """Note the key with which a player joins, once only, and the one to which a seat is given.

        Whether a seat may be given like that is for the replay to say.
        """
        content: Any = step.content
        if content["kind"] in (TURN, ORDERED):
            self._give(*content["entries"][0], by=self._players[step.by])
        if content["kind"] != JOIN:
            return
        if step.by in self.keys:
            raise refused(
                "key-changed",
                step.by,
                "Step {height} names a key of {player}, who already has one: a key, once seen, may "
                "not change.",
                height=step.height,
            )
        key = _key_for(step, self.keys, len(self._players))
        self.keys[step.by] = self._joined[step.by] = key

    def _give(self, player: str, text: str, *, by: str) -> None:
        says_who_plays = begins_with(text, SEAT)
        if self._agreements is None:
            if not says_who_plays:
                return
            from porto_cli.match.sitting import Agreements

            self._agreements = Agreements(self._players)
        if says_who_plays and player != by:
            return
        with suppress(InvalidMoveError):
            given = self._agreements.note(player, text)
            if given is None or given[1].out:
                return
            seat = self._players.index(given[0])
            key = public_from_text(given[1].key) if given[1].key else self._joined.get(seat)
            if key is None:
                self.keys.pop(seat, None)
            else:
                self.keys[seat] = key


def longer(chain: Chain, step: Step) -> Chain:
    """Return a chain with one more step."""
    steps, owners = (*chain.steps, step), _Owners(chain.players)
    signer = _key_for(step, chain.keys, len(chain.players))
    for one in steps:
        owners.learn(one)
    head = Head(chain.game, step.height, step.hash(chain.game))
    signers = (*chain.signers, signer)
    return chain._replace(steps=steps, keys=owners.keys, signers=signers, head=head)


def text_of(key: bytes) -> str:
    """Return bytes as a machine part has them."""
    return to_text(key)


def bytes_of(text: object) -> bytes:
    """Return the bytes of a text whose form was checked."""
    raw = from_text(str(text))
    assert raw is not None
    return raw
