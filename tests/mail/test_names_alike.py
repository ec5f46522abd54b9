"""Names that look alike and are different: a warning when the game is made, and no error.

Two players who cannot be told apart are a trap for whoever types a name or addresses a mail.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import porto_cli
from porto_cli.cli.new_game_prompts import set_up
from tests.porto.asking import Scripted

ALIKE = [
    ("Ana", "\u0410na"),  # a Cyrillic А
    ("Cy", "\u0421\u0443"),  # all of it Cyrillic
    ("Capa", "\u0421\u0430\u0440\u0430"),
    ("Eva", "\u0395va"),  # a Greek Ε
    ("Zoë", "Z\u043eë"),  # a Cyrillic о between other letters
    ("\u041dина", "Hина"),  # a Latin H in a Cyrillic name
    ("Ëva", "\u0401va"),  # a Cyrillic Ё, with its accent
    ("Tom", "\uff34om"),  # a wide T
    ("JIM", "\u0458im"),  # in another case, too
]
DIFFERENT = [
    ("Ana", "Anna"),
    ("Inês", "Ines"),
    ("Нина", "Nina"),
    ("Зоя", "Zoe"),
    ("Rui", "김철수"),
    ("Νίκος", "Niko"),
]


@pytest.mark.long_for("options2-pairs2")
@pytest.mark.parametrize(
    ("options", "pairs"),
    [
        ([], ALIKE),
        (["-q"], ALIKE),
        (["--secrecy", "sealed"], ALIKE[:1]),
        pytest.param(["--secrecy", "sealed"], ALIKE[1:], marks=pytest.mark.long),
    ],
)
def test_a_new_game_warns_of_them(porto, options: list[str], pairs: list[tuple[str, str]]) -> None:
    for nth, (one, other) in enumerate(pairs):
        file = f"{nth}.yaml"
        done = porto("new", file, one, other, "Rui", "--first", "Rui", *options)
        assert done.code == 0, other
        assert f"{one} and {other} look alike but are different names" in done.err
        assert done.err.count("look alike") == 1, other
        assert "look alike" not in done.out, other
        assert Path(file).exists()


def test_of_names_that_can_be_told_apart_nothing_is_said(porto) -> None:
    for nth, (one, other) in enumerate(DIFFERENT):
        done = porto("new", f"{nth}.yaml", one, other)
        assert (done.code, done.err) == (0, ""), other


def test_the_letter_is_named(porto) -> None:
    done = porto("new", "a.yaml", "Ana", "\u0410na")
    assert "LATIN CAPITAL LETTER A where the second has CYRILLIC CAPITAL LETTER A" in done.err


def test_bots_have_names_as_well(porto) -> None:
    assert "look alike" in porto("new", "a.yaml", "Ana", "--bot", "\u0410na 2").err


def test_who_sets_up_a_game_by_questions_is_warned(porto) -> None:
    asker = Scripted("2", "Ana", "\u0410na")
    assert set(set_up(asker, Path("a.yaml"), "porto").players) == {"Ana", "\u0410na"}
    assert any("look alike" in text for text in asker.seen)


@pytest.mark.parametrize("options", [[], ["--dry-run"], ["-q"], ["--format", "json"]])
def test_a_seat_is_given_with_a_warning(porto, options: list[str]) -> None:
    match = porto_cli.new_game(["Ana", "Cy", "Eva"], seed="tram", first="Ana")
    match.save(Path("a.yaml"))
    done = porto("seat", "a.yaml", "Eva", "--to", "\u0421\u0443", *options)
    assert done.code == 0
    assert "Cy and \u0421\u0443 look alike" in done.err
    assert done.err.count("look alike") == 1


def test_a_seat_given_to_anybody_else_needs_none(porto) -> None:
    """Also where two at the table look alike already; that was said before."""
    match = porto_cli.new_game(["Ana", "\u0410na", "Eva"], seed="tram", first="Ana")
    match.save(Path("a.yaml"))
    for name in ("Bea", "Eva"):
        done = porto("seat", "a.yaml", "Eva", "--to", name)
        assert (done.code, done.err) == (0, "")
