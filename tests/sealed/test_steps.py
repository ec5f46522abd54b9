"""Signed steps: what is changed, moved, left out or signed twice does not go unnoticed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from porto_cli.sealed import ProofError, long_hash
from porto_cli.sealed.steps import (
    Head,
    Identity,
    SignedStep,
    canonical_json,
    game_id,
    signer_of,
)
from tests.sealed.people import (
    GAME,
    NEUTRAL,
    OTHER_GAME,
    SMALL,
    are_two_versions,
    player,
    refusal,
    sign,
)
from tests.shares import for_each

ANA, BERTA = (player(seat).identity for seat in range(2))
KEYS = [ANA.public, BERTA.public]
START = Head.of_genesis(GAME)


def played(*texts: str, game: bytes = GAME) -> list[SignedStep]:
    """Return steps of Ana and Berta in turn."""
    head = Head.of_genesis(game)
    steps = []
    for nth, text in enumerate(texts):
        step = sign(head, [ANA, BERTA][nth % 2], {"by": nth % 2, "move": text})
        head = head.after(step, KEYS[nth % 2])
        steps.append(step)
    return steps


STEPS = played("one", "two", "three", "four", "five")


def check(steps: list[SignedStep], game: bytes = GAME) -> Head:
    """Return the head after all these steps of a game."""
    head = Head.of_genesis(game)
    for step in steps:
        head = head.after(step, KEYS[step.by])
    return head


# -- canonical JSON


@for_each(
    ("value", "text"),
    [
        ({"b": 1, "a": [2, "x"], "A": {}}, '{"A":{},"a":[2,"x"],"b":1}'),
        ("Inês 🂡 \u2028", '"Inês 🂡 \u2028"'),
        ('"\\/\b\f\n\r\t\x00\x1f\x7f', '"\\"\\\\/\\b\\f\\n\\r\\t\\u0000\\u001f\x7f"'),
        (-5, "-5"),
        (2**53 - 1, "9007199254740991"),
        ([], "[]"),
        ("", '""'),
    ],
)
def test_there_is_one_text_for_a_value(value: object, text: str) -> None:
    assert canonical_json(value) == text.encode()
    assert json.loads(text) == value


def deep(levels: int) -> object:
    value: object = "x"
    for _ in range(levels):
        value = [value]
    return value


class Text(str):
    __slots__ = ()


@for_each(
    "value",
    [
        True,
        False,
        None,
        1.0,
        1.5,
        float("nan"),
        2**53,
        -(2**53),
        b"bytes",
        ("tuple",),
        {1: "x"},
        {True: "x"},
        {"é": "x"},
        {"a\n": "x"},
        {"a": [{"b": True}]},
        "\ud800",
        deep(13),
        Text("x"),
        {Text("x"): 1},
    ],
)
def test_what_programs_read_differently_is_refused(value: object) -> None:
    refused = refusal(canonical_json, value)
    assert refused.kind == "json"
    assert "a step of a sealed game" in refused.text.lower()


def test_what_is_said_is_a_whole_sentence() -> None:
    assert refusal(canonical_json, {"a": True}).text == (
        "A step of a sealed game holds only texts, whole numbers, lists and mappings, not 'True'."
    )
    assert refusal(canonical_json, deep(13)).text == (
        "A step of a sealed game is nested more than 12 levels deep."
    )


def test_twelve_levels_are_enough_and_allowed() -> None:
    assert canonical_json(deep(12))


def test_a_game_id_changes_with_everything_in_the_genesis() -> None:
    ids = {game_id({"format": 1, "players": names}) for names in (["a", "b"], ["b", "a"], ["ab"])}
    assert len(ids) == 3


# -- a record


def test_signed_steps_are_accepted_one_after_the_other() -> None:
    head = check(STEPS)
    assert (head.height, head.hash) == (5, STEPS[-1].hash(GAME))
    assert STEPS[1].previous == STEPS[0].hash(GAME)
    assert STEPS[0].previous == GAME
    assert STEPS[2].place == check(STEPS[:2]).place


def test_a_step_goes_through_json() -> None:
    for step in STEPS:
        assert SignedStep.from_json(json.loads(json.dumps(step.to_json()))) == step


def refused_at(steps: list[SignedStep], game: bytes = GAME) -> tuple[str, int]:
    """Return why steps are refused, and the number of the first one that is."""
    head = Head.of_genesis(game)
    for number, step in enumerate(steps, start=1):
        try:
            head = head.after(step, KEYS[step.by])
        except ProofError:
            return refusal(head.after, step, KEYS[step.by]).kind, number
    pytest.fail("all steps are accepted")


CHANGED = STEPS[2]._replace(content={"by": 0, "move": "tree"})


def test_an_edited_step_is_refused() -> None:
    assert refused_at([*STEPS[:2], CHANGED, *STEPS[3:]]) == ("step-signature", 3)
    assert refusal(check, [*STEPS[:2], CHANGED]).text.startswith(
        "A step does not have a valid signature of the player named in it"
    )


def test_an_edit_that_its_author_signs_again_breaks_what_follows() -> None:
    resigned = sign(check(STEPS[:2]), ANA, {"by": 0, "move": "tree"})
    assert check([*STEPS[:2], resigned]).height == 3
    assert refused_at([*STEPS[:2], resigned, *STEPS[3:]]) == ("step-previous", 4)


def test_a_deleted_step_is_refused() -> None:
    assert refused_at([*STEPS[:2], *STEPS[3:]]) == ("step-height", 3)
    hidden = [*STEPS[:2], STEPS[3]._replace(height=3)]
    assert refused_at(hidden) == ("step-previous", 3)


def test_swapped_and_repeated_steps_are_refused() -> None:
    assert refused_at([STEPS[1], STEPS[0]])[0] == "step-height"
    assert refused_at([STEPS[0], STEPS[0]])[0] == "step-height"
    assert refused_at([STEPS[0], STEPS[2], STEPS[1]])[0] == "step-height"


def test_a_step_from_another_game_is_refused() -> None:
    other = played("one", "two", game=OTHER_GAME)
    assert refused_at([STEPS[0], other[1]])[0] == "step-previous"
    moved = other[1]._replace(previous=STEPS[0].hash(GAME))
    assert refused_at([STEPS[0], moved])[0] == "step-signature"
    assert refused_at([other[0]._replace(previous=GAME)])[0] == "step-signature"


def test_a_step_in_the_name_of_another_player_is_refused() -> None:
    stolen = sign(START, BERTA, {"by": 0, "move": "one"})
    assert refused_at([stolen])[0] == "step-signature"
    claimed = STEPS[0]._replace(content={"by": 1, "move": "one"})
    assert refused_at([claimed])[0] == "step-signature"


def test_steps_that_were_cut_off_are_a_shorter_record_and_not_more() -> None:
    """Only somebody who has seen the others can tell: that is what table codes are for."""
    assert check(STEPS[:3]) != check(STEPS)


def test_a_second_signature_is_no_second_step() -> None:
    """A signer can make many signatures of one message, so none is ever a source of chance."""
    again = STEPS[0]._replace(signature=bytes(64))
    assert again.hash(GAME) == STEPS[0].hash(GAME)


def test_a_step_without_a_seat_is_refused() -> None:
    for by in (None, True, "0", -1, 0.0, [0]):
        content: dict[str, Any] = {"by": by}
        refused = refusal(signer_of, content)
        assert (
            refused.text == "A step must name the seat that makes it, by number, in the field 'by'."
        )
        assert refusal(START.unsigned, content).kind == "form"
    assert refusal(signer_of, "by").kind == "form"


@for_each(
    ("field", "value"),
    [
        ("height", True),
        ("height", "1"),
        ("height", 1.0),
        ("height", -1),
        ("height", 2**53),
        ("previous", "AA=="),
        ("previous", 0),
        ("content", []),
        ("content", {"by": True}),
        ("content", {"by": 0, "move": True}),
        ("signature", "AA=="),
        ("signature", None),
    ],
)
def test_a_step_of_another_form_is_refused(field: str, value: object) -> None:
    assert refusal(SignedStep.from_json, {**STEPS[0].to_json(), field: value}).kind in (
        "form",
        "json",
    )


# -- two versions of one step


SECOND = sign(START, ANA, {"by": 0, "move": "another"})


def test_two_versions_of_a_step_are_a_proof_that_needs_no_record() -> None:
    assert are_two_versions(GAME, ANA.public, STEPS[0], SECOND)


def test_two_versions_count_whatever_step_they_follow() -> None:
    """After two versions of somebody else's step: who signs one height twice is to blame, too."""
    other = sign(Head(GAME, 0, bytes(32)), ANA, {"by": 0, "move": "one"})
    assert are_two_versions(GAME, ANA.public, STEPS[0], other)


