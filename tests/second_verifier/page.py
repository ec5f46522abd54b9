"""PROTOCOL of porto-sealed(7), checked by a program that was written from that page alone.

Standard library only. Each function names the section that it follows. Everything that the page
does not allow raises ``RefusedError``.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tests.second_verifier.edwards import (
    BASE,
    NEUTRAL,
    L,
    Multiples,
    Point,
    RefusedError,
    add,
    check_signature,
    decode,
    encode,
    from_uniform,
    times,
)

ROUNDS = 80
CHAIN = 256


def demand(right: bool, otherwise: str) -> None:
    """Refuse unless it is right."""
    if not right:
        raise RefusedError(otherwise)


# Bytes


def u32(n: int) -> bytes:
    """Bytes: 4 bytes, the highest first."""
    return n.to_bytes(4, "big")


def u64(n: int) -> bytes:
    """Bytes: 8 bytes, the highest first."""
    return n.to_bytes(8, "big")


def long_hash(tag: str, *parts: bytes) -> bytes:
    """Bytes: H."""
    label = b"porto sealed 1/" + tag.encode("ascii")
    return hashlib.sha512(b"".join(u32(len(part)) + part for part in (label, *parts))).digest()


def short_hash(tag: str, *parts: bytes) -> bytes:
    """Bytes: h."""
    return long_hash(tag, *parts)[:32]


def to_scalar(tag: str, *parts: bytes) -> int:
    """Bytes: S."""
    return int.from_bytes(long_hash(tag, *parts), "little") % L


def to_point(tag: str, *parts: bytes) -> Point:
    """Bytes: P."""
    both = long_hash(tag, *parts)
    return add(from_uniform(both[:32]), from_uniform(both[32:]))


def words(tag: str, *parts: bytes) -> Iterator[int]:
    """Bytes: the words of 4 bytes that perm reads."""
    number = 0
    while True:
        block = long_hash(tag, *parts, u64(number))
        yield from (int.from_bytes(block[at : at + 4], "big") for at in range(0, 64, 4))
        number += 1


def perm(n: int, tag: str, *parts: bytes) -> list[int]:
    """Bytes: perm."""
    order, source = list(range(n)), words(tag, *parts)
    for i in range(n - 1, 0, -1):
        limit = 2**32 // (i + 1) * (i + 1)
        j = next(word for word in source if word < limit) % (i + 1)
        order[i], order[j] = order[j], order[i]
    return order


def read_scalar(text: bytes) -> int:
    """Bytes: a scalar that is read, 1 to L-1."""
    number = int.from_bytes(text, "little")
    demand(len(text) == 32 and 1 <= number < L, "not a scalar")
    return number


def from_base64(text: object, size: int | None = None) -> bytes:
    """Bytes: base64 in its one form."""
    demand(isinstance(text, str), "not a text")
    try:
        result = base64.b64decode(str(text).encode("ascii"), validate=True)
    except (UnicodeEncodeError, binascii.Error) as error:
        raise RefusedError("not base64") from error
    demand(base64.b64encode(result).decode() == text, "not the one form of base64")
    demand(size is None or len(result) == size, "another number of bytes")
    return result


ESCAPES = {"\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"'}
ESCAPES["\\"] = "\\\\"


def json_text(text: str) -> str:
    """Bytes: a text as JSON."""
    demand(not any("\ud800" <= c <= "\udfff" for c in text), "half of a character")
    return (
        '"'
        + "".join(
            ESCAPES.get(c, c) if c >= " " or c in ESCAPES else f"\\u{ord(c):04x}" for c in text
        )
        + '"'
    )


def to_json(value: object, depth: int = 0) -> str:
    """Bytes: the one spelling of a value as JSON."""
    if isinstance(value, str):
        return json_text(value)
    if isinstance(value, int) and not isinstance(value, bool):
        demand(abs(value) <= 2**53 - 1, "a number that is too large")
        return str(value)
    demand(depth < 12, "nested too deep")
    if isinstance(value, list):
        return "[" + ",".join(to_json(item, depth + 1) for item in value) + "]"
    demand(isinstance(value, dict), "not a value of JSON that the page allows")
    assert isinstance(value, dict)
    for key in value:
        demand(isinstance(key, str) and all(" " <= c <= "~" for c in key), "not a key")
    items = (json_text(key) + ":" + to_json(value[key], depth + 1) for key in sorted(value))
    return "{" + ",".join(items) + "}"


def mapping(value: object, *keys: str) -> dict[str, object]:
    """A mapping with these keys and no other."""
    demand(isinstance(value, dict) and set(value) == set(keys), f"needs exactly {keys}")
    assert isinstance(value, dict)
    return value


# Keys

BECH32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"


def bech32(prefix: str, data: bytes) -> str:
    """Keys: Bech32 of BIP-173, in lower case."""
    number, size = int.from_bytes(data, "big"), (len(data) * 8 + 4) // 5
    number <<= size * 5 - len(data) * 8
    values = [number >> 5 * at & 31 for at in reversed(range(size))]
    spread = [ord(c) >> 5 for c in prefix] + [0] + [ord(c) & 31 for c in prefix]
    check = 1
    for value in [*spread, *values, 0, 0, 0, 0, 0, 0]:
        top, check = check >> 25, (check & 0x1FFFFFF) << 5 ^ value
        for at, part in enumerate((0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)):
            check ^= part if top >> at & 1 else 0
    values += [(check ^ 1) >> 5 * at & 31 for at in reversed(range(6))]
    return prefix + "1" + "".join(BECH32[value] for value in values)


# Steps


def game_id(genesis: object) -> bytes:
    """Steps: the game id."""
    demand(isinstance(genesis, dict), "a genesis is a mapping")
    return short_hash("genesis", to_json(genesis).encode())


def signed_bytes(game: bytes, height: int, previous: bytes, content: object) -> bytes:
    """Steps: m, which is signed."""
    return long_hash("step", game, u64(height), previous, to_json(content).encode())


@dataclass(frozen=True)
class Step:
    """Steps: one step, as it is read."""

    height: int
    previous: bytes
    content: dict[str, object]
    signature: bytes

    @classmethod
    def of(cls, value: object) -> Step:
        """A step out of JSON with height, previous, content and signature."""
        read = mapping(value, "height", "previous", "content", "signature")
        height, content = read["height"], read["content"]
        demand(type(height) is int and height >= 1, "not a height")
        demand(isinstance(content, dict), "a content is a mapping")
        assert isinstance(height, int)
        assert isinstance(content, dict)
        previous, signature = from_base64(read["previous"], 32), from_base64(read["signature"], 64)
        return cls(height, previous, content, signature)

    def by(self, seats: int) -> int:
        """The seat that makes it."""
        seat = self.content.get("by")
        demand(type(seat) is int and 0 <= seat < seats, "by is no seat")
        assert isinstance(seat, int)
        return seat

    def signed(self, game: bytes) -> bytes:
        """What is signed."""
        return signed_bytes(game, self.height, self.previous, self.content)

    def hash(self, game: bytes) -> bytes:
        """The hash of the step."""
        return self.signed(game)[:32]


def check_fork(value: object) -> None:
    """Steps: the proof that the owner of a key has made two versions of a step."""
    read = mapping(value, "game", "key", "first", "second")
    game, key = from_base64(read["game"], 32), from_base64(read["key"], 32)
    first, second = Step.of(read["first"]), Step.of(read["second"])
    demand(first.height == second.height, "two heights")
    demand(first.signed(game) != second.signed(game), "one step twice")
    for step in (first, second):
        check_signature(key, step.signed(game), step.signature)


# Secrets of a game


def seed_of(secret: bytes, game: bytes, nonce: bytes) -> bytes:
    """Secrets of a game: the seed."""
    return hmac.digest(short_hash("game master", secret), game + nonce, "sha512")[:32]


def seed_commitment(game: bytes, seat: int, seed: bytes) -> bytes:
    """Secrets of a game: the commitment to the seed."""
    return short_hash("seed", game, u64(seat), seed)


def before_in_chain(game: bytes, seat: int, i: int, value: bytes) -> bytes:
    """Secrets of a game: v[i-1] from v[i]."""
    return short_hash("chain", game, u64(seat), u64(i), value)


def chain(game: bytes, seat: int, seed: bytes) -> list[bytes]:
    """Secrets of a game: v[0], which is the tip, to v[256]."""
    values = [short_hash("chain end", seed)]
    for i in range(CHAIN, 0, -1):
        values.append(before_in_chain(game, seat, i, values[-1]))
    return values[::-1]


# The proof of a shuffle


def joined(points: Sequence[Point]) -> bytes:
    """All points one after the other."""
    return b"".join(map(encode, points))


def check_shuffle(
    c: bytes, a: Point, x: Sequence[Point], b: Point, y: Sequence[Point], proof: bytes
) -> None:
    """The proof of a shuffle: X to Y and A to B, with the context c."""
    things = len(x)
    t = long_hash("shuffle", c, encode(a), joined(x), encode(b), joined(y))
    before, after = [Multiples(p) for p in (a, *x)], [Multiples(p) for p in (b, *y)]
    challenge, at, rounds = proof[:10], 10, []
    demand(len(challenge) == 10, "the proof is too short")
    for i in range(ROUNDS):
        if challenge[i // 8] >> i % 8 & 1:
            shown, order = proof[at : at + 32], list(proof[at + 32 : at + 32 + things])
            scalar, tables = read_scalar(shown), after
            demand(sorted(order) == list(range(things)), "not an order")
            at += 32 + things
        else:
            seed = proof[at : at + 16]
            demand(len(seed) == 16, "the proof is too short")
            scalar = to_scalar("shuffle scalar", t, u64(i), seed)
            order, tables = perm(things, "shuffle order", t, u64(i), seed), before
            at += 16
        base = encode(tables[0].times(scalar))
        pile = joined([tables[1 + place].times(scalar) for place in order])
        rounds.append(short_hash("shuffle round", u64(i), base, pile))
    demand(at == len(proof), "the proof has another length")
    demand(long_hash("shuffle challenge", t, *rounds)[:10] == challenge, "the proof is wrong")


# Unlock


def check_equal_logarithms(
    c: bytes, a: Point, b: Point, x: Sequence[Point], y: Sequence[Point], proof: bytes
) -> None:
    """Unlock: the proof that x is k times y for the k with b = k a."""
    demand(len(proof) == 64, "the proof has another length")
    t = long_hash("unlock", c, encode(a), encode(b), joined(x), joined(y))
    v = w = NEUTRAL
    for i in range(len(x)):
        weight = to_scalar("unlock weight", t, u64(i))
        v, w = add(v, times(weight, y[i])), add(w, times(weight, x[i]))
    e, z = read_scalar(proof[:32]), read_scalar(proof[32:])
    ra, rv = add(times(z, a), times(e, b)), add(times(z, v), times(e, w))
    expected = to_scalar("unlock challenge", t, encode(v), encode(w), encode(ra), encode(rv))
    demand(expected == e, "the proof is wrong")


# Joining and unlocking


@dataclass
class Seat:
    """What a seat has published."""

    key: bytes
    nonce: bytes
    commitment: bytes
    base_before: Point
    base: Point
    pile_before: list[Point]
    pile: list[Point]
    chain: list[bytes]  # The tip, and what was released since.
    unlocked: list[Point] = field(default_factory=list)
    slots: list[Point] = field(default_factory=list)


@dataclass
class Table:
    """A game in setup and after it: everything that was published and is right so far."""

    game: bytes
    seats: int
    things: int
    each: int
    joined: list[Seat] = field(default_factory=list)
    pile: list[Point] = field(default_factory=list)
    unlocks: int = 0
    randomness: bytes = b""

    def __post_init__(self) -> None:
        hidden = 1 <= self.things <= 256 and self.each >= 1
        demand(hidden or self.things == self.each == 0, "such a pile cannot be hidden")
        demand(self.seats >= 2, "too few seats")
        demand(self.seats * self.each <= self.things, "more is dealt than there is")
        self.pile = [to_point("thing", self.game, u64(i)) for i in range(self.things)]

    def context(self, seat: int, height: int, previous: bytes) -> bytes:
        """Joining and unlocking: the context of a proof."""
        numbers = (self.seats, self.things, self.each, seat, height)
        return short_hash("context", self.game, *map(u64, numbers), previous)

    def join(self, seat: int, height: int, previous: bytes, value: object) -> None:
        """Join."""
        demand(seat == len(self.joined) < self.seats and height == seat + 1, "not its turn to join")
        texts = ["key", "nonce", "commitment", "tip"]
        read = mapping(value, *texts, *(["base", "pile", "proof"] if self.things else []))
        key, commitment, tip = (
            from_base64(read[name], 32) for name in ("key", "commitment", "tip")
        )
        nonce = from_base64(read["nonce"], 16)
        decode(key)
        for other in self.joined:
            demand(nonce != other.nonce, "a copied nonce")
            demand(commitment != other.commitment, "a copied commitment")
            demand(tip != other.chain[0], "a copied tip")
        base_before = self.joined[-1].base if self.joined else BASE
        base, pile = base_before, self.pile
        if self.things:
            base = decode(from_base64(read["base"], 32))
            pile = split(from_base64(read["pile"], 32 * self.things))
            demand(len(set(map(encode, pile + self.pile))) == 2 * self.things, "a point twice")
            hashed = short_hash("join", key, nonce, commitment, tip)
            c = short_hash("join context", self.context(seat, height, previous), hashed)
            proof = from_base64(read["proof"])
            check_shuffle(c, base_before, self.pile, base, pile, proof)
        self.joined.append(Seat(key, nonce, commitment, base_before, base, self.pile, pile, [tip]))
        self.pile = list(pile)

    def unlock(self, seat: int, height: int, previous: bytes, value: object) -> None:
        """Unlock, and Joint randomness after the last one."""
        demand(len(self.joined) == self.seats and self.unlocks < self.seats, "no time to unlock")
        demand(seat == (self.seats - 1 + self.unlocks) % self.seats, "not its turn to unlock")
        demand(height == self.seats + self.unlocks + 1, "an unlock at another height")
        me = self.joined[seat]
        if self.things:
            read = mapping(value, "slots", "proof", "release")
            release = from_base64(read["release"], 32)
            places = [i for i in range(self.seats * self.each) if i // self.each != seat]
            slots = split(from_base64(read["slots"], 32 * len(places)))
            before = [self.pile[place] for place in places]
            c = short_hash("unlock context", self.context(seat, height, previous), release)
            proof = from_base64(read["proof"], 64)
            check_equal_logarithms(c, me.base_before, me.base, before, slots, proof)
            me.unlocked, me.slots = before, slots
            for place, point in zip(places, slots, strict=True):
                self.pile[place] = point
        else:
            release = from_base64(mapping(value, "release")["release"], 32)
        self.follow(seat, release)
        self.unlocks += 1
        if self.unlocks == self.seats:
            first = [one.chain[1] for one in self.joined]
            self.randomness = short_hash("randomness", self.game, *first)

    def follow(self, seat: int, value: bytes) -> None:
        """Secrets of a game: the next value of a chain."""
        values = self.joined[seat].chain
        demand(len(values) <= CHAIN, "the chain has no more values")
        fits = before_in_chain(self.game, seat, len(values), value) == values[-1]
        demand(len(value) == 32 and fits, "not the next value of the chain")
        values.append(value)

    def release(self, seat: int, value: bytes) -> bytes:
        """Joint randomness: R after a later release."""
        demand(self.unlocks == self.seats, "the setup is not over")
        self.follow(seat, value)
        self.randomness = short_hash("next randomness", self.randomness, value)
        return self.randomness

    def dealt(self, seat: int, k: int) -> list[int]:
        """Hands: the things in the places of a seat, in the order of the places."""
        named = {encode(to_point("thing", self.game, u64(i))): i for i in range(self.things)}
        inverse = pow(k, -1, L)
        places = range(seat * self.each, (seat + 1) * self.each)
        hand = [named.get(encode(times(inverse, self.pile[place]))) for place in places]
        demand(None not in hand, "what was dealt is none of the things")
        return [thing for thing in hand if thing is not None]

    def audit(self, seat: int, seed: bytes) -> list[int]:
        """The end: everything of a seat follows from its seed; what it was dealt."""
        me = self.joined[seat]
        demand(len(seed) == 32, "a seed has 32 bytes")
        demand(me.commitment == seed_commitment(self.game, seat, seed), "another seed")
        values = chain(self.game, seat, seed)
        shown = zip(me.chain, values, strict=False)
        demand(all(mine in (right, b"") for mine, right in shown), "another chain")
        if not self.things:
            return []
        k, order = to_scalar("scalar", seed), perm(self.things, "permutation", seed)
        demand(encode(times(k, me.base_before)) == encode(me.base), "another base")
        demand(joined([times(k, me.pile_before[i]) for i in order]) == joined(me.pile), "pile")
        demand(joined([times(k, point) for point in me.slots]) == joined(me.unlocked), "slots")
        return self.dealt(seat, k)

    def kept(self, seat: int, seed: bytes, height: int, commitment: bytes, things: bytes) -> None:
        """Hands, and what is kept of them; the end: what was kept was dealt, and bound to."""
        salt = short_hash("salt", seed, u64(height))
        opened = short_hash("kept", self.game, u64(seat), salt, bytes(sorted(things)))
        demand(opened == commitment, "not what the commitment binds to")
        hand = self.audit(seat, seed)
        demand(all(things.count(i) <= hand.count(i) for i in things), "kept what was not dealt")


def split(text: bytes) -> list[Point]:
    """Points one after the other."""
    return [decode(text[at : at + 32]) for at in range(0, len(text), 32)]


# Steps, all of a game


def check_step(table: Table, number: int, last: bytes, step: Step) -> bytes:
    """Steps: the height, the link and the signature of a step, and the setup; returns its hash."""
    demand(step.height == number, "a gap in the heights")
    demand(step.previous == last, "does not follow the step before")
    seat = step.by(table.seats)
    if number <= table.seats:
        value = setup_of(step, "join")
        demand(isinstance(value, dict) and "key" in value, "a join has a key")
        assert isinstance(value, dict)
        check_signature(from_base64(value["key"], 32), step.signed(table.game), step.signature)
        table.join(seat, number, last, value)
    else:
        check_signature(table.joined[seat].key, step.signed(table.game), step.signature)
        if number <= 2 * table.seats:
            table.unlock(seat, number, last, setup_of(step, "unlock"))
    return step.hash(table.game)


def setup_of(step: Step, kind: str) -> object:
    """What a step of the setup has."""
    if "kind" in step.content:
        content = mapping(step.content, "by", "kind", "setup")
        demand(content["kind"] == kind, f"this should be a step to {kind}")
        return content["setup"]
    return mapping(step.content, "by", kind)[kind]


# CHANCE of porto-record(5)


def choose(seed: str, stream: str, index: int, n: int) -> int:
    """Choosing one of n things."""
    attempt = 0
    while True:
        text = f"porto/1/{seed}/{stream}/{index}/{attempt}"
        x = int.from_bytes(hashlib.sha256(text.encode()).digest()[:2], "big")
        if x < 65536 // n * n:
            return x % n
        attempt += 1
