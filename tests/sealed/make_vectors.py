"""Golden vectors: every value of one small sealed game, from the secrets to the table code.

    python -m tests.sealed.make_vectors            # writes tests/sealed/vectors.json anew

They hold on every platform and for every version of the protocol that calls itself 1. If they
change, games that are being played can no longer be continued: then it is another protocol.
"""

from __future__ import annotations

import json
from pathlib import Path

from porto_cli.sealed import (
    GameSecrets,
    hash_to_point,
    hash_to_scalar,
    kept_commitment,
    long_hash,
    next_randomness,
    number,
    permutation,
    seed_of,
    short_hash,
    thing_points,
    to_text,
)
from porto_cli.sealed import dealing as setups
from porto_cli.sealed.dealing import audit, begin
from porto_cli.sealed.steps import (
    Head,
    Identity,
    canonical_json,
    game_id,
    table_code,
)
from tests.sealed.people import are_two_versions
from tests.sealed.people import sign as signed

FILE = Path(__file__).with_name("vectors.json")

SEATS, THINGS, EACH = 3, 8, 2
GENESIS = {
    "format": 1,
    "game": "test",
    "players": ["Inês", "Joana", "Afonso"],
    "nonce": "AAECAwQFBgcICQoLDA0ODw==",
}


def vectors() -> dict[str, object]:
    """Return all values; bytes in hexadecimal, steps as they are in a record."""
    game = game_id(GENESIS)
    return {
        "hashes": hashes(),
        "game": {
            "genesis": GENESIS,
            "canonical": canonical_json(GENESIS).decode(),
            "id": game.hex(),
            "seats": SEATS,
            "things": THINGS,
            "each": EACH,
            "points": [point.hex() for point in thing_points(game, THINGS)],
        },
        **play(game),
    }


def hashes() -> dict[str, object]:
    """Return values of the primitives."""
    return {
        "long_hash": long_hash("test", b"", b"abc").hex(),
        "short_hash": short_hash("test", b"", b"abc").hex(),
        "number": number(258).hex(),
        "hash_to_scalar": hash_to_scalar("test", b"abc").hex(),
        "hash_to_point": hash_to_point("test", b"abc").hex(),
        "permutation_of_39": list(permutation(39, "test", b"abc")),
    }


def play(game: bytes) -> dict[str, object]:
    """Return the secrets of all players, every step with what is hashed, and what comes out."""
    identities = [Identity(bytes([seat + 1] * 32)) for seat in range(SEATS)]
    nonces = [bytes([16 * (seat + 1)] * 16) for seat in range(SEATS)]
    secrets = [
        GameSecrets(seed_of(who.master, game, nonce), game, seat)
        for seat, (who, nonce) in enumerate(zip(identities, nonces, strict=True))
    ]
    setup = begin(game, SEATS, THINGS, EACH)
    head = Head.of_genesis(game)
    steps = []

    def sign(seat: int, content: dict[str, object]) -> None:
        nonlocal head
        step = signed(head, identities[seat], {"by": seat, **content})
        described = {"step": step.to_json(), "canonical": canonical_json(step.content).decode()}
        described |= {"signed": step.message(game).hex(), "hash": step.hash(game).hex()}
        head = head.after(step, identities[seat].public)
        steps.append(described)

    for seat in range(SEATS):
        place = head.place
        joined = setups.join(setup, secrets[seat], identities[seat].public, nonces[seat], place)
        context = setup.context(seat, place).hex()
        setup = setup.with_join(joined, place)
        sign(seat, {"join": joined.to_json()})
        steps[-1]["context"] = context
    for seat in setup.unlock_order:
        place = head.place
        unlocked = setups.unlock(setup, secrets[seat], place)
        context = setup.context(seat, place).hex()
        setup = setup.with_unlock(unlocked, place)
        sign(seat, {"unlock": unlocked.to_json()})
        steps[-1]["context"] = context
    hands = [setup.hand(mine) for mine in secrets]
    kept = bytes([hands[0][1]])
    salt = secrets[0].salt(head.height + 1)
    committed = kept_commitment(game, 0, salt, kept)
    sign(0, {"keep": committed.hex()})
    sign(1, {"move": "draw blue-1", "release": secrets[1].release(2).hex()})
    code = table_code(head.hash)
    first = signed(Head(game, 0, game), identities[0], {"by": 0, "move": "one"})
    second = signed(Head(game, 0, game), identities[0], {"by": 0, "move": "two"})
    assert are_two_versions(game, identities[0].public, first, second)
    fork = {"game": to_text(game), "key": to_text(identities[0].public)}
    fork |= {"first": first.to_json(), "second": second.to_json()}
    for seat, mine in enumerate(secrets):
        assert audit(setup, seat, mine.seed, [mine.release(1)])[1] == hands[seat]
    return {
        "players": [
            {
                "secret": who.secret.hex(),
                "secret_text": who.secret_text,
                "public": who.public.hex(),
                "public_text": who.public_text,
                "master": who.master.hex(),
                "nonce": nonce.hex(),
                "seed": mine.seed.hex(),
                "commitment": mine.commitment.hex(),
                "scalar": mine.scalar.hex(),
                "permutation": list(mine.permutation(THINGS)),
                "tip": mine.tip.hex(),
                "releases": {str(nth): mine.release(nth).hex() for nth in (1, 2, 3, 256)},
                "proof_secret": mine.proof_secret.hex(),
                "dealt": list(hand),
            }
            for who, nonce, mine, hand in zip(identities, nonces, secrets, hands, strict=True)
        ],
        "steps": steps,
        "randomness": {
            "first": setup.randomness.hex(),
            "after_release_2_of_seat_1": next_randomness(
                setup.randomness, secrets[1].release(2)
            ).hex(),
        },
        "kept": {
            "seat": 0,
            "height": 7,
            "salt": salt.hex(),
            "things": kept.hex(),
            "commitment": committed.hex(),
        },
        "head": head.hash.hex(),
        "table_code": code,
        "fork": fork,
    }


def text() -> str:
    """Return the file."""
    return json.dumps(vectors(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), "utf-8")
