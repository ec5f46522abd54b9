"""The setup of a sealed game: two passes, after which players know only their own things.

In the first pass each player in turn joins: commits to a seed and a chain, and shuffles. In the
second pass each removes their scalar from the things of the others, and releases the first value of
their chain: first the player who joined last (in the same message), then the others in seat order.
Shuffles and unlocks come with proofs.

A :class:`SetupState` only ever holds checked contents. As :func:`unlock` needs one in which
everybody has joined, nothing can be unlocked before all shuffles are proven, and nothing released
before all chains are fixed.

At the end of the game all players publish their seeds, and :func:`audit` recomputes everything
from them, seat by seat. If a player never reveals, the others can still show their things: once
everybody has unlocked, these depend only on their owner's scalar.
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
# anybody unlocks a point, the player has to prove that *all* points were multiplied by the *same*
# scalar and none was replaced. Otherwise the last player could put a sum of other players' things
# in a place of their own, let the others remove their scalars, and find out by trial what they
# hold: nobody would notice before the end, and a cheater can leave before that.
#
# For each of 80 rounds the prover makes another pile: the old one times a fresh scalar, in a fresh
# order. A hash of everything then decides for each round what to show: how to get to this pile from
# the old one, or from the new one. A prover who could answer both knows a *k* and an order that
# lead from the old pile to the new one. Anybody else has to guess the challenge bits, and succeeds
# with probability 2**-80 for each try, which costs at least a hash. The answers say nothing about
# *k*, because each round shows only one of the two.

ROUNDS = 80
"""Proving a false statement takes about 2**80 tries."""
SEED_SIZE = 16


@dataclass(eq=False)
class Statement:
    """What is proven: ``tag`` is the kind of statement, the fields are its contents.

    ``context`` is a hash of game, seat, and place in the record. All points have been checked.
    """

    tag: ClassVar[str]
    context: bytes
    base_before: bytes

    @cached_property
    def transcript(self) -> bytes:
        """A hash of all fields in order, so that a proof is valid for this statement only."""
        values = (getattr(self, field.name) for field in fields(self))
        parts = (value if type(value) is bytes else b"".join(value) for value in values)
        return long_hash(self.tag, *parts)


@dataclass(eq=False)
class Shuffle(Statement):
    """The statement that for some *k* and order, ``after[i]`` is *k* times ``before[order[i]]``,
    and ``base_after`` is *k* times ``base_before``. A pile has 1 to 256 points.
    """

    tag = "shuffle"
    before: Sequence[bytes]
    base_after: bytes
    after: Sequence[bytes]


def shuffled(before: Sequence[bytes], scalar: bytes, order: Sequence[int]) -> tuple[bytes, ...]:
    """Return a pile with its points multiplied by a scalar and reordered."""
    return tuple(multiply(scalar, before[place]) for place in order)


def prove_shuffle(shuffle: Shuffle, scalar: bytes, order: bytes, secret: bytes) -> bytes:
    """Return the proof of a shuffle, which is determined by the statement and ``secret``.

    It consists of the challenge, ten bytes, and for each round the seed (if its bit is 0) or the
    scalar and the order from the new pile.
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

    The proof leaves out the commitments: they are recomputed from the answers, and if their hash is
    the challenge, they were fixed before it.
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
    """Return the scalar and the order of a round, which its seed determines."""
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
# One proof covers all points (Chaum and Pedersen, batched as in RFC 9497): the discrete logarithm
# of ``base_after`` to the base ``base_before`` equals that of a weighted sum of the locked points
# to the base of the same sum of the opened ones. The weights are hashes of everything, so an error
# in one point cannot cancel one in another. Without the proof a player could publish junk in place
# of somebody's things, or swap two of them, and nobody would know who it was.

PROOF_SIZE = 2 * SIZE


