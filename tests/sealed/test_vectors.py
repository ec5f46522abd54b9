"""The golden vectors: a game that was written down stays valid, on every platform, for ever."""

from __future__ import annotations

import json
from typing import Any

from porto_cli.sealed.identity import unprotect
from porto_cli.sealed.setup import Join, Unlock, begin
from porto_cli.sealed.steps import Fork, Head, Step
from tests.sealed.make_vectors import FILE, vectors

GOLDEN: dict[str, Any] = json.loads(FILE.read_text("utf-8"))

PROTECTED = (
    "porto-protected-key-1 argon2id 1 1 PRcyCxxj4wXBU+JF0+kUgA== YRh31dNjG9HaIi2csneRaU/D29/4I+KLV"
    "ForLjWqvTfEIBRi0NDs9gC017PhABtbIljnHgaa53B5dT0Jp5D9t0kb/5uYDxR6"
)
"""The key of the first player, with as little work as possible so that the test is quick."""


def test_every_value_is_computed_again() -> None:
    made = json.loads(json.dumps(vectors()))
    for part, value in GOLDEN.items():
        assert made[part] == value, part
    assert set(made) == set(GOLDEN)


def test_the_steps_that_were_written_down_are_still_valid() -> None:
    """Read from the file alone, with every check."""
    game = bytes.fromhex(GOLDEN["game"]["id"])
    setup = begin(game, *(GOLDEN["game"][key] for key in ("seats", "things", "each")))
    head = Head.of_genesis(game)
    for described in GOLDEN["steps"]:
        step = Step.from_json(described["step"])
        if "join" in step.content:
            setup = setup.with_join(Join.from_json(step.content["join"], setup), step.place)
        elif "unlock" in step.content:
            setup = setup.with_unlock(Unlock.from_json(step.content["unlock"], setup), step.place)
        head = head.after(step, setup.joins[step.by].key)
        assert head.hash.hex() == described["hash"]
    assert head.hash.hex() == GOLDEN["head"]
    assert setup.randomness.hex() == GOLDEN["randomness"]["first"]
    Fork.from_json(GOLDEN["fork"])


def test_a_key_with_a_passphrase_can_still_be_opened() -> None:
    secret = unprotect(PROTECTED, "vinho do Porto").secret
    assert secret.hex() == GOLDEN["players"][0]["secret"]
