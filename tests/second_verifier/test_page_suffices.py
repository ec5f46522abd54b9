"""A checker that was written from porto-sealed(7) alone says what the package says.

Both read the same games, and the same games after somebody has tampered with them.
"""

from __future__ import annotations

import copy
import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from porto_cli.core.chance import choose
from porto_cli.sealed import ProofError, next_randomness
from porto_cli.sealed.steps import SignedStep as PackageStep
from tests.sealed.people import are_two_versions
from tests.second_verifier import edwards, page
from tests.second_verifier.edwards import L, RefusedError, encode
from tests.second_verifier.games import Both, Game, accepts, base64_of, make, raw

pytestmark = pytest.mark.long

VECTORS = json.loads(
    (Path(__file__).parents[1] / "sealed" / "vectors.json").read_text(encoding="utf-8")
)
GAME = VECTORS["game"]

#: A point of order 8, and one that has a part of that order.
TORSION = encode(
    edwards.times(
        L,
        next(
            point
            for y in range(2, 99)
            if (point := edwards.point_or_none(y)) is not None
            and encode(edwards.times(4 * L, point)) != encode(edwards.NEUTRAL)
        ),
    )
)


# The golden vectors


def test_hashes():
    hashes = VECTORS["hashes"]
    assert page.long_hash("test", b"", b"abc").hex() == hashes["long_hash"]
    assert page.short_hash("test", b"", b"abc").hex() == hashes["short_hash"]
    assert page.u64(0x102).hex() == hashes["number"]
    scalar = page.to_scalar("test", b"abc").to_bytes(32, "little")
    assert scalar.hex() == hashes["hash_to_scalar"]
    assert encode(page.to_point("test", b"abc")).hex() == hashes["hash_to_point"]
    assert page.perm(39, "test", b"abc") == hashes["permutation_of_39"]
    assert set(hashes) == {
        *("long_hash", "short_hash", "number"),
        *("hash_to_scalar", "hash_to_point", "permutation_of_39"),
    }


def test_the_genesis_and_the_things():
    assert page.to_json(GAME["genesis"]) == GAME["canonical"]
    game = page.game_id(GAME["genesis"])
    assert game.hex() == GAME["id"]
    points = [encode(page.to_point("thing", game, page.u64(i))).hex() for i in range(8)]
    assert points == GAME["points"]


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_keys_and_the_secrets_of_a_player(seat):
    player, game = VECTORS["players"][seat], bytes.fromhex(GAME["id"])
    secret = bytes.fromhex(player["secret"])
    assert page.bech32("porto-secret-key-", secret).upper() == player["secret_text"]
    public = edwards.public_key(page.short_hash("signing key", secret))
    assert public.hex() == player["public"]
    assert page.bech32("porto", public) == player["public_text"]
    assert page.short_hash("game master", secret).hex() == player["master"]
    seed = page.seed_of(secret, game, bytes.fromhex(player["nonce"]))
    assert seed.hex() == player["seed"]
    assert page.seed_commitment(game, seat, seed).hex() == player["commitment"]
    assert page.to_scalar("scalar", seed).to_bytes(32, "little").hex() == player["scalar"]
    assert page.perm(8, "permutation", seed) == player["permutation"]
    chain = page.chain(game, seat, seed)
    assert chain[0].hex() == player["tip"]
    assert {nth: chain[int(nth)].hex() for nth in player["releases"]} == player["releases"]
    assert page.short_hash("proofs", seed).hex() == player["proof_secret"]


@pytest.fixture(scope="module")
def golden() -> page.Table:
    """The game of the vectors after its setup and the steps behind it, all checked."""
    table = page.Table(bytes.fromhex(GAME["id"]), GAME["seats"], GAME["things"], GAME["each"])
    last = table.game
    for number, known in enumerate(VECTORS["steps"], 1):
        step = page.Step.of(known["step"])
        if number <= 6:
            context = table.context(step.by(3), number, last)
            assert context.hex() == known["context"]
        last = page.check_step(table, number, last, step)
        assert page.to_json(step.content) == known["canonical"]
        assert step.signed(table.game).hex() == known["signed"]
        assert last.hex() == known["hash"]
    assert last.hex() == VECTORS["head"]
    return table


