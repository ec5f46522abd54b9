"""porto-sealed(7) has every tag and every value: another program is written from it alone."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import Any

import pytest

import porto_cli.sealed
from porto_cli import sealed
from porto_cli.sealed import GROUP_ORDER, PROTOCOL, dealing, from_text, steps
from porto_cli.sealed.dealing import MOST_THINGS, Join, Unlock, begin
from porto_cli.sealed.steps import Head, SignedStep, unprotect
from tests.sealed.make_vectors import FILE, vectors
from tests.sealed.people import are_two_versions

ROOT = Path(__file__).parent.parent.parent
SOURCES = sorted(Path(porto_cli.sealed.__path__[0]).glob("*.py"))
THEIR_OWN = {"join nonce"}
"""How players draw what is new whenever they join is up to them."""
HASHES = {"long_hash", "short_hash", "hash_to_scalar", "hash_to_point", "permutation"}


def page() -> str:
    text = (ROOT / "man" / "man7" / "porto-sealed.7").read_text("utf-8")
    text = re.sub(r"\\f[BIR]", "", text)
    for escape, char in (
        (r"\-", "-"),
        (r"\(dq", '"'),
        (r"\(aq", "'"),
        (r"\&", ""),
        (r"\[u00EA]", "ê"),
    ):
        text = text.replace(escape, char)
    return " ".join(text.split())


PAGE = page()


def tags() -> set[str]:
    found = set()
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            said: list[ast.expr] = []
            if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in HASHES:
                said = node.args[:2]
            elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "tag":
                said = [node.value]
            found |= {str(one.value) for one in said if isinstance(one, ast.Constant)}
    return found


def test_every_tag_is_on_the_page_and_no_other() -> None:
    described = set(re.findall(r'(?:\b[hHSP]\(|; )"([a-z ]+)"', PAGE)) - {"test"}
    assert described == tags() - THEIR_OWN
    assert len(described) > 20


@pytest.mark.parametrize("part", ["hashes", "players", "game"])
def test_the_values_on_the_page_are_the_golden_ones(part: str) -> None:
    golden = json.loads(FILE.read_text("utf-8"))
    together = PAGE.replace(" ", "")
    if part == "hashes":
        made = golden["hashes"]
        values = [made["long_hash"], made["hash_to_scalar"], made["hash_to_point"]]
        values.append(bytes(made["permutation_of_39"]).hex())
    elif part == "players":
        mine = golden["players"][0]
        fields = ("secret", "secret_text", "public_text", "master", "nonce", "seed", "commitment")
        values = [mine[field] for field in (*fields, "scalar", "tip")] + [mine["releases"]["1"]]
    else:
        values = [golden["game"]["id"], golden["game"]["points"][0], golden["game"]["canonical"]]
    for value in values:
        assert value in together


def test_the_numbers_on_the_page_are_those_of_the_program() -> None:
    assert f"{PROTOCOL}/ followed by the tag" in PAGE
    assert str(GROUP_ORDER - 2**252) in PAGE
    assert f"round i from 0 to {dealing.ROUNDS - 1}" in PAGE
    assert f"more than {sealed.CHAIN_LENGTH}" in PAGE
    assert f"at most {MOST_THINGS}" in PAGE
    assert f"modulo 10**{steps.GROUPS * steps.DIGITS}" in PAGE
    assert f"little more than {steps.BITS} bits" in PAGE


# --- the golden vectors -----------------------------------------------------------------------


GOLDEN: dict[str, Any] = json.loads(FILE.read_text("utf-8"))

PROTECTED = (
    "porto-protected-key-1 argon2id 1 1 PRcyCxxj4wXBU+JF0+kUgA== YRh31dNjG9HaIi2csneRaU/D29/4I+KLV"
    "ForLjWqvTfEIBRi0NDs9gC017PhABtbIljnHgaa53B5dT0Jp5D9t0kb/5uYDxR6"
)
"""The key of the first player, with as little work as possible so that the test is quick."""


@pytest.mark.long
def test_every_value_is_computed_again() -> None:
    made = json.loads(json.dumps(vectors()))
    for part, value in GOLDEN.items():
        assert made[part] == value, part
    assert set(made) == set(GOLDEN)


@pytest.mark.long
def test_the_steps_that_were_written_down_are_still_valid() -> None:
    """Read from the file alone, with every check."""
    game = bytes.fromhex(GOLDEN["game"]["id"])
    setup = begin(game, *(GOLDEN["game"][key] for key in ("seats", "things", "each")))
    head = Head.of_genesis(game)
    for described in GOLDEN["steps"]:
        step = SignedStep.from_json(described["step"])
        if "join" in step.content:
            setup = setup.with_join(Join.from_json(step.content["join"], setup), step.place)
        elif "unlock" in step.content:
            setup = setup.with_unlock(Unlock.from_json(step.content["unlock"], setup), step.place)
        head = head.after(step, setup.joins[step.by].key)
        assert head.hash.hex() == described["hash"]
    assert head.hash.hex() == GOLDEN["head"]
    assert setup.randomness.hex() == GOLDEN["randomness"]["first"]
    known = GOLDEN["fork"]
    game, key = (from_text(known[part]) for part in ("game", "key"))
    first, second = (SignedStep.from_json(known[part]) for part in ("first", "second"))
    assert are_two_versions(game, key, first, second)


def test_a_key_with_a_passphrase_can_still_be_opened() -> None:
    secret = unprotect(PROTECTED, "vinho do Porto").secret
    assert secret.hex() == GOLDEN["players"][0]["secret"]
