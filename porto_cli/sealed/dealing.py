"""The setup of a sealed game: two passes, after which players know only their own things.

In the first pass each player in turn joins: commits to a seed and a chain, and shuffles. In the
second each removes their scalar from the things of the others and releases the first value of their
chain: first the player who joined last (in the same message), then the others in seat order.

A :class:`SetupState` is a value with checked contents only. As :func:`unlock` needs one in which
everybody has joined, nothing can be unlocked before all shuffles are proven, and nothing released
before all chains are fixed.

At the end of the game all players publish their seeds, and :func:`audit` recomputes everything
from them. Each seat is audited by itself. If a player never reveals, the things of all others can
still be shown: after everybody has unlocked, they depend only on their owner's scalar.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from porto_cli.sealed import (
    NONCE_SIZE,
    SIZE,
    GameSecrets,
    ProofError,
    Releases,
    check_points,
    demand,
    first_randomness,
    generator,
    inverse,
    multiply,
    number,
    points_in,
    proofs,
    short_hash,
    thing_points,
    to_text,
    unpacked,
)
from porto_cli.sealed.proofs import PROOF_SIZE, Shuffle, Unlocking, shuffled
from porto_cli.sealed.steps import StepPlace

MOST_THINGS = 256

Points = tuple[bytes, ...]

_points_of_game = lru_cache(8)(thing_points)


class Join(NamedTuple):
    """The join of a player. If nothing is dealt, base, pile and proof are empty."""

    key: bytes
    nonce: bytes
    commitment: bytes
    tip: bytes
    base: bytes = b""
    pile: Points = ()
    proof: bytes = b""

    def to_json(self) -> dict[str, object]:
        """Return the fields as texts."""
        return _as_texts(self, dealt=bool(self.pile))

    @classmethod
    def from_json(cls, data: object, setup: SetupState) -> Join:
        """Return the next join of a setup. Only its form is checked.

        Raises :class:`~porto_cli.sealed.ProofError`.
        """
        sizes = dict(key=SIZE, nonce=NONCE_SIZE, commitment=SIZE, tip=SIZE)  # noqa: C408
        if setup.things:
            sizes |= {"base": SIZE, "pile": SIZE * setup.things}
        fields = unpacked(data, {**sizes, "proof": None} if setup.things else sizes)
        pile = points_in(fields.pop("pile", b""))
        return cls(**fields, pile=pile)


class Unlock(NamedTuple):
    """What a player publishes in the second pass: the things of the others without the player's
    scalar, in seat order, the proof, and the first value of the chain.
    """

    slots: Points
    proof: bytes
    release: bytes

    def to_json(self) -> dict[str, object]:
        """Return the fields as texts."""
        return _as_texts(self, dealt=bool(self.slots))

    @classmethod
    def from_json(cls, data: object, setup: SetupState) -> Unlock:
        """Return the next unlock of a setup. Only its form is checked.

        Raises :class:`~porto_cli.sealed.ProofError`.
        """
        sizes = {"release": SIZE}
        if setup.things:
            sizes |= {"slots": SIZE * setup.others, "proof": PROOF_SIZE}
        fields = unpacked(data, sizes)
        slots = points_in(fields.get("slots", b""))
        return cls(slots, fields.get("proof", b""), fields["release"])


def _as_texts(one: Join | Unlock, *, dealt: bool) -> dict[str, object]:
    """Return the fields as texts, but for those that are empty if nothing is dealt."""
    fields = one._asdict().items()
    raw = {name: b"".join(value) if type(value) is tuple else value for name, value in fields}
    return {name: to_text(value) for name, value in raw.items() if value or dealt}


class SetupState(NamedTuple):
    """The public state of a setup. Create one with :func:`begin`.

    A pile of ``things`` is hidden, and every seat gets ``each`` of them: seat *s* those in places
    ``s * each`` to ``s * each + each - 1`` of the pile after the last shuffle.
    """

    game: bytes
    seats: int
    things: int
    each: int
    joins: tuple[Join, ...] = ()
    unlocks: tuple[Unlock, ...] = ()

    # -- Progress

    @property
    def next_to_join(self) -> int | None:
        """The seat that joins next, or None when everybody has joined."""
        return len(self.joins) if len(self.joins) < self.seats else None

    @property
    def next_to_unlock(self) -> int | None:
        """The seat that unlocks next, or None before everybody has joined and when all have
        unlocked.
        """
        if len(self.joins) < self.seats or self.complete:
            return None
        return self.unlock_order[len(self.unlocks)]

    @property
    def unlock_order(self) -> tuple[int, ...]:
        """The last seat, which unlocks in the same message in which it joins; then the others."""
        return (self.seats - 1, *range(self.seats - 1))

    @property
    def complete(self) -> bool:
        """Whether everybody has unlocked."""
        return len(self.unlocks) == self.seats

    @property
    def height(self) -> int:
        """The height of the last step. The steps of the setup are the first of the record."""
        return len(self.joins) + len(self.unlocks)

    @property
    def others(self) -> int:
        """How many things each seat unlocks."""
        return self.each * (self.seats - 1)

    def _check_complete(self) -> None:
        demand(self.complete, "The setup of this game is not complete.")

    def pile_before(self, seat: int) -> Points:
        """Return the pile that a seat shuffles."""
        return self.joins[seat - 1].pile if seat else _points_of_game(self.game, self.things)

    def base_before(self, seat: int) -> bytes:
        """Return the base that a seat multiplies."""
        return self.joins[seat - 1].base if seat else generator()

    def places_of(self, seat: int) -> range:
        """Return the places of the pile that go to a seat."""
        return range(seat * self.each, (seat + 1) * self.each)

    def places_of_others(self, seat: int) -> list[int]:
        """Return the places that a seat unlocks. Things that no seat gets stay locked."""
        return [
            place for other in range(self.seats) if other != seat for place in self.places_of(other)
        ]

    def locked(self, seat: int) -> Points:
        """Return the points that a seat unlocks, after the seats that unlock before it."""
        points = self._unlocked(self.unlock_order.index(seat))
        return tuple(points[place] for place in self.places_of_others(seat))

    def own(self, seat: int) -> Points:
        """Return the points of a seat after everybody else has unlocked them."""
        self._check_complete()
        points = self._unlocked(self.seats)
        return tuple(points[place] for place in self.places_of(seat))

    def _unlocked(self, seats: int) -> list[bytes]:
        """Return the shuffled pile after the first seats have unlocked it."""
        points = list(self.joins[-1].pile)
        for seat, done in zip(self.unlock_order[:seats], self.unlocks, strict=False):
            for place, point in zip(self.places_of_others(seat), done.slots, strict=True):
                points[place] = point
        return points

    def context(self, seat: int, place: StepPlace) -> bytes:
        """Return the hash that binds a proof to the game, the seat and the place in the record."""
        numbers = (self.seats, self.things, self.each, seat, place.height)
        return short_hash("context", self.game, *map(number, numbers), place.previous)

    # -- Results

    @property
    def randomness(self) -> bytes:
        """R of the setup. Every tip was fixed before the first value was released."""
        self._check_complete()
        seats = sorted(zip(self.unlock_order, self.unlocks, strict=True))
        return first_randomness(self.game, [done.release for _, done in seats])

    def chain(self, seat: int) -> Releases:
        """Return the chain of a seat: after its first value, if it has unlocked."""
        chain, done = Releases(self.game, seat, self.joins[seat].tip), self.unlock_of(seat)
        return chain.released(done.release) if done else chain

    def unlock_of(self, seat: int) -> Unlock | None:
        """Return the unlock of a seat; ``None`` before it."""
        return dict(zip(self.unlock_order, self.unlocks, strict=False)).get(seat)

    def hand(self, secrets: GameSecrets) -> tuple[int, ...]:
        """Return the numbers of a player's things, in the order of the places.

        Raises :class:`~porto_cli.sealed.ProofError` if the secrets are not those with which
        the player has joined.
        """
        self._check_complete()
        if not self.things:
            return ()
        numbers = {point: nth for nth, point in enumerate(_points_of_game(self.game, self.things))}
        back = inverse(secrets.scalar)
        things = [numbers.get(multiply(back, point)) for point in self.own(secrets.seat)]
        known = tuple(nth for nth in things if nth is not None)
        opened = len(known) == len(things)
        demand(opened, "These are not the secrets that the player has joined with: nothing opens.")
        return known

    # -- The next step

    def with_join(self, join: Join, place: StepPlace, proven: bool = False) -> SetupState:
        """Return the setup after the next player has joined, fully checked.

        ``proven`` skips what takes long: the caller knows that exactly this step, by its hash, was
        checked before. Raises :class:`~porto_cli.sealed.ProofError`.
        """
        seat = self.next_to_join
        if seat is None:
            raise ProofError("A player joins, but all seats are taken.")
        self._check_place(place, len(join.pile), self.things)
        self._check_copies(join)
        if not proven:
            check_points("key", [join.key])
            if self.things:
                self._check_shuffle(seat, join, place)
        return self._replace(joins=(*self.joins, join))

    def _check_copies(self, join: Join) -> None:
        # With a copy of another player's tip or commitment, a player could wait until the other one
        # releases, and would add nothing new to R. The same nonce at two seats of one person would
        # make the same secrets.
        for earlier, field in product(self.joins, ("tip", "commitment", "nonce")):
            demand(
                getattr(join, field) != getattr(earlier, field),
                f"The join has a copy of what another player has published in the field {field!r}: "
                "the secrets of two players are never the same.",
            )

    def _check_place(self, place: StepPlace, points: int, expected: int) -> None:
        # Lists of different lengths must not be compared: extra points would not be proven.
        demand(
            points == expected,
            f"The step of the setup has {points} points instead of {expected}.",
        )
        # A player signs only one step at each height. If there could be other steps between those
        # of the setup, the same player could be asked to unlock at two heights, after two
        # different shuffles by another player; both together would show which thing is which.
        demand(
            place.height == self.height + 1,
            f"Step {place.height} has to be step {self.height + 1}: no other steps come between "
            "those of a setup.",
        )

    def _check_shuffle(self, seat: int, join: Join, place: StepPlace) -> None:
        check_points("base", [join.base])
        check_points("pile", join.pile)
        once = len(set(join.pile)) == len(join.pile)
        demand(once, "The shuffle has the same thing twice: another was thrown out.")
        # The proof excludes everything but multiplication by one number. That number could still be
        # 1, which would make the order public.
        demand(
            set(self.pile_before(seat)).isdisjoint(join.pile),
            "The shuffle leaves a thing unchanged, so everybody can see where it went.",
        )
        demand(
            proofs.is_shuffle_proven(self.shuffle_of(seat, join, place), join.proof),
            "The shuffle is not proven: the proof does not fit this game, this step and the pile "
            "before and after it. Nothing was unlocked: all things are still hidden.",
        )

    def shuffle_of(self, seat: int, join: Join, place: StepPlace) -> Shuffle:
        """Return the statement that a join proves: the piles before and after, and the step."""
        head = short_hash("join", join.key, join.nonce, join.commitment, join.tip)
        context = short_hash("join context", self.context(seat, place), head)
        return Shuffle(
            context, self.base_before(seat), self.pile_before(seat), join.base, join.pile
        )

    def with_unlock(self, unlock: Unlock, place: StepPlace, proven: bool = False) -> SetupState:
        """Return the setup after the next player has unlocked, fully checked.

        ``proven`` as in :meth:`with_join`. Raises :class:`~porto_cli.sealed.ProofError`.
        """
        seat = self.next_to_unlock
        if seat is None:
            raise ProofError("A player unlocks, but the setup is not at that point.")
        self._check_place(place, len(unlock.slots), self.others)
        self.chain(seat).released(unlock.release)
        if self.things and not proven:
            check_points("slots", unlock.slots)
            demand(
                proofs.is_unlocking_proven(self.unlocking_of(seat, unlock, place), unlock.proof),
                "The unlocking is not proven: something other than what was shuffled has come out, "
                "or the proof is of another game or step.",
            )
        return self._replace(unlocks=(*self.unlocks, unlock))

    def unlocking_of(self, seat: int, unlock: Unlock, place: StepPlace) -> Unlocking:
        """Return the statement that an unlock proves: the slots before and after, and the step."""
        # The release is bound by the chain; the proof binds it as well, so that it covers the whole
        # step.
        context = short_hash("unlock context", self.context(seat, place), unlock.release)
        return Unlocking(
            context,
            self.base_before(seat),
            self.joins[seat].base,
            self.locked(seat),
            unlock.slots,
        )


def begin(game: bytes, seats: int, things: int, each: int) -> SetupState:
    """Return the setup of a game before anybody has joined.

    ``game`` is the hash of the genesis, 32 bytes. ``things`` and ``each`` are both 0 if only what
    comes up later is hidden. Raises :class:`~porto_cli.sealed.ProofError` for numbers that
    cannot be dealt.
    """
    if len(game) != SIZE:
        raise ValueError("A game id has 32 bytes.")
    possible = (things == each == 0) or (each > 0 and seats * each <= things <= MOST_THINGS)
    demand(
        possible and seats > 1,
        f"{each} hidden things for each of {seats} players cannot be dealt from a pile of "
        f"{things}.",
    )
    return SetupState(game, seats, things, each)


def join(
    setup: SetupState, secrets: GameSecrets, key: bytes, nonce: bytes, place: StepPlace
) -> Join:
    """Return the join of the next player; the secrets must come from a new seed.

    Raises :class:`~porto_cli.sealed.ProofError` if it is not that player's turn.
    """
    seat = _own_turn(setup, secrets, setup.next_to_join)
    bare = Join(key, nonce, secrets.commitment, secrets.tip)
    if not setup.things:
        return bare
    order = secrets.permutation(setup.things)
    mine = bare._replace(
        base=multiply(secrets.scalar, setup.base_before(seat)),
        pile=shuffled(setup.pile_before(seat), secrets.scalar, order),
    )
    statement = setup.shuffle_of(seat, mine, place)
    proof = proofs.prove_shuffle(statement, secrets.scalar, order, secrets.proof_secret)
    return mine._replace(proof=proof)


def unlock(setup: SetupState, secrets: GameSecrets, place: StepPlace) -> Unlock:
    """Return the unlock of the next player.

    The result removes the last protection of the others' things against all the others together:
    the setup must have been checked on this machine, and there must be only one unlock at each
    height. Raises :class:`~porto_cli.sealed.ProofError` if it is not that player's turn.
    """
    seat = _own_turn(setup, secrets, setup.next_to_unlock)
    bare = Unlock((), b"", secrets.release(1))
    if not setup.things:
        return bare
    mine = bare._replace(slots=proofs.opened(setup.locked(seat), secrets.scalar))
    statement = setup.unlocking_of(seat, mine, place)
    return mine._replace(
        proof=proofs.prove_unlocking(statement, secrets.scalar, secrets.proof_secret)
    )


def _own_turn(setup: SetupState, secrets: GameSecrets, seat: int | None) -> int:
    if seat is None or seat != secrets.seat or secrets.game != setup.game:
        raise ProofError("It is the turn of another player to take part in the setup.")
    return seat


# -- The end of the game


def audit(
    setup: SetupState, seat: int, seed: bytes, released: Sequence[bytes] = ()
) -> tuple[GameSecrets, tuple[int, ...]]:
    """Return what a seat had, its secrets and the numbers of the things that it was dealt, after
    recomputing from its seed everything that it has done.

    ``released`` are all values that it has released, including the one in its unlock, in order.
    Raises :class:`~porto_cli.sealed.ProofError` for the first thing that does not follow
    from the seed. What was kept is checked with
    :func:`porto_cli.sealed.check_opening` and the ``salt`` of the secrets.
    """
    join, secrets = setup.joins[seat], GameSecrets(seed, setup.game, seat)
    committed = len(seed) == SIZE and secrets.commitment == join.commitment
    demand(committed, "What was revealed is not the seed committed to when joining.")
    demand(secrets.tip == join.tip, "The chain joined with does not follow from the seed.")
    for nth, value in enumerate(released, 1):
        follows = secrets.release(nth) == value
        demand(follows, f"Release number {nth} does not follow from the seed.")
    if not setup.things:
        return secrets, ()
    pile = shuffled(setup.pile_before(seat), secrets.scalar, secrets.permutation(setup.things))
    base = multiply(secrets.scalar, setup.base_before(seat))
    same = (join.base, join.pile) == (base, pile)
    demand(same, "The shuffle is another one than the seed says.")
    done = setup.unlock_of(seat)
    if done is not None:
        locked = tuple(multiply(secrets.scalar, point) for point in done.slots)
        same = locked == setup.locked(seat)
        demand(same, "Something other than what was shuffled was unlocked.")
    return secrets, setup.hand(secrets) if setup.complete else ()
