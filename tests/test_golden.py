"""What the commands say of the records and of the casebook is what they have always said."""

from __future__ import annotations

import pytest

from tests import golden

KNOWN, _ = golden.kept()
WRITE = "If that is meant: python -m tests.golden --write"


OFTEN = {"two-players"}
"""The records that are looked at in every run; the others, which are much like them, in hunts."""


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, marks=[pytest.mark.slow] * (path.stem not in OFTEN))
        for path in golden.RECORDS
    ],
    ids=golden.key_of,
)
def test_the_outputs_of_a_record_are_those_that_were_kept(path):
    found = golden.changes(path)
    assert not found, "\n\n".join([f"{len(found)} outputs changed. {WRITE}", *found[:5]])


@pytest.mark.slow
def test_the_outputs_of_scenarios_are_those_that_were_kept():
    """Of those that were there when the outputs were kept."""
    known = [path for path in golden.SCENARIOS if golden.key_of(path) in KNOWN]
    found = [change for path in known for change in golden.changes(path)]
    assert known
    assert not found, "\n\n".join([f"{len(found)} outputs changed. {WRITE}", *found[:5]])


def test_nothing_that_was_kept_is_lost():
    there = set(map(golden.key_of, (*golden.RECORDS, *golden.SCENARIOS)))
    assert sorted(set(KNOWN) - there) == []


def test_a_difference_is_shown_key_by_key():
    shown = golden.difference(
        '0\n{"turns": 3, "phase": "act"}\n', '0\n{"turns": 4, "phase": "act"}\n'
    )
    assert '- "turns": 3,' in shown
    assert '+ "turns": 4,' in shown
