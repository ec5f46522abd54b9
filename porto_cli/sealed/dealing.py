"""The setup of a sealed game: two passes, after which players know only their own things.

In the first pass each player in turn joins: commits to a seed and a chain, and shuffles. In the
second each removes their scalar from the things of the others and releases the first value of their
chain: first the player who joined last (in the same message), then the others in seat order. Both
are proven: that it was a shuffle, and that it was unlocked.

A :class:`SetupState` is a value with checked contents only. As :func:`unlock` needs one in which
everybody has joined, nothing can be unlocked before all shuffles are proven, and nothing released
before all chains are fixed.

At the end of the game all players publish their seeds, and :func:`audit` recomputes everything
from them. Each seat is audited by itself. If a player never reveals, the things of all others can
still be shown: after everybody has unlocked, they depend only on their owner's scalar.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property, lru_cache
from typing import ClassVar, NamedTuple

from porto_cli.sealed import (
    NONCE_SIZE,
    SIZE,
    GameSecrets,
    ProofError,
    Releases,
    add,
    check_points,
    demand,
    difference,
    first_randomness,
    generator,
    hash_to_scalar,
    inverse,
    inverted,
    is_permutation,
    is_scalar,
    long_hash,
    multiply,
    number,
    permutation,
    points_in,
    product,
    short_hash,
    thing_points,
    to_text,
    unpacked,
    weighted_sum,
)
from porto_cli.sealed.steps import StepPlace

# -- The proof of a shuffle: cut-and-choose (Sako and Kilian), non-interactive by Fiat–Shamir
#
# A player takes a pile of points, multiplies each by the secret scalar *k*, and puts them in a
# secret order; the base, a point that belongs to the pile, is multiplied by *k* as well. Before
# anybody unlocks a point, it has to be proven that *all* points were multiplied by the *same*
# number and none was replaced. Otherwise the last player could put a sum of other players' things
# in a place of their own, let the others remove their scalars, and find out by trial what they
# hold: nobody would notice before the end, and a cheater can leave before.
#
# For each of 80 rounds the prover makes one more pile, the old one times a new scalar in a new
# order. A hash of everything then decides round by round what to show: how to get to it from the
# old pile, or from the new one. A prover who can answer both knows a *k* and an order that lead
# from the old pile to the new one. Anybody else has to guess the hash, with probability 2**-80 for
# each try, which costs a hash. What is shown says nothing about *k*, because only one of the two is
# shown in a round.

ROUNDS = 80
"""Proving a false statement takes 2**80 tries, each of them at least a hash."""
SEED_SIZE = 16


@dataclass(eq=False)
class Statement:
    """What is proven: ``tag`` says what kind of a statement it is, its fields what it says.

    ``context`` is a hash of where it is made: game, seat, place in the record. Points have been
    checked.
    """

    tag: ClassVar[str]
    context: bytes
    base_before: bytes

    @cached_property
    def transcript(self) -> bytes:
        """A hash of the whole statement, of its fields in their order: a proof is valid for this
        statement only.
        """
        parts = (getattr(self, field.name) for field in fields(self))
        return long_hash(self.tag, *(one if type(one) is bytes else b"".join(one) for one in parts))


@dataclass(eq=False)
class Shuffle(Statement):
    """A statement: ``after[i]`` is *k* times ``before[order[i]]``, ``base_after`` *k* times
    ``base_before``. A pile has 1 to 256 points.
    """

    tag = "shuffle"
    before: Sequence[bytes]
    base_after: bytes
    after: Sequence[bytes]


def shuffled(before: Sequence[bytes], scalar: bytes, order: Sequence[int]) -> tuple[bytes, ...]:
    """Return a pile with its points multiplied and in another order."""
    return tuple(multiply(scalar, before[nth]) for nth in order)


def prove_shuffle(shuffle: Shuffle, scalar: bytes, order: bytes, secret: bytes) -> bytes:
    """Return the proof of a shuffle; it is the same for the same statement and secret.

    It is ten bytes of challenge, and for each round the seed (if its bit is 0), or scalar and
    order.
    """
    back = inverse(scalar)
    places = inverted(order)
    rounds = []
    for nth in range(ROUNDS):
        seed = short_hash("shuffle seed", secret, shuffle.transcript, number(nth))[:SEED_SIZE]
        own, mixed = _choices(shuffle, nth, seed)
        rounds.append((seed, product(own, back), bytes(places[place] for place in mixed)))
    challenge = _challenge(
        shuffle, [_from_before(shuffle, nth, seed) for nth, (seed, _, _) in enumerate(rounds)]
    )
    answers = [
        scalar + order if _bit(challenge, nth) else seed
        for nth, (seed, scalar, order) in enumerate(rounds)
    ]
    return challenge + b"".join(answers)


def is_shuffle_proven(shuffle: Shuffle, proof: bytes) -> bool:
    """Return whether the proof of a shuffle is valid.

    The commitments are not in the proof: they are recomputed from what is shown, and if their hash
    is the challenge, they were made before it.
    """
    challenge = proof[: ROUNDS // 8]
    if len(challenge) != ROUNDS // 8:
        return False
    place = len(challenge)
    count = len(shuffle.before)
    commitments = []
    for nth in range(ROUNDS):
        length = SIZE + count if _bit(challenge, nth) else SEED_SIZE
        answer = proof[place : place + length]
        place += length
        if len(answer) != length:
            return False
        if not _bit(challenge, nth):
            commitments.append(_from_before(shuffle, nth, answer))
            continue
        scalar, order = answer[:SIZE], answer[SIZE:]
        if not is_scalar(scalar) or not is_permutation(order, count):
            return False
        commitments.append(_commitment(nth, scalar, shuffle.base_after, shuffle.after, order))
    return place == len(proof) and _challenge(shuffle, commitments) == challenge


def _choices(shuffle: Shuffle, nth: int, seed: bytes) -> tuple[bytes, bytes]:
    """Return the scalar and the order of a round."""
    place = number(nth)
    return (
        hash_to_scalar("shuffle scalar", shuffle.transcript, place, seed),
        permutation(len(shuffle.before), "shuffle order", shuffle.transcript, place, seed),
    )


def _from_before(shuffle: Shuffle, nth: int, seed: bytes) -> bytes:
    scalar, order = _choices(shuffle, nth, seed)
    return _commitment(nth, scalar, shuffle.base_before, shuffle.before, order)


def _commitment(
    nth: int, scalar: bytes, base: bytes, pile: Sequence[bytes], order: Sequence[int]
) -> bytes:
    points = shuffled(pile, scalar, order)
    return short_hash("shuffle round", number(nth), multiply(scalar, base), b"".join(points))


def _challenge(shuffle: Shuffle, commitments: Sequence[bytes]) -> bytes:
    return long_hash("shuffle challenge", shuffle.transcript, *commitments)[: ROUNDS // 8]


def _bit(challenge: bytes, nth: int) -> int:
    return challenge[nth // 8] >> nth % 8 & 1


# -- The proof that points were unlocked: divided by the *k* by which the base was multiplied
#
# There is one proof for all of them (Chaum and Pedersen, batched as in RFC 9497): it shows that the
# discrete logarithm of ``base_after`` to ``base_before`` is that of a random sum of the locked
# points to the same sum of the opened ones. The weights of the sum are hashes of everything, so
# that an error in one point cannot cancel one in another. Without the proof a player could publish
# junk in place of somebody's things, or swap two of them, and nobody would know who it was.

PROOF_SIZE = 2 * SIZE


@dataclass(eq=False)
class Unlocking(Statement):
    """A statement: each of ``locked`` is *k* times the same of ``opened``, and ``base_after`` is
    *k* times ``base_before``.
    """

    tag = "unlock"
    base_after: bytes
    locked: Sequence[bytes]
    opened: Sequence[bytes]

    @cached_property
    def weights(self) -> list[bytes]:
        """The weight of each point in the sums."""
        return [
            hash_to_scalar("unlock weight", self.transcript, number(nth))
            for nth in range(len(self.locked))
        ]

    @cached_property
    def opened_sum(self) -> bytes:
        """The weighted sum of the opened points."""
        return weighted_sum(self.weights, self.opened)

    @cached_property
    def locked_sum(self) -> bytes:
        """The weighted sum of the locked points."""
        return weighted_sum(self.weights, self.locked)

    def challenge(self, base_commitment: bytes, sum_commitment: bytes) -> bytes:
        """Return the challenge of the proof."""
        return hash_to_scalar(
            "unlock challenge",
            self.transcript,
            self.opened_sum,
            self.locked_sum,
            base_commitment,
            sum_commitment,
        )


def opened(locked: Sequence[bytes], scalar: bytes) -> tuple[bytes, ...]:
    """Return points divided by a scalar."""
    back = inverse(scalar)
    return tuple(multiply(back, point) for point in locked)


def prove_unlocking(unlocking: Unlocking, scalar: bytes, secret: bytes) -> bytes:
    """Return the proof: challenge and response, two scalars.

    The nonce comes from the secret *and* the statement, never from a random generator: the same
    nonce in two statements would leak the scalar.
    """
    nonce = hash_to_scalar("unlock hiding", secret, unlocking.transcript)
    challenge = unlocking.challenge(
        multiply(nonce, unlocking.base_before), multiply(nonce, unlocking.opened_sum)
    )
    return challenge + difference(nonce, product(challenge, scalar))


def is_unlocking_proven(unlocking: Unlocking, proof: bytes) -> bool:
    """Return whether a proof shows that all points were unlocked with the scalar of the base."""
    challenge, response = proof[:SIZE], proof[SIZE:]
    if not is_scalar(challenge) or not is_scalar(response):
        return False
    base_commitment = add(
        multiply(response, unlocking.base_before), multiply(challenge, unlocking.base_after)
    )
    sum_commitment = add(
        multiply(response, unlocking.opened_sum), multiply(challenge, unlocking.locked_sum)
    )
    return unlocking.challenge(base_commitment, sum_commitment) == challenge


# -- The setup

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
        found = unpacked(data, {**sizes, "proof": None} if setup.things else sizes)
        pile = points_in(found.pop("pile", b""))
        return cls(**found, pile=pile)


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
        found = unpacked(data, sizes)
        slots = points_in(found.get("slots", b""))
        return cls(slots, found.get("proof", b""), found["release"])


def _as_texts(one: Join | Unlock, *, dealt: bool) -> dict[str, object]:
    """Return the fields as texts, but for those that are empty if nothing is dealt."""
    filled = {name: value for name, value in one._asdict().items() if value or dealt}
    return {
        name: to_text(b"".join(value) if type(value) is tuple else value)
        for name, value in filled.items()
    }


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
        is_open = len(known) == len(things)
        demand(is_open, "These are not the secrets that the player has joined with: nothing opens.")
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
        for field in ("tip", "commitment", "nonce"):
            demand(
                getattr(join, field) not in [getattr(earlier, field) for earlier in self.joins],
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
            is_shuffle_proven(self.shuffle_of(seat, join, place), join.proof),
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
                is_unlocking_proven(self.unlocking_of(seat, unlock, place), unlock.proof),
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
    proof = prove_shuffle(statement, secrets.scalar, order, secrets.proof_secret)
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
    mine = bare._replace(slots=opened(setup.locked(seat), secrets.scalar))
    statement = setup.unlocking_of(seat, mine, place)
    return mine._replace(proof=prove_unlocking(statement, secrets.scalar, secrets.proof_secret))


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
