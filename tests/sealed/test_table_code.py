"""The code that people compare on the telephone."""

from __future__ import annotations

import re

from porto_cli.sealed.table_code import BITS, table_code


def test_a_code_is_five_groups_of_three_digits() -> None:
    codes = {table_code(bytes([nth]) * 32) for nth in range(20)}
    assert len(codes) == 20
    assert all(re.fullmatch(r"\d{3}( \d{3}){4}", code) for code in codes)


def test_a_code_is_the_same_everywhere() -> None:
    assert table_code(bytes(32)) == table_code(bytes(32))
    assert 2**BITS < 10**15 < 2 ** (BITS + 1)
