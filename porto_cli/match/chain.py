"""The chain of signed steps: the form of each kind of step, its signer, and that none is missing.

A step is numbered by its *height*, from 1, and names the hash of the step before it. So a step
cannot be removed, inserted, moved or copied from another game without the signature of that step
or of the next one failing, see :mod:`porto_cli.crypto.steps`.

What a step means for the game is in :mod:`porto_cli.match.sealed_replay`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol

from porto_cli.core.chance import sha256
from porto_cli.core.message import SentenceError, shown
from porto_cli.core.yaml import InvalidFileError
from porto_cli.crypto import ProofError, player_at
from porto_cli.crypto.encoding import from_text, to_text
from porto_cli.crypto.identity import Identity, public_text
from porto_cli.crypto.primitives import SIZE, is_point
from porto_cli.crypto.steps import Head, SignedStep, game_id
from porto_cli.match.record import Record, read_again
from porto_cli.match.sealed_state import RULE
from porto_cli.match.seals import Data, Seals, spelled

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


class Keys(Protocol):
    """What can sign: a key file with its journal, see :mod:`porto_cli.keys`."""

    @property
    def identity(self) -> Identity:
        """The key."""
        ...

    def sign(self, head: Head, content: Data) -> SignedStep:
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
    steps: tuple[SignedStep, ...]
    keys: dict[int, bytes]
    """The public key of each player who has joined."""
    signers: tuple[bytes, ...]
    """The public key that has signed each step."""
    head: Head
    marks: tuple[bytes, ...] = ()
    """For each step the hash of all text up to it: signatures, proofs and all."""
    known: int = 0
    """How many steps were checked in full before."""

    def key_of(self, step: SignedStep) -> bytes:
        """Return the public key that has signed a step."""
        return self.signers[step.height - 1]

    def by(self, height: int) -> str:
        """Return the name of who signed a step."""
        return self.players[self.steps[height - 1].by]


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
    public, signers = dict[int, bytes](), list[bytes]()
    steps: list[SignedStep] = []
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
        signers.append(key)
    return Chain(game, players, tuple(steps), public, tuple(signers), head, marks, known)


def remember(chain: Chain, keys: Keys | None) -> None:
    """Remember that a chain is valid, with everything that its steps prove."""
    if keys and chain.known < len(chain.marks):
        keys.learn(chain.marks[-1])


def invalid(seals: Seals, error: ProofError) -> InvalidFileError:
    """Return an error of a step as one of the record, at the position of that step."""
    return InvalidFileError(seals.place(error.step or 0), " ".join(error.sentences))


def signer_of(step: SignedStep) -> int | None:
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


def _check_content(step: SignedStep) -> None:
    """Require the keys of a step and the form of their values."""
    content = step.content
    kind = content.get("kind")
    needed, allowed = KEYS.get(kind, (None, set())) if type(kind) is str else (None, set())
    if needed is None:
        raise ProofError(
            "step-kind",
            None,
            f"Step {step.height} is of an unknown kind: it was changed, or a newer porto wrote it.",
        )
    given = set(content) - _OF_ALL
    wrong = sorted((needed - given) | (given - needed - allowed))
    wrong = wrong or [key for key in sorted(given) if not _FORMS[key](content[key])]
    if wrong:
        raise ProofError(
            "step-form",
            None,
            f"Step {step.height} lacks {shown(wrong[0])} or has an invalid value for it.",
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


def _is_hash(value: object) -> bool:
    raw = from_text(value) if type(value) is str else None
    return raw is not None and len(raw) == SIZE


def _are_numbers(value: object) -> bool:
    return type(value) is list and all(type(each) is int for each in value)


_FORMS: dict[str, Callable[[Any], bool]] = {
    "setup": _is_mapping,
    "entries": _are_entries,
    "release": _is_hash,
    "commitment": _is_hash,
    "seed": _is_hash,
    "without": _are_numbers,
    "rule": lambda value: type(value) is int and value == RULE,
}


def _key_for(step: SignedStep, public: Mapping[int, bytes], players: int) -> bytes:
    """Return the key that a step has to be signed with: the one with which its player has joined,
    or the one that a first join names.
    """
    by = step.by
    if by >= players:
        raise ProofError("step-by", None, f"Step {step.height} names a signer who does not play.")
    if by in public:
        return public[by]
    content = step.content
    if content.get("kind") != JOIN:
        raise ProofError(
            "key-missing",
            by,
            f"Step {step.height} claims to be by {player_at(by)}, but no step before it names "
            f"{player_at(by)}'s key.",
        )
    setup = content.get("setup")
    text = setup.get("key") if isinstance(setup, Mapping) else None
    key = from_text(text) if type(text) is str else None
    if key is None or not is_point(key):
        raise ProofError(
            "key-form",
            by,
            f"Step {step.height} claims to be the join of {player_at(by)}, but names no key.",
        )
    return key


def _learn(step: SignedStep, key: bytes, public: dict[int, bytes]) -> None:
    """Note the key with which a player joins, once only."""
    if step.content["kind"] != JOIN:
        return
    if step.by in public:
        raise ProofError(
            "key-changed",
            step.by,
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


def sign(chain: Chain, drafted: Chain, record: Record, keys: Keys) -> tuple[Chain, Record]:
    """Sign the drafted steps of a chain, and append them to a record whose turns already have them.

    What a program would refuse has to be refused before: a signature cannot be taken back. So the
    record is read again with the unsigned steps, and only then are they signed. Raises FileError
    and what ``keys`` raises.
    """
    drafts = drafted.steps[len(chain.steps) :]
    read_again(record.with_steps([draft.to_json() for draft in drafts]))
    for draft in drafts:
        step = keys.sign(chain.head, dict(draft.content))
        chain = _longer(chain, step)
        record = record.with_steps([step.to_json()])
    return chain, record


def _longer(chain: Chain, step: SignedStep) -> Chain:
    key, public = _key_for(step, chain.keys, len(chain.players)), dict(chain.keys)
    _learn(step, key, public)
    head = Head(chain.game, step.height, step.hash(chain.game))
    signers = (*chain.signers, key)
    return chain._replace(steps=(*chain.steps, step), keys=public, signers=signers, head=head)


def text_of(key: bytes) -> str:
    """Return bytes as a machine part has them."""
    return to_text(key)


def bytes_of(text: object) -> bytes:
    """Return the bytes of a text whose form was checked."""
    raw = from_text(str(text))
    assert raw is not None
    return raw
