"""porto-sealed(7) has every tag and every value: another program is written from it alone."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path

import pytest

import porto_cli.sealed
from porto_cli.sealed import secrets, shuffle, table_code
from porto_cli.sealed.primitives import GROUP_ORDER, PROTOCOL
from porto_cli.sealed.setup import MOST_THINGS
from tests.sealed.make_vectors import FILE

ROOT = Path(__file__).parent.parent.parent
SOURCES = sorted(Path(porto_cli.sealed.__path__[0]).glob("*.py"))
HASHES = {"long_hash", "short_hash", "hash_to_scalar", "hash_to_point", "permutation"}


def page() -> str:
    text = (ROOT / "man" / "porto-sealed.7").read_text("utf-8")
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
            if not isinstance(node, ast.Call):
                continue
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            if name in HASHES:
                found |= {
                    argument.value
                    for argument in node.args[:2]
                    if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
                }
    return found


def test_every_tag_is_on_the_page_and_no_other() -> None:
    described = set(re.findall(r'(?:\b[hHSP]\(|; )"([a-z ]+)"', PAGE)) - {"test"}
    assert described == tags()
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
    assert f"round i from 0 to {shuffle.ROUNDS - 1}" in PAGE
    assert f"more than {secrets.CHAIN_LENGTH}" in PAGE
    assert f"at most {MOST_THINGS}" in PAGE
    assert f"modulo 10**{table_code.GROUPS * table_code.DIGITS}" in PAGE
    assert f"little more than {table_code.BITS} bits" in PAGE
