"""What may stand in a file, and in a name, is the same for every version of Unicode."""

from __future__ import annotations

import re
import unicodedata

import pytest

import porto_cli
from porto_cli.core.characters import as_latin, find_forbidden, find_invisible, is_printable
from porto_cli.core.yaml import InvalidFileError, scalar
from porto_cli.match import name_fault
from tests.conftest import ROOT
from tests.shares import for_each

RECORD = (ROOT / "records" / "porto" / "solo-lost.yaml").read_text("utf-8")

HIDING = ["\r", "\x0b", "\x0c", "\x1c", "\x1e", "\x85", "\u2028", "\u2029"]
STEERING = ["\x00", "\x1b", "\x7f", "\x9b", "\u061c", "\u200e", "\u200f", "\u202a", "\u202e"]
STEERING += ["\u2066", "\u2069", "\u206f", "\ufeff", "\ufff9", "\uffff"]


def error_of(text: str) -> InvalidFileError:
    with pytest.raises(InvalidFileError) as caught:
        porto_cli.loads(text, "game.yaml")
    return caught.value


@for_each("char", HIDING + STEERING)
def test_no_comment_hides_a_move_or_steers_the_terminal(char: str) -> None:
    """To libyaml the second half is a turn, to people, grep and other readers a comment."""
    text = RECORD.replace("turns:\n", f"turns: # nothing yet{char}- Inês: undo\n")
    error = error_of(text)
    line = RECORD[: RECORD.index("turns:\n")].count("\n") + 1
    assert (error.place.line, error.place.column) == (line, len("turns: # nothing yet") + 1)
    assert f"U+{ord(char):04X}" in str(error)


@for_each("char", HIDING + STEERING)
def test_nor_does_an_escape(char: str) -> None:
    error = error_of(RECORD.replace("porto: 1\n", f'porto: 1\ntitle: "a\\u{ord(char):04x}b"\n'))
    assert (error.place.line, error.place.column) == (3, 8)


@pytest.mark.parametrize(
    "text", ["\ud800", "porto: 1\ntitle: \udfff\n", "a: '\ud83e\udd9c'\n"], ids=ascii
)
def test_half_a_character_is_no_character(text: str) -> None:
    assert "U+FFFF" in str(error_of(text))


def test_what_joins_and_shapes_letters_may_stand_in_titles_and_comments() -> None:
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467 \u2764\ufe0f می\u200cخواهم"
    text = RECORD.replace("porto: 1\n", f"porto: 1\ntitle: {family}\n# {family}\n")
    assert porto_cli.loads(text).record.title == family


@pytest.mark.long
@pytest.mark.skipif(unicodedata.unidata_version != "14.0.0", reason="the table is of Unicode 14.0")
def test_the_table_is_that_of_unicode_14() -> None:
    chars = [chr(code) for code in range(0x110000)]
    latin = as_latin("".join(chars))
    assert len(latin) == len(chars)
    printable = "".join(char for char in chars if char.isprintable())
    assert "".join(as_latin(printable)).count("\0") == 0
    assert latin.count("\0") == len(chars) - len(printable)
    for kind in (r"\w+", r"\d+", r"[^\W\d_]+"):
        matching = re.compile(kind)
        places = [match.span() for match in matching.finditer("".join(chars))]
        assert places == [match.span() for match in matching.finditer(latin)], kind


@pytest.mark.long
def test_what_is_forbidden_is_printable_nowhere() -> None:
    """So that most texts are known to be good at a glance."""
    chars = [chr(code) for code in range(0x110000)]
    blocks = [chars[start : start + 256] for start in range(0, len(chars), 256)]
    forbidden = [
        char
        for block in blocks
        if find_forbidden("".join(block)) is not None
        for char in block
        if find_forbidden(f"a{char}b") == 1
    ]
    assert len(forbidden) > 2048 + 64
    assert not any(char.isprintable() or is_printable(char) for char in forbidden)


@for_each(
    "name",
    [
        "\u3164",
        "\u115f\u1160",
        "\u2800",
        "\ufe0f",
        "An\u034fa",
        "Ana\uffa0",
        "\u200b",
        "Ana\u200d",
        "\xad",
        "\u00a0",
        "\ue000",
        "a\ud800",
    ],
)
def test_a_name_is_seen(name: str) -> None:
    fault = name_fault(name)
    assert fault
    assert "U+" in str(fault) or "visible" in str(fault)
    assert find_invisible(name) is not None or not name.strip()


@pytest.mark.parametrize("char", ["\U0001fae8", "\U0001e4d0", "\ua7dc"], ids=ascii)
def test_a_name_is_made_of_characters_that_every_version_knows(char: str) -> None:
    """Unicode 15 and 16 added them: to one Python they are letters, to another nothing."""
    assert "too new" in str(name_fault(f"Ana {char}"))
    assert scalar(f"Ana {char}").startswith('"Ana \\u' if char < "\U00010000" else '"Ana \\U')


@for_each(
    "name",
    ["가나", "Ζωή", "Zé 🦜", "\u2764\ufe0f", "ത്രേസ്യാമ്മ", "ẞ", "१२", "Ａｎａ", "👍🏽"],
)
def test_names_of_all_scripts_are_names(name: str) -> None:
    match = porto_cli.new_game([name, "Ana"], seed="x", first="Ana")
    assert porto_cli.loads(match.record.text).players == ("Ana", name)


def test_a_name_is_not_taken_twice_with_an_invisible_difference() -> None:
    assert "Two players" in str(name_fault("\u2764\ufe0f", ["\u2764"]))


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("Friday", "Friday"),
        ("가나", "가나"),
        ("Zé 🦜", '"Zé 🦜"'),
        ("a\u200db", '"a\\u200db"'),
        ("🦜\u200d", '"\\U0001f99c\\u200d"'),
        ("🦜\xa0\\ud83e\\udd9c", '"\\U0001f99c\\u00a0\\\\ud83e\\\\udd9c"'),
        ("१२", '"१२"'),
        ("tab\there", '"tab\\there"'),
    ],
    ids=ascii,
)
def test_both_readers_read_back_what_is_written(text: str, written: str) -> None:
    import yaml

    assert scalar(text) == written
    for loader in (getattr(yaml, "CBaseLoader", yaml.BaseLoader), yaml.BaseLoader):
        assert yaml.load(f"title: {written}\n", loader) == {"title": text}


@pytest.mark.parametrize(
    "title", ["🦜", "👨\u200d👩\u200d👧", "a\U000e0067b", "\U0010fffd"], ids=ascii
)
def test_a_title_may_hold_any_character_that_does_not_steer(porto, title: str) -> None:
    assert porto("new", "g.yaml", "Ana", "Bob", "--title", title).code == 0
    match = porto_cli.load("g.yaml")
    assert match.record.title == title
    move = match.text(match.legal_moves()[0])
    assert porto(move.split()[0], "g.yaml", *move.split()[1:], "--as", match.to_move()[0]).code == 0