def test_the_whole_game(golden):
    assert golden.randomness.hex() == VECTORS["randomness"]["first"]
    after = copy.deepcopy(golden).release(1, bytes.fromhex(VECTORS["players"][1]["releases"]["2"]))
    assert after.hex() == VECTORS["randomness"]["after_release_2_of_seat_1"]
    for seat, player in enumerate(VECTORS["players"]):
        assert golden.audit(seat, bytes.fromhex(player["seed"])) == player["dealt"]


def test_what_is_kept(golden):
    kept = VECTORS["kept"]
    seed = bytes.fromhex(VECTORS["players"][kept["seat"]]["seed"])
    salt = page.short_hash("salt", seed, page.u64(kept["height"]))
    assert salt.hex() == kept["salt"]
    things, commitment = bytes.fromhex(kept["things"]), bytes.fromhex(kept["commitment"])
    golden.kept(kept["seat"], seed, kept["height"], commitment, things)


def test_two_versions_of_a_step():
    page.check_fork(VECTORS["fork"])


def test_a_choice_is_that_of_a_game_with_a_seed():
    seed = VECTORS["randomness"]["first"]
    for stream, count in [("cards", 50), ("contracts", 35), ("cards", 40000)]:
        for index in range(40):
            assert choose(seed, stream, index, count) == page.choose(seed, stream, index, count)


# Games that are right


@pytest.mark.parametrize(("seats", "things", "each"), [(2, 0, 0), (5, 0, 0), (3, 3, 1), (2, 5, 2)])
def test_honest_games(seats, things, each):
    game = make(seats, things, each)
    both = Both(game)
    for step in game.steps:
        assert both.verdicts(step) == (True, True)
    assert both.table.randomness == both.setup.randomness
    for seat, known in enumerate(game.secrets):
        assert both.audits(seat, known.seed) == (True, True)
        k = int.from_bytes(known.scalar, "little")
        if things:
            assert tuple(both.table.dealt(seat, k)) == both.setup.hand(known)


@pytest.mark.slow
def test_a_game_of_full_size():
    game = make(4, 39, 5, "full")
    both = Both(game)
    for step in game.steps:
        assert both.verdicts(step) == (True, True)
    for seat, known in enumerate(game.secrets):
        assert both.audits(seat, known.seed) == (True, True)


@pytest.mark.parametrize(
    ("seats", "things", "each"),
    [(0, 0, 0), (1, 0, 0), (1, 1, 1), (2, 1, 1), (2, 3, 0), (2, 0, 1), (2, 257, 1), (2, 4, 3)],
)
def test_what_cannot_be_dealt(seats, things, each):
    from porto_cli.sealed.dealing import begin

    assert not accepts(ProofError, begin, bytes(32), seats, things, each)
    assert not accepts(RefusedError, page.Table, bytes(32), seats, things, each)


# Tampering with a join, an unlock, a step


@pytest.fixture(scope="module")
def game() -> Game:
    """Two players, four things, one for each."""
    return make(2, 5, 2)


@pytest.fixture(scope="module")
def places(game) -> list[Both]:
    """Both checkers before each step of the game, and after the last."""
    both = Both(game)
    result = [both.copy()]
    for step in game.steps:
        assert both.verdicts(step) == (True, True)
        result.append(both.copy())
    return result


JOIN, UNLOCK = 1, 2


def edited(game: Game, number: int, name: str, text: object) -> dict[str, object]:
    """A step of the setup in which one value is another; a deletion if it is ``...``."""
    content = copy.deepcopy(game.steps[number]["content"])
    assert isinstance(content, dict)
    values = content["join" if number < game.seats else "unlock"]
    if text is ...:
        del values[name]
    else:
        values[name] = text
    return game.signed(number, content)


def value(game: Game, number: int, name: str) -> bytearray:
    """The bytes of a value of a step of the setup."""
    content = game.steps[number]["content"]
    assert isinstance(content, dict)
    return bytearray(raw(content["join" if number < game.seats else "unlock"][name]))


