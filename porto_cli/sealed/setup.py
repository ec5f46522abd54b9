"""The set-up of a sealed game: two passes, after which every player knows its own things only.

In the first pass each player in turn joins: binds itself to a seed and a chain, and shuffles. In
the second each takes its scalar off the things of the others and releases the first value of its
chain: first the player who joined last (in the same mail), then the others in the order of seats.

A :class:`Setup` is a value that holds only what was checked. As :func:`unlock` needs one in which
everybody has joined, nothing can be unlocked before all shuffles are proven, and nothing released
before all chains are fixed.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from porto_cli.sealed import shuffle
from porto_cli.sealed import unlock as unlocking
from porto_cli.sealed.errors import Seat, refused
from porto_cli.sealed.forms import Fields, check_points, to_text
from porto_cli.sealed.primitives import (
    SIZE,
    generator,
    inverse,
    multiply,
    number,
    short_hash,
    thing_points,
)
from porto_cli.sealed.randomness import Chain, first
from porto_cli.sealed.secrets import NONCE_SIZE, GameSecrets
from porto_cli.sealed.shuffle import Shuffle, shuffled
from porto_cli.sealed.steps import Place
from porto_cli.sealed.unlock import PROOF_SIZE, Unlocking

MOST_THINGS = 256

Points = tuple[bytes, ...]

_points_of_game = lru_cache(8)(thing_points)


class Join(NamedTuple):
    """What a player joins with. Where nothing is dealt, base, pile and proof are empty."""

    key: bytes
    nonce: bytes
    commitment: bytes
    tip: bytes
    base: bytes = b""
    pile: Points = ()
    proof: bytes = b""

    def to_json(self) -> dict[str, object]:
        """Return the fields as texts."""
        fields: dict[str, object] = {
            "key": to_text(self.key),
            "nonce": to_text(self.nonce),
            "commitment": to_text(self.commitment),
            "tip": to_text(self.tip),
        }
        if self.pile:
            fields["base"] = to_text(self.base)
            fields["pile"] = to_text(b"".join(self.pile))
            fields["proof"] = to_text(self.proof)
        return fields

    @classmethod
    def from_json(cls, data: object, setup: Setup) -> Join:
        """Return what the next player joins a set-up with. Only its form is checked.

        Raises :class:`~porto_cli.sealed.errors.ProofError`.
        """
        names = ["key", "nonce", "commitment", "tip"]
        if setup.things:
            names += ["base", "pile", "proof"]
        fields = Fields(data, names, len(setup.joins))
        head = (
            fields.point("key"),
            fields.raw("nonce", NONCE_SIZE),
            fields.raw("commitment", SIZE),
            fields.raw("tip", SIZE),
        )
        if not setup.things:
            return cls(*head)
        points = fields.points("pile", setup.things)
        return cls(*head, fields.point("base"), points, fields.raw("proof"))


class Unlock(NamedTuple):
    """What a player publishes in the second pass: the things of the others with the own scalar
    taken off, in the order of their seats, the proof, and the first value of the chain.
    """

    slots: Points
    proof: bytes
    release: bytes

    def to_json(self) -> dict[str, object]:
        """Return the fields as texts."""
        fields: dict[str, object] = {"release": to_text(self.release)}
        if self.slots:
            fields["slots"] = to_text(b"".join(self.slots))
            fields["proof"] = to_text(self.proof)
        return fields

    @classmethod
    def from_json(cls, data: object, setup: Setup) -> Unlock:
        """Return the next unlock of a set-up. Only its form is checked.

        Raises :class:`~porto_cli.sealed.errors.ProofError`.
        """
        seat = setup.next_to_unlock
        if not setup.things:
            return cls((), b"", Fields(data, ("release",), seat).raw("release", SIZE))
        fields = Fields(data, ("release", "slots", "proof"), seat)
        points = fields.points("slots", setup.others)
        return cls(points, fields.raw("proof", PROOF_SIZE), fields.raw("release", SIZE))


class Setup(NamedTuple):
    """The public state of a set-up. Make one with :func:`begin`.

    A pile of ``things`` is hidden, ``each`` of them go to every seat: to seat *s* those in places
    ``s * each`` to ``s * each + each - 1`` of the pile as the last player left it.
    """

    game: bytes
    seats: int
    things: int
    each: int
    joins: tuple[Join, ...] = ()
    unlocks: tuple[Unlock, ...] = ()

    # -- where it stands

    @property
    def next_to_join(self) -> int | None:
        """The seat that joins next, or None when everybody has."""
        return len(self.joins) if len(self.joins) < self.seats else None

    @property
    def next_to_unlock(self) -> int | None:
        """The seat that unlocks next, or None before everybody has joined, and when all is done."""
        if len(self.joins) < self.seats or self.complete:
            return None
        return self.unlock_order[len(self.unlocks)]

    @property
    def unlock_order(self) -> tuple[int, ...]:
        """The last seat, whose unlock goes into the mail with which it joins; then the others."""
        return (self.seats - 1, *range(self.seats - 1))

    @property
    def complete(self) -> bool:
        """True when everybody has unlocked."""
        return len(self.unlocks) == self.seats

    @property
    def height(self) -> int:
        """The height of the last step. Those of the set-up are the first of the record."""
        return len(self.joins) + len(self.unlocks)

    @property
    def others(self) -> int:
        """How many things each seat unlocks."""
        return self.each * (self.seats - 1)

    def _check_complete(self) -> None:
        if not self.complete:
            raise refused("order", None, "The set-up of this game is not complete.")

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
        """Return the places that a seat unlocks. The pile that nobody gets stays locked."""
        return [
            place for other in range(self.seats) if other != seat for place in self.places_of(other)
        ]

    def locked(self, seat: int) -> Points:
        """Return the points that a seat unlocks, as those who unlock before it have left them."""
        points = list(self.joins[-1].pile)
        for earlier, done in zip(self.unlock_order, self.unlocks, strict=False):
            if earlier == seat:
                break
            for place, point in zip(self.places_of_others(earlier), done.slots, strict=True):
                points[place] = point
        return tuple(points[place] for place in self.places_of_others(seat))

    def own(self, seat: int) -> Points:
        """Return the points of a seat after everybody else has unlocked them."""
        points = list(self.joins[-1].pile)
        for other, done in zip(self.unlock_order, self.unlocks, strict=True):
            for place, point in zip(self.places_of_others(other), done.slots, strict=True):
                points[place] = point
        return tuple(points[place] for place in self.places_of(seat))

    def context(self, seat: int, place: Place) -> bytes:
        """Return what binds a proof to the game, the seat and the place in the record."""
        return short_hash(
            "context",
            self.game,
            number(self.seats),
            number(self.things),
            number(self.each),
            number(seat),
            number(place.height),
            place.previous,
        )

    # -- what follows from it

    @property
    def randomness(self) -> bytes:
        """R of the set-up. Every tip was fixed before the first value was released."""
        self._check_complete()
        seats = sorted(zip(self.unlock_order, self.unlocks, strict=True))
        return first(self.game, [done.release for _, done in seats])

    def chain(self, seat: int) -> Chain:
        """Return the chain of a seat: after its first value, if it has unlocked."""
        chain = Chain(self.game, seat, self.joins[seat].tip)
        for other, done in zip(self.unlock_order, self.unlocks, strict=False):
            if other == seat:
                return chain.released(done.release)
        return chain

    def hand(self, secrets: GameSecrets) -> tuple[int, ...]:
        """Return the numbers of the things that a player has got, in the order of the places.

        Raises :class:`~porto_cli.sealed.errors.ProofError` if the secrets are not those that the
        player has joined with.
        """
        self._check_complete()
        if not self.things:
            return ()
        numbers = {point: nth for nth, point in enumerate(_points_of_game(self.game, self.things))}
        back = inverse(secrets.scalar)
        things = [numbers.get(multiply(back, point)) for point in self.own(secrets.seat)]
        known = tuple(nth for nth in things if nth is not None)
        if len(known) < len(things):
            raise refused(
                "secrets-of-another",
                secrets.seat,
                "The secrets are not those with which {player} has joined: they open nothing.",
            )
        return known

    # -- the next step

    def with_join(self, join: Join, place: Place, proven: bool = False) -> Setup:
        """Return the set-up after the next player has joined, everything checked.

        ``proven`` leaves out what takes long: the caller knows that this very step, by its hash,
        was checked before. Raises :class:`~porto_cli.sealed.errors.ProofError`.
        """
        seat = self.next_to_join
        if seat is None:
            raise refused("order", None, "Somebody joins, but all seats are taken.")
        self._check_place(seat, place, len(join.pile), self.things)
        self._check_copies(seat, join)
        if not proven:
            check_points("key", [join.key], seat)
            if self.things:
                self._check_shuffle(seat, join, place)
        return self._replace(joins=(*self.joins, join))

    def _check_copies(self, seat: int, join: Join) -> None:
        # With a copy of another player's tip or commitment, a player would have to wait until the
        # other one releases, and would add nothing of its own to R. The same nonce at two seats of
        # one person would make the same secrets.
        for other, earlier in enumerate(self.joins):
            for field in ("tip", "commitment", "nonce"):
                if getattr(join, field) == getattr(earlier, field):
                    raise refused(
                        f"{field}-copied",
                        seat,
                        "The join of {player} has a copy of what {other} has published in the field"
                        " {field!r}: the secrets of two players are never the same.",
                        field=field,
                        other=Seat(other),
                    )

    def _check_place(self, seat: int, place: Place, points: int, expected: int) -> None:
        # Lists of different lengths must not meet: what is too much would not be proven.
        if points != expected:
            raise refused(
                "form",
                seat,
                "The step of {player} in the set-up has {points} points instead of {expected}.",
                points=points,
                expected=expected,
            )
        # A player signs one step at a height and no other. If something could stand between the
        # steps of the set-up, the same player could be asked to unlock at two heights, after two
        # different shuffles of somebody else; both together would tell which thing is which.
        if place.height != self.height + 1:
            raise refused(
                "step-height",
                seat,
                "{player} takes part in the set-up in step {height}, which has to be step"
                " {expected}: nothing else can stand between the steps of a set-up.",
                height=place.height,
                expected=self.height + 1,
            )

    def _check_shuffle(self, seat: int, join: Join, place: Place) -> None:
        before = self.pile_before(seat)
        check_points("base", [join.base], seat)
        check_points("pile", join.pile, seat)
        if len(set(join.pile)) < len(join.pile):
            raise refused(
                "shuffle-duplicate",
                seat,
                "{player}'s shuffle has the same thing twice: another one was thrown out.",
            )
        # The proof excludes everything but multiplication by one number. That number can still be
        # 1, with which the order is there for all to see.
        if not set(before).isdisjoint(join.pile):
            raise refused(
                "shuffle-open",
                seat,
                "{player}'s shuffle leaves a thing as it was, so that all can see where it went.",
            )
        if not shuffle.is_proven(self.shuffle_of(seat, join, place), join.proof):
            raise refused(
                "shuffle-not-proven",
                seat,
                "{player}'s shuffle is not proven: the proof does not fit this game, this step and"
                " the pile before and after it. Nothing was unlocked: all things are still hidden.",
            )

    def shuffle_of(self, seat: int, join: Join, place: Place) -> Shuffle:
        """Return what the proof of a join is about: the piles before and after, and the step."""
        head = short_hash("join", join.key, join.nonce, join.commitment, join.tip)
        context = short_hash("join context", self.context(seat, place), head)
        return Shuffle(
            context, self.base_before(seat), self.pile_before(seat), join.base, join.pile
        )

    def with_unlock(self, unlock: Unlock, place: Place, proven: bool = False) -> Setup:
        """Return the set-up after the next player has unlocked, everything checked.

        ``proven`` as in :meth:`with_join`. Raises :class:`~porto_cli.sealed.errors.ProofError`.
        """
        seat = self.next_to_unlock
        if seat is None:
            raise refused("order", None, "Somebody unlocks, but it is not the time for it.")
        self._check_place(seat, place, len(unlock.slots), self.others)
        self.chain(seat).released(unlock.release)
        if self.things and not proven:
            check_points("slots", unlock.slots, seat)
            unlocked = self.unlocking_of(seat, unlock, place)
            if not unlocking.is_proven(unlocked, unlock.proof):
                raise refused(
                    "unlock-not-proven",
                    seat,
                    "{player}'s unlocking is not proven: something other than what was shuffled has"
                    " come out, or the proof is of another game or step.",
                )
        return self._replace(unlocks=(*self.unlocks, unlock))

    def unlocking_of(self, seat: int, unlock: Unlock, place: Place) -> Unlocking:
        """Return what the proof of an unlock is about: the slots before and after, and the step."""
        # The release is bound by the chain; the proof binds it as well, so that it stands for the
        # whole step.
        context = short_hash("unlock context", self.context(seat, place), unlock.release)
        return Unlocking(
            context,
            self.base_before(seat),
            self.joins[seat].base,
            self.locked(seat),
            unlock.slots,
        )


def begin(game: bytes, seats: int, things: int, each: int) -> Setup:
    """Return the set-up of a game before anybody has joined.

    ``game`` is the hash of the genesis, 32 bytes. ``things`` and ``each`` are both 0 if nothing but
    what comes up later is hidden. Raises :class:`~porto_cli.sealed.errors.ProofError` for what
    cannot be dealt.
    """
    if len(game) != SIZE:
        raise ValueError("A game id has 32 bytes.")
    possible = (things == each == 0) or (each > 0 and seats * each <= things <= MOST_THINGS)
    if not possible or seats < 2:
        raise refused(
            "terms",
            None,
            "{each} hidden things for each of {seats} players cannot be dealt from a pile of"
            " {things}.",
            each=each,
            seats=seats,
            things=things,
        )
    return Setup(game, seats, things, each)


def join(setup: Setup, secrets: GameSecrets, key: bytes, nonce: bytes, place: Place) -> Join:
    """Return what the next player joins with; the secrets come from a seed that is new.

    Raises :class:`~porto_cli.sealed.errors.ProofError` if it is not the time for it.
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
    proof = shuffle.prove(statement, secrets.scalar, order, secrets.proof_secret)
    return mine._replace(proof=proof)


def unlock(setup: Setup, secrets: GameSecrets, place: Place) -> Unlock:
    """Return the unlock of the next player.

    Whoever calls this gives away what keeps the others' things from being opened by all the others
    together: the set-up must have been checked on this machine, and at one height there must be
    one unlock only. Raises :class:`~porto_cli.sealed.errors.ProofError` if it is not the time.
    """
    seat = _own_turn(setup, secrets, setup.next_to_unlock)
    bare = Unlock((), b"", secrets.release(1))
    if not setup.things:
        return bare
    mine = bare._replace(slots=unlocking.opened(setup.locked(seat), secrets.scalar))
    statement = setup.unlocking_of(seat, mine, place)
    return mine._replace(proof=unlocking.prove(statement, secrets.scalar, secrets.proof_secret))


def _own_turn(setup: Setup, secrets: GameSecrets, seat: int | None) -> int:
    if seat is None or seat != secrets.seat or secrets.game != setup.game:
        raise refused(
            "order", secrets.seat, "It is not {player}'s turn to take part in the set-up."
        )
    return seat