@dataclass(eq=False)
class Unlocking(Statement):
    """The statement that for some *k*, each point of ``locked`` is *k* times its counterpart in
    ``opened``, and ``base_after`` is *k* times ``base_before``.
    """

    tag = "unlock"
    base_after: bytes
    locked: Sequence[bytes]
    opened: Sequence[bytes]

    @cached_property
    def weights(self) -> list[bytes]:
        """The weight of each point in the sums."""
        return [
            hash_to_scalar("unlock weight", self.transcript, number(place))
            for place in range(len(self.locked))
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
        """Return the challenge for these commitments."""
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

    The nonce is derived from the secret *and* the statement, never from a random generator: the
    same nonce in two statements would leak the scalar.
    """
    nonce = hash_to_scalar("unlock hiding", secret, unlocking.transcript)
    challenge = unlocking.challenge(
        multiply(nonce, unlocking.base_before), multiply(nonce, unlocking.opened_sum)
    )
    return challenge + difference(nonce, product(challenge, scalar))


def is_unlocking_proven(unlocking: Unlocking, proof: bytes) -> bool:
    """Return whether a proof of unlocking is valid."""
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
    """What a player publishes in the first pass. If nothing is dealt, base, pile and proof are
    empty.
    """

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
        """Decode the next join of a setup. Only its form is checked.

        Raises :class:`~porto_cli.sealed.ProofError`.
        """
        sizes = dict(key=SIZE, nonce=NONCE_SIZE, commitment=SIZE, tip=SIZE)  # noqa: C408
        if setup.things:
            sizes |= {"base": SIZE, "pile": SIZE * setup.things}
        found = unpacked(data, {**sizes, "proof": None} if setup.things else sizes)
        pile = points_in(found.pop("pile", b""))
        return cls(**found, pile=pile)


class Unlock(NamedTuple):
    """What a player publishes in the second pass: the things of the others, in seat order, without
    the player's scalar; the proof; and the first value of the chain.
    """

    slots: Points
    proof: bytes
    release: bytes

    def to_json(self) -> dict[str, object]:
        """Return the fields as texts."""
        return _as_texts(self, dealt=bool(self.slots))

    @classmethod
    def from_json(cls, data: object, setup: SetupState) -> Unlock:
        """Decode the next unlock of a setup. Only its form is checked.

        Raises :class:`~porto_cli.sealed.ProofError`.
        """
        sizes = {"release": SIZE}
        if setup.things:
            sizes |= {"slots": SIZE * setup.others, "proof": PROOF_SIZE}
        found = unpacked(data, sizes)
        slots = points_in(found.get("slots", b""))
        return cls(slots, found.get("proof", b""), found["release"])


def _as_texts(step: Join | Unlock, *, dealt: bool) -> dict[str, object]:
    """Return the fields as texts; if nothing is dealt, without those that are empty."""
    filled = {name: value for name, value in step._asdict().items() if value or dealt}
    return {
        name: to_text(b"".join(value) if type(value) is tuple else value)
        for name, value in filled.items()
    }


class SetupState(NamedTuple):
    """The public state of a setup. Create one with :func:`begin`.

    The pile has ``things`` hidden things, and every seat gets ``each`` of them: seat *s* those in
    places ``s * each`` to ``s * each + each - 1`` after the last shuffle.
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
        """The seat that unlocks next; None until everybody has joined and after the last unlock."""
        if len(self.joins) < self.seats or self.complete:
            return None
        return self.unlock_order[len(self.unlocks)]

    @property
    def unlock_order(self) -> tuple[int, ...]:
        """The last seat, which joins and unlocks in one message; then the others."""
        return (self.seats - 1, *range(self.seats - 1))

    @property
    def complete(self) -> bool:
        """Whether everybody has unlocked."""
        return len(self.unlocks) == self.seats

    @property
    def height(self) -> int:
        """The height of the last step of the setup. These steps are the first of the record."""
        return len(self.joins) + len(self.unlocks)

    @property
    def others(self) -> int:
        """The number of things that each seat unlocks."""
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
        """Return the places that a seat unlocks. Things that nobody gets stay locked."""
        return [
            place for other in range(self.seats) if other != seat for place in self.places_of(other)
        ]

    def locked(self, seat: int) -> Points:
        """Return the points that a seat unlocks, as the seats before it have left them."""
        points = self._unlocked(self.unlock_order.index(seat))
        return tuple(points[place] for place in self.places_of_others(seat))

    def own(self, seat: int) -> Points:
        """Return the points of a seat after everybody else has unlocked them."""
        self._check_complete()
        points = self._unlocked(self.seats)
        return tuple(points[place] for place in self.places_of(seat))

    def _unlocked(self, seats: int) -> list[bytes]:
        """Return the shuffled pile after this many seats have unlocked it."""
        points = list(self.joins[-1].pile)
        for seat, step in zip(self.unlock_order[:seats], self.unlocks, strict=False):
            for place, point in zip(self.places_of_others(seat), step.slots, strict=True):
                points[place] = point
        return points

    def context(self, seat: int, place: StepPlace) -> bytes:
        """Return the hash that binds a proof to the game, the seat and the place in the record."""
        numbers = (self.seats, self.things, self.each, seat, place.height)
        return short_hash("context", self.game, *map(number, numbers), place.previous)

    # -- Results

    @property
    def randomness(self) -> bytes:
        """The joint randomness R. Every tip was fixed before the first value was released."""
        self._check_complete()
        seats = sorted(zip(self.unlock_order, self.unlocks, strict=True))
        return first_randomness(self.game, [step.release for _, step in seats])

    def chain(self, seat: int) -> Releases:
        """Return the chain of a seat, whose first value is released once it has unlocked."""
        chain, step = Releases(self.game, seat, self.joins[seat].tip), self.unlock_of(seat)
        return chain.released(step.release) if step else chain

    def unlock_of(self, seat: int) -> Unlock | None:
        """Return the unlock of a seat; ``None`` if it has not unlocked yet."""
        return dict(zip(self.unlock_order, self.unlocks, strict=False)).get(seat)

    def hand(self, secrets: GameSecrets) -> tuple[int, ...]:
        """Return the numbers of a player's things, in the order of their places.

        Raises :class:`~porto_cli.sealed.ProofError` if the player has joined with other secrets.
        """
        self._check_complete()
        if not self.things:
            return ()
        points = _points_of_game(self.game, self.things)
        numbers = {point: thing for thing, point in enumerate(points)}
        back = inverse(secrets.scalar)
        things = [numbers.get(multiply(back, point)) for point in self.own(secrets.seat)]
        known = tuple(thing for thing in things if thing is not None)
        is_open = len(known) == len(things)
        demand(is_open, "These are not the secrets that the player has joined with: nothing opens.")
        return known

    # -- The next step

    def with_join(self, join: Join, place: StepPlace, proven: bool = False) -> SetupState:
        """Return the setup after the next player has joined, fully checked.

        ``proven`` skips the slow checks: the caller knows, by its hash, that exactly this step was
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
        # A player with a copy of another's tip or commitment could wait for that player's releases
        # and repeat them, adding nothing to R. The same nonce at two seats of one person would make
        # the same secrets.
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
        # A player signs only one step at each height. If other steps could come between those of
        # the setup, a player could be made to unlock at two heights, after two different shuffles
        # by another player; the two unlocks together would show which thing is which.
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
        # The proof excludes everything but multiplication by one scalar. It could still be 1, which
        # would make the order public.
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
        """Return the statement that a join proves."""
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
        """Return the statement that an unlock proves."""
        # The chain already binds the release; with it, the proof covers the whole step.
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

    ``game`` is the hash of the genesis, 32 bytes. ``things`` and ``each`` are both 0 if nothing is
    dealt, and only what comes up later is hidden. Raises :class:`~porto_cli.sealed.ProofError` for
    numbers that cannot be dealt.
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
    """Make the join of the next player, whose secrets must come from a new seed.

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
    """Make the unlock of the next player.

    This player's scalar is what protects a hand against all other players together, so the setup
    must have been checked on this machine, and there must be only one unlock at each height. Raises
    :class:`~porto_cli.sealed.ProofError` if it is not that player's turn.
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
    """Recompute from a seat's seed everything that it has done; return its secrets and the numbers
    of the things that it was dealt.

    ``released`` has all values that it has released, in order, from the one in its unlock on.
    Raises :class:`~porto_cli.sealed.ProofError` for the first thing that does not follow from the
    seed. What was kept is checked separately, with :func:`porto_cli.sealed.check_opening`.
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
    demand(same, "The shuffle is not the one that follows from the seed.")
    step = setup.unlock_of(seat)
    if step is not None:
        locked = tuple(multiply(secrets.scalar, point) for point in step.slots)
        same = locked == setup.locked(seat)
        demand(same, "Something other than what was shuffled was unlocked.")
    return secrets, setup.hand(secrets) if setup.complete else ()
