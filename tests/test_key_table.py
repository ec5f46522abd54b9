"""The one table of keys: no key means two things, and what is told of them is what they do."""

from __future__ import annotations

import re

import pytest

from porto_cli.cli import session
from porto_cli.term.keys import KEYS, On, explained, hint, keys_of
from porto_cli.term.prompt import BACK_KEY
from porto_cli.term.spans import cells, plain
from tests.conftest import ROOT

KINDS = list(On)


def bound(on: On) -> list[str]:
    return [name for key in keys_of(on) for name in key.keys.split()]


@pytest.mark.parametrize("on", KINDS)
def test_no_key_means_two_things(on: On) -> None:
    names = bound(on)
    assert len(names) == len(set(names))
    assert {"escape", "c-c", "<sigint>", "c-d"} <= set(names)


def test_the_letters_of_choices_are_free_in_menus() -> None:
    letters = [*"umlthsar", BACK_KEY]
    assert letters[:2] == [session._UNDO, session._MAIL]
    assert len(letters) == len(set(letters))
    assert not set(letters) & set(bound(On.MENU))


@pytest.mark.parametrize("on", KINDS)
@pytest.mark.parametrize("width", [44, 80])
def test_the_help_names_the_keys_of_a_question_and_no_others(on: On, width: int) -> None:
    lines = [plain(line) for line in explained(keys_of(on), width)]
    assert all(cells(line) <= width for line in lines)
    told = [key.name for key in KEYS if on in key.on and key.told]
    heads = [line for line in lines if not line.startswith(" ")]
    assert len(heads) == len(told)
    assert all(line.startswith(f"{name}  ") for line, name in zip(heads, told, strict=True))


def test_the_hint_behind_a_question_is_short() -> None:
    assert str(hint(keys_of(On.MENU))) == "(? help, Esc back)"
    assert str(hint(keys_of(On.MENU, back=False))) == "(? help)"
    assert str(hint(keys_of(On.MARKS))) == "(Space marks, Enter confirms, ? help, Esc back)"
    assert str(hint(keys_of(On.CONFIRM))) == "(y yes, Enter no, ? help, Esc back)"
    assert str(hint(keys_of(On.TEXT, helps=False))) == "(Esc back)"


def test_the_manual_names_the_keys() -> None:
    page = (ROOT / "man" / "porto-play.1").read_text("utf-8").replace("\\", "")
    words = {word for key in KEYS if key.told for word in re.findall("[A-Z][A-Za-z-]+", key.name)}
    assert not {word for word in words if word not in page}
