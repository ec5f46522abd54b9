"""Small sealed games, made by the package, and what both checkers say of them.

A game is a list of steps as JSON. A cheater can sign whatever he likes, so that what is tampered
with gets a good signature before both checkers read it.
"""

from __future__ import annotations

import base64
import copy
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field

from porto_cli.sealed import GameSecrets, ProofError, check_opening, kept_commitment, seed_of
from porto_cli.sealed import dealing as setup
from porto_cli.sealed.dealing import audit
from porto_cli.sealed.steps import Head, Identity, SignedStep, StepPlace, game_id
from tests.second_verifier import page
from tests.second_verifier.edwards import RefusedError

Json = dict[str, object]


@dataclass
class Game:
    """A game with everything that its players know."""

    seats: int
    things: int
    each: int
    genesis: Json
    people: list[Identity]
    secrets: list[GameSecrets]
    steps: list[Json] = field(default_factory=list)

    @property
    def id(self) -> bytes:
        """The hash of the genesis."""
        return game_id(self.genesis)

    def place(self, number: int) -> StepPlace:
        """Where a step stands."""
        previous = (
            self.id if number == 0 else SignedStep.from_json(self.steps[number - 1]).hash(self.id)
        )
        return StepPlace(number + 1, previous)

    def signed(self, number: int, content: Mapping[str, object], **other: object) -> Json:
        """A step with this content in this place, signed by who makes it."""
        place = self.place(number)
        return self.sealed_step(
            {"height": place.height, "previous": place.previous, **other}, content
        )

    def sealed_step(self, facts: Mapping[str, object], content: Mapping[str, object]) -> Json:
        """A step whose signature is good for whatever it says."""
        height, previous = facts["height"], facts["previous"]
        assert isinstance(height, int)
        assert isinstance(previous, bytes)
        by = content.get("by")
        signer = self.people[by if type(by) is int and 0 <= by < self.seats else 0]
        message = page.signed_bytes(self.id, height, previous, content)
        signature = facts.get("signature", signer.sign(message))
        assert isinstance(signature, bytes)
        return {
            "height": height,
            "previous": base64_of(previous),
            "content": dict(content),
            "signature": base64_of(signature),
        }


def base64_of(raw: bytes) -> str:
    """Bytes as text."""
    return base64.b64encode(raw).decode()


def raw(text: object) -> bytes:
    """A text as bytes."""
    return base64.b64decode(str(text))


def make(seats: int, things: int, each: int, name: str = "small") -> Game:
    """A game whose setup is over; everything follows from its name."""
    genesis: Json = {"game": name, "seats": seats}
    identity = game_id(genesis)
    people = [Identity(hashlib.sha256(f"{name} {seat}".encode()).digest()) for seat in range(seats)]
    nonces = [hashlib.sha256(person.secret).digest()[:16] for person in people]
    seeds = [seed_of(one.master, identity, nonces[i]) for i, one in enumerate(people)]
    secrets = [GameSecrets(seed, identity, seat) for seat, seed in enumerate(seeds)]
    game = Game(seats, things, each, genesis, people, secrets)
    state = setup.begin(identity, seats, things, each)
    for seat in range(seats):
        place = game.place(seat)
        join = setup.join(state, secrets[seat], people[seat].public, nonces[seat], place)
        state = state.with_join(join, place)
        game.steps.append(game.signed(seat, {"by": seat, "join": join.to_json()}))
    for seat in (seats - 1, *range(seats - 1)):
        place = game.place(len(game.steps))
        unlock = setup.unlock(state, secrets[seat], place)
        state = state.with_unlock(unlock, place)
        game.steps.append(game.signed(len(game.steps), {"by": seat, "unlock": unlock.to_json()}))
    return game


class Both:
    """Both checkers, after the same steps of a game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.table = page.Table(game.id, game.seats, game.things, game.each)
        self.last, self.number = game.id, 0
        self.setup = setup.begin(game.id, game.seats, game.things, game.each)
        self.head = Head.of_genesis(game.id)

    def copy(self) -> Both:
        """The same place, to go on from twice."""
        return copy.deepcopy(self)

    def second(self, value: object) -> None:
        """Check a step of the setup by the page."""
        step = page.Step.of(value)
        self.last = page.check_step(self.table, self.number + 1, self.last, step)
        self.number += 1

    def package(self, value: object) -> None:
        """Check a step of the setup by the package; whose turn it is, is for its caller."""
        step = SignedStep.from_json(value)
        joins = self.setup.next_to_join is not None
        due = self.setup.next_to_join if joins else self.setup.next_to_unlock
        kind = "join" if joins else "unlock"
        if step.by != due or set(step.content) != {"by", kind}:
            raise ProofError("It is not the turn of this player.")
        if joins:
            join = setup.Join.from_json(step.content["join"], self.setup)
            head = self.head.after(step, join.key)
            after = self.setup.with_join(join, step.place)
        else:
            unlock = setup.Unlock.from_json(step.content["unlock"], self.setup)
            head = self.head.after(step, self.setup.joins[step.by].key)
            after = self.setup.with_unlock(unlock, step.place)
        self.head, self.setup = head, after

    def verdicts(self, value: object) -> tuple[bool, bool]:
        """Whether the page, and whether the package, allows this as the next step."""
        return accepts(RefusedError, self.second, value), accepts(ProofError, self.package, value)

    def audits(self, seat: int, seed: bytes) -> tuple[bool, bool]:
        """Whether a seed is the one that a seat has joined with."""
        released = self.table.joined[seat].chain[1:]
        return (
            accepts(RefusedError, self.table.audit, seat, seed),
            accepts(ProofError, audit, self.setup, seat, seed, released),
        )

    def openings(
        self, seat: int, height: int, commitment: bytes, things: bytes
    ) -> tuple[bool, bool]:
        """Whether what a seat says that it has kept was dealt and bound to."""
        seed = self.game.secrets[seat].seed
        secrets, numbers = audit(self.setup, seat, seed, self.table.joined[seat].chain[1:])
        salt, dealt = secrets.salt(height), bytes(numbers)
        return (
            accepts(RefusedError, self.table.kept, seat, seed, height, commitment, things),
            accepts(ProofError, check_opening, self.game.id, seat, commitment, salt, things, dealt),
        )

    def commitment(self, seat: int, height: int, things: bytes) -> bytes:
        """What binds to things; the package makes it of whatever it is given."""
        return kept_commitment(self.game.id, seat, self.game.secrets[seat].salt(height), things)


def accepts(refusal: type[Exception], check: object, *arguments: object) -> bool:
    """Whether a check passes; what is neither a pass nor a refusal is a defect and goes on."""
    assert callable(check)
    try:
        check(*arguments)
    except refusal:
        return False
    return True