@for_each(
    ("game", "key", "first", "second"),
    [
        (GAME, ANA.public, STEPS[0], STEPS[0]),
        (GAME, ANA.public, STEPS[0], STEPS[0]._replace(signature=SECOND.signature)),
        (GAME, ANA.public, STEPS[0], STEPS[2]),
        (GAME, ANA.public, STEPS[0], SECOND._replace(signature=STEPS[0].signature)),
        (GAME, ANA.public, STEPS[0], sign(START, BERTA, {"by": 0, "move": "x"})),
        (GAME, BERTA.public, STEPS[0], SECOND),
        (OTHER_GAME, ANA.public, STEPS[0], SECOND),
        (GAME, SMALL, STEPS[0], SECOND),
        (GAME, NEUTRAL, STEPS[0], SECOND),
    ],
)
def test_what_proves_no_second_version_is_refused(
    game: bytes, key: bytes, first: SignedStep, second: SignedStep
) -> None:
    assert not are_two_versions(game, key, first, second)


def test_what_is_signed_is_described_on_the_manual_page() -> None:
    step = STEPS[0]
    content = b'{"by":0,"move":"one"}'
    message = long_hash("step", GAME, (1).to_bytes(8, "big"), GAME, content)
    assert step.message(GAME) == message
    assert isinstance(ANA, Identity)
    assert ANA.sign(message) == step.signature