def rounds(proof: bytes, things: int) -> tuple[int, int]:
    """Where the first round with the bit 0 and the first with the bit 1 begin in a proof."""
    at, found = 10, {}
    for i in range(80):
        bit = proof[i // 8] >> i % 8 & 1
        found.setdefault(bit, at)
        at += 32 + things if bit else 16
    assert at == len(proof)
    return found[0], found[1]


def test_the_step_that_is_not_tampered_with_is_allowed(game, places):
    for number, name in [(JOIN, "proof"), (UNLOCK, "proof")]:
        step = edited(game, number, name, base64_of(value(game, number, name)))
        assert places[number].copy().verdicts(step) == (True, True)


PROOF_OF_SHUFFLE = {
    "a wrong bit of the challenge": lambda p, zero, one: flip(p, 3),
    "a wrong bit of a seed": lambda p, zero, one: flip(p, zero),
    "a wrong bit of a scalar": lambda p, zero, one: flip(p, one),
    "a scalar with L added": lambda p, zero, one: plus(p, one, L),
    "the scalar 0": lambda p, zero, one: put(p, one, bytes(32)),
    "an order with a thing twice": lambda p, zero, one: put(p, one + 32, p[one + 33 : one + 34]),
    "another order": lambda p, zero, one: put(p, one + 32, p[one + 32 : one + 37][::-1]),
    "an order with a thing that is none": lambda p, zero, one: put(p, one + 32, b"\x05"),
    "a byte too few": lambda p, zero, one: p.pop(),
    "a byte too many": lambda p, zero, one: p.append(0),
    "no rounds": lambda p, zero, one: p.__delitem__(slice(10, None)),
    "nothing": lambda p, zero, one: p.clear(),
    "all challenges 0": lambda p, zero, one: put(p, 0, bytes(10)),
}


def flip(data: bytearray, at: int) -> None:
    data[at] ^= 1


def put(data: bytearray, at: int, what: bytes) -> None:
    data[at : at + len(what)] = what


def plus(data: bytearray, at: int, number: int) -> None:
    read = int.from_bytes(data[at : at + 32], "little")
    put(data, at, (read + number).to_bytes(32, "little"))


@pytest.mark.parametrize("change", PROOF_OF_SHUFFLE)
def test_proofs_of_a_shuffle(game, places, change):
    proof = value(game, JOIN, "proof")
    PROOF_OF_SHUFFLE[change](proof, *rounds(proof, 5))
    step = edited(game, JOIN, "proof", base64_of(bytes(proof)))
    assert places[JOIN].copy().verdicts(step) == (False, False)


def mixed(point: bytes) -> bytes:
    """The point with a part of small order added."""
    return encode(edwards.add(edwards.decode(point), edwards.any_point(TORSION)))


#: Encodings that RFC 8032 does not have: y not below p, or a sign where x is 0.
NOT_CANONICAL = [
    (2**255 - 19 + 1).to_bytes(32, "little"),
    (1 | 1 << 255).to_bytes(32, "little"),
    (2**255 - 19 + 3).to_bytes(32, "little"),
    b"\xff" * 32,
]
BAD_POINTS = {
    "neutral": encode(edwards.NEUTRAL),
    "of order 2": (2**255 - 20).to_bytes(32, "little"),
    "of order 4": bytes(32),
    "of order 8": TORSION,
    "mixed": mixed(encode(edwards.BASE)),
    "none of the curve": next(
        y.to_bytes(32, "little") for y in range(2, 99) if edwards.point_or_none(y) is None
    ),
    **{f"not canonical {i}": point for i, point in enumerate(NOT_CANONICAL)},
}


@pytest.mark.parametrize(("name", "number"), [("base", JOIN), ("pile", JOIN), ("slots", UNLOCK)])
@pytest.mark.parametrize("bad", BAD_POINTS)
def test_points_that_are_none(game, places, name, number, bad):
    points = value(game, number, name)
    put(points, 0, BAD_POINTS[bad])
    step = edited(game, number, name, base64_of(bytes(points)))
    assert places[number].copy().verdicts(step) == (False, False)


@pytest.mark.parametrize("bad", BAD_POINTS)
def test_keys_that_are_none(game, places, bad):
    step = edited(game, JOIN, "key", base64_of(BAD_POINTS[bad]))
    assert places[JOIN].copy().verdicts(step) == (False, False)


PILES = {
    "two places exchanged": lambda pile, before, base: put(pile, 0, pile[32:64] + pile[:32]),
    "a point twice": lambda pile, before, base: put(pile, 0, pile[32:64]),
    "a point of the pile before": lambda pile, before, base: put(pile, 0, before[:32]),
    "all of the pile before": lambda pile, before, base: put(pile, 0, before),
    "the base": lambda pile, before, base: put(pile, 0, base),
    "a sum of others": lambda pile, before, base: put(pile, 0, total(pile)),
    "a place too few": lambda pile, before, base: pile.__delitem__(slice(32)),
    "a place too many": lambda pile, before, base: pile.extend(base),
    "half a place more": lambda pile, before, base: pile.extend(base[:16]),
}


def total(pile: bytes) -> bytes:
    points = page.split(pile)
    return encode(edwards.add(points[1], edwards.times(7, points[2])))


@pytest.mark.parametrize("change", PILES)
def test_piles(game, places, change):
    pile = value(game, JOIN, "pile")
    PILES[change](pile, value(game, 0, "pile"), value(game, JOIN, "base"))
    step = edited(game, JOIN, "pile", base64_of(bytes(pile)))
    assert places[JOIN].copy().verdicts(step) == (False, False)


@pytest.mark.parametrize("name", ["commitment", "tip", "key", "nonce", "base"])
def test_what_is_another_after_the_proof(game, places, name):
    data = value(game, JOIN, name)
    flip(data, 0)
    step = edited(game, JOIN, name, base64_of(bytes(data)))
    assert places[JOIN].copy().verdicts(step) == (False, False)


def same_as_first(name: str, **other: str) -> tuple[bool, bool]:
    """The verdicts where nothing is hidden and seat 1 joins with a value of seat 0."""
    plain = make(2, 0, 0, "plain")
    both = Both(plain)
    assert both.verdicts(plain.steps[0]) == (True, True)
    taken = value(plain, 0, other.get("of", name))
    if name == "key":
        plain.people[1] = plain.people[0]
    return both.verdicts(edited(plain, 1, name, base64_of(bytes(taken))))


def test_what_is_copied_from_another_seat():
    assert same_as_first("commitment") == (False, False)
    assert same_as_first("tip") == (False, False)
    assert same_as_first("nonce") == (False, False)
    assert same_as_first("key") == (True, True)
    assert same_as_first("tip", of="commitment") == (True, True)


TEXTS = {
    "no padding": lambda text: text.rstrip("="),
    "bits behind the end": lambda text: text[:-2] + chr(ord(text[-2]) + 1) + "=",
    "a line end": lambda text: text[:8] + "\n" + text[8:],
    "a blank behind": lambda text: text + " ",
    "the other alphabet": lambda text: "-_-_" + text[4:],
    "a part behind the padding": lambda text: text + text,
    "empty": lambda text: "",
    "a number": lambda text: 5,
    "a list": lambda text: [text],
    "digits of another script": lambda text: "\uff11" + text[1:],
    "missing": lambda text: ...,
}


@pytest.mark.parametrize("change", TEXTS)
@pytest.mark.parametrize(("number", "name"), [(JOIN, "tip"), (JOIN, "base"), (UNLOCK, "release")])
def test_texts(game, places, change, number, name):
    text = base64_of(bytes(value(game, number, name)))
    assert len(raw(text)) % 3 == 2, "one sign of padding"
    step = edited(game, number, name, TEXTS[change](text))
    assert places[number].copy().verdicts(step) == (False, False)


@pytest.mark.parametrize("number", [JOIN, UNLOCK])
def test_a_key_that_the_page_does_not_know(game, places, number):
    assert places[number].copy().verdicts(edited(game, number, "more", "x")) == (False, False)


PROOF_OF_UNLOCK = {
    "a wrong bit of e": lambda p: flip(p, 0),
    "a wrong bit of z": lambda p: flip(p, 40),
    "e with L added": lambda p: plus(p, 0, L),
    "z with L added": lambda p: plus(p, 32, L),
    "e is 0": lambda p: put(p, 0, bytes(32)),
    "z is 0": lambda p: put(p, 32, bytes(32)),
    "e and z exchanged": lambda p: put(p, 0, p[32:] + p[:32]),
    "a byte too few": lambda p: p.pop(),
    "a byte too many": lambda p: p.append(0),
}


@pytest.mark.parametrize("change", PROOF_OF_UNLOCK)
def test_proofs_of_an_unlock(game, places, change):
    proof = value(game, UNLOCK, "proof")
    PROOF_OF_UNLOCK[change](proof)
    step = edited(game, UNLOCK, "proof", base64_of(bytes(proof)))
    assert places[UNLOCK].copy().verdicts(step) == (False, False)


SLOTS = {
    "exchanged": lambda slots, pile: put(slots, 0, slots[32:] + slots[:32]),
    "a slot twice": lambda slots, pile: put(slots, 0, slots[32:]),
    "what was there before": lambda slots, pile: put(slots, 0, pile[:64]),
    "one too few": lambda slots, pile: slots.__delitem__(slice(32)),
    "one too many": lambda slots, pile: slots.extend(slots[:32]),
}


@pytest.mark.parametrize("change", SLOTS)
def test_slots(game, places, change):
    slots = value(game, UNLOCK, "slots")
    SLOTS[change](slots, value(game, JOIN, "pile"))
    step = edited(game, UNLOCK, "slots", base64_of(bytes(slots)))
    assert places[UNLOCK].copy().verdicts(step) == (False, False)


@pytest.mark.parametrize("nth", [0, 2, 256])
def test_another_release_than_the_first(game, places, nth):
    other = page.chain(game.id, 1, game.secrets[1].seed)[nth]
    step = edited(game, UNLOCK, "release", base64_of(other))
    assert places[UNLOCK].copy().verdicts(step) == (False, False)


def test_an_unlock_with_the_release_of_another_seat(game, places):
    step = edited(game, UNLOCK, "release", base64_of(game.secrets[0].release(1)))
    assert places[UNLOCK].copy().verdicts(step) == (False, False)


@pytest.mark.parametrize(("scalar", "allowed"), [(1, False), (2, True)])
def test_a_shuffle_that_multiplies_by_1_is_proven_and_refused(game, places, scalar, allowed):
    """It is one, so that its proof is right; but all can see where each point has gone."""
    from porto_cli.sealed.dealing import Shuffle, prove_shuffle, shuffled

    both, place, k = places[0].copy(), game.place(0), scalar.to_bytes(32, "little")
    order, before = bytes([1, 2, 3, 4, 0]), [encode(point) for point in both.table.pile]
    after, generator = shuffled(before, k, order), encode(edwards.BASE)
    base = encode(edwards.times(scalar, edwards.BASE))
    parts = [bytes(value(game, 0, name)) for name in ("key", "nonce", "commitment", "tip")]
    context = both.table.context(0, place.height, place.previous)
    bound = page.short_hash("join context", context, page.short_hash("join", *parts))
    proof = prove_shuffle(Shuffle(bound, generator, before, base, after), k, order, bytes(32))
    content = copy.deepcopy(game.steps[0]["content"])
    made = {"base": base, "pile": b"".join(after), "proof": proof}
    content["join"].update({name: base64_of(data) for name, data in made.items()})
    assert both.verdicts(game.signed(0, content)) == (allowed, allowed)


# Tampering with steps


def resigned(game: Game, number: int, signature: bytes) -> dict[str, object]:
    return {**game.steps[number], "signature": base64_of(signature)}


def signature_of(game: Game, number: int) -> bytearray:
    return bytearray(raw(game.steps[number]["signature"]))


def test_signatures(game, places):
    number = UNLOCK
    wrong = signature_of(game, number)
    flip(wrong, 40)
    larger = signature_of(game, number)
    plus(larger, 32, L)
    step = PackageStep.from_json(game.steps[number])
    other = game.people[0].sign(step.message(game.id))
    of_another_game = game.people[1].sign(step.message(bytes(32)))
    for bad in (wrong, larger, other, of_another_game, bytes(64)):
        assert places[number].copy().verdicts(resigned(game, number, bytes(bad))) == (False, False)


def test_a_signature_that_only_fits_with_the_factor_8(game, places):
    """RFC 8032 lets programs multiply by 8 before they compare; then these two would be valid."""
    message = PackageStep.from_json(game.steps[UNLOCK]).message(game.id)
    private = page.short_hash("signing key", game.people[1].secret)
    half = int.from_bytes(hashlib.sha512(private).digest()[:32], "little")
    scalar = half & 2**254 - 8 | 2**254

    def signature(nonce_point: bytes, key: bytes) -> bytes:
        digest = hashlib.sha512(nonce_point + key + message).digest()
        s = (5 + int.from_bytes(digest, "little") * scalar) % L
        return nonce_point + s.to_bytes(32, "little")

    five, key = encode(edwards.times(5, edwards.BASE)), game.people[1].public
    good = resigned(game, UNLOCK, signature(five, key))
    assert places[UNLOCK].copy().verdicts(good) == (True, True)
    bad = resigned(game, UNLOCK, signature(mixed(five), key))
    assert places[UNLOCK].copy().verdicts(bad) == (False, False)


def test_steps_in_another_place(game, places):
    content = game.steps[UNLOCK]["content"]
    assert isinstance(content, dict)
    for other in (
        game.signed(UNLOCK, content, height=4),
        game.signed(UNLOCK, content, height=0),
        game.signed(UNLOCK, content, previous=bytes(32)),
        game.steps[0],
        game.steps[JOIN],
        game.steps[3],
        game.signed(UNLOCK, {**content, "by": 0}),
    ):
        assert places[UNLOCK].copy().verdicts(other) == (False, False)


def test_forms_of_a_step(game, places):
    good = game.steps[UNLOCK]
    content = good["content"]
    assert isinstance(content, dict)
    for bad in (
        {**good, "height": "3"},
        {**good, "height": True},
        {**good, "height": 3.0},
        {**good, "more": 1},
        {name: part for name, part in good.items() if name != "previous"},
        {**good, "content": []},
        {**good, "content": {**content, "by": "1"}},
        {**good, "content": {**content, "by": True}},
        {**good, "content": {**content, "by": 1.0}},
        {**good, "content": {**content, "by": -1}},
        {**good, "content": {**content, "by": 2}},
        {**good, "content": {**content, "more": None}},
        [good],
        None,
    ):
        assert places[UNLOCK].copy().verdicts(bad) == (False, False)


def test_a_step_of_another_game(game, places):
    other = make(2, 5, 2, "other")
    assert places[0].copy().verdicts(other.steps[0]) == (False, False)


JSON = [
    *("", 0, -1, 2**53 - 1, 1 - 2**53, [], {}, "\x7f\u2028\U0001f600/e\u0301"),
    *({"": 1}, {" ": 1}, {"b": 1, "a": 2, "B": 3, "aa": 4, "a!": 1, "a#": 1}),
    "".join(map(chr, range(256))),
]
NO_JSON = [
    *(2**53, -(2**53), True, None, 1.0, {"é": 1}, {"\x7f": 1}, {"a\n": 1}, "\ud800", (1,), b"x"),
    {1: 2},
]


def test_canonical_json():
    from porto_cli.sealed.steps import canonical_json

    for good in JSON:
        assert page.to_json(good).encode() == canonical_json(good)
        assert json.loads(page.to_json(good)) == good
    for bad in NO_JSON:
        assert not accepts(ProofError, canonical_json, bad)
        assert not accepts(RefusedError, page.to_json, bad)
    deep: object = "x"
    for depth in range(1, 15):
        deep = [deep] if depth % 2 else {"a": deep}
        allowed = depth <= 12
        assert accepts(ProofError, canonical_json, deep) is allowed
        assert accepts(RefusedError, page.to_json, deep) is allowed


def fork(changes: dict[str, object], second: dict[str, object] | None = None) -> tuple[bool, bool]:
    proof = {**VECTORS["fork"], **changes}
    proof["second"] = {**proof["second"], **(second or {})}
    return accepts(RefusedError, page.check_fork, proof), proves(proof)


def proves(proof: dict[str, Any]) -> bool:
    """Return whether the package takes two steps for versions of one."""
    game, key = (raw(proof[part]) for part in ("game", "key"))
    first, second = (PackageStep.from_json(proof[part]) for part in ("first", "second"))
    return are_two_versions(game, key, first, second)


def test_proofs_of_two_versions():
    known = VECTORS["fork"]
    assert fork({}) == (True, True)
    for changes in (
        {"second": known["first"]},
        {"game": base64_of(bytes(32))},
        {"key": base64_of(bytes.fromhex(VECTORS["players"][1]["public"]))},
        {"first": {**known["first"], "height": 2}},
    ):
        assert fork(changes) == (False, False)
    for second in (
        {"content": {"by": 0, "move": "three"}},
        {"height": 2},
        {"signature": known["first"]["signature"]},
        {"previous": base64_of(bytes(32))},
    ):
        assert fork({}, second) == (False, False)


def test_two_steps_of_two_heights_are_no_versions_of_one(game):
    def step(height: int, move: str) -> dict[str, object]:
        facts = {"height": height, "previous": bytes(32)}
        return game.sealed_step(facts, {"by": 0, "move": move})

    key = base64_of(game.people[0].public)
    for second, proven in (
        (step(3, "two"), True),
        (step(4, "one"), False),
        (step(3, "one"), False),
    ):
        proof = {
            "game": base64_of(game.id),
            "key": key,
            "first": step(3, "one"),
            "second": second,
        }
        assert accepts(RefusedError, page.check_fork, proof) is proven
        assert proves(proof) is proven


# Tampering with what comes after the set-up


def test_releases_in_a_turn(game, places):
    table, chain = places[-1].table, page.chain(game.id, 0, game.secrets[0].seed)
    for nth, right in [(0, False), (1, False), (2, True), (3, False), (256, False)]:
        assert accepts(RefusedError, copy.deepcopy(table).release, 0, chain[nth]) is right
        package = places[-1].setup.chain(0)
        assert accepts(ProofError, package.released, chain[nth]) is right
    before = places[-1].setup.randomness
    assert copy.deepcopy(table).release(0, chain[2]) == next_randomness(before, chain[2])


def test_a_chain_ends(game, places):
    table, chain = copy.deepcopy(places[-1].table), page.chain(game.id, 0, game.secrets[0].seed)
    package = places[-1].setup.chain(0)
    for value_of_chain in chain[2:]:
        table.release(0, value_of_chain)
        package = package.released(value_of_chain)
    assert not accepts(RefusedError, table.release, 0, chain[256])
    assert not accepts(ProofError, package.released, chain[256])


def test_seeds_at_the_end(game, places):
    both = places[-1]
    good, other = game.secrets[0].seed, game.secrets[1].seed
    assert both.audits(0, good) == (True, True)
    for bad in (other, bytes(32), good[:31], good + b"\0", bytes([good[0] ^ 1]) + good[1:]):
        assert both.audits(0, bad) == (False, False)


def test_what_is_said_to_be_kept(game, places):
    both = places[-1]
    hand = bytes(sorted(both.setup.hand(game.secrets[0])))
    free = bytes(sorted(set(range(5)) - set(hand)))
    right = both.commitment(0, 5, hand)
    assert both.openings(0, 5, right, hand) == (True, True)
    assert both.openings(0, 6, right, hand) == (False, False)
    assert both.openings(0, 5, right, hand[:1]) == (False, False)
    assert both.openings(0, 5, right, hand[::-1]) == (True, True)
    for things in (hand[:1] + free[:1], hand[:1] * 2, bytes([*hand, 200]), free):
        cheated = both.commitment(0, 5, things)
        assert both.openings(0, 5, cheated, things) == (False, False)


def test_what_is_kept_may_be_less_than_what_was_dealt(game, places):
    hand = bytes(sorted(places[-1].setup.hand(game.secrets[0])))
    for things in (b"", hand[:1]):
        commitment = places[-1].commitment(0, 5, things)
        assert places[-1].openings(0, 5, commitment, things) == (True, True)
