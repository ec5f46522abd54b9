"""What YAML readers judge differently is refused, with its place; what people write is not."""

from __future__ import annotations

import json

import pytest
import yaml

import porto_cli
from porto_cli.core.yaml import InvalidFileError, read
from tests.conftest import ROOT

RECORD = (ROOT / "records" / "porto" / "solo-lost.yaml").read_text("utf-8")


@pytest.fixture(params=["in C", "in Python"])
def reader(request, monkeypatch) -> str:
    """Each of PyYAML's readers; the program takes the one in C if there is one."""
    if request.param == "in Python":
        monkeypatch.delattr(yaml, "CSafeLoader", raising=False)
    return request.param


@pytest.mark.parametrize(
    ("line", "column"),
    [
        ("title: a\t# b", 9),
        ("title:\ta", 7),
        ("title: a\tb", 9),
        ("title: 'a'\t", 11),
        ("\t# a", 1),
        ("title: 'a\n\tb'", 0),
        ("title: 'a'# b", 11),
        ("title: 'a' #b\n#c\n  d: [a?]", 0),
        ("? title\n: a", 1),
        ("title: [a, ? ]", 12),
        ("title: [what?, b]", 13),
        ("title: [a:]", 10),
        ("title: {a:}", 10),
        ("title: [a,# b\n  c]", 11),
        ("title: |2\n  a", 8),
        ("title: |\n   \n  a", 8),
        ("title:\n  |\n  a", 0),
        ("%YAML 1.1\n---", 1),
        ("%TAG ! tag:x:\n---", 1),
        ("title: a\n%TAG ! tag:x:", 0),
    ],
)
def test_what_readers_judge_differently_is_refused(reader, line: str, column: int) -> None:
    with pytest.raises(InvalidFileError) as caught:
        porto_cli.loads(f"{line}\n{RECORD.partition(chr(10))[2]}", "game.yaml")
    assert caught.value.place.line > 0
    if column and "not YAML" not in str(caught.value):
        assert caught.value.place == ("game.yaml", 1, column)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("title: a # what?\tor: [b, c]", "a"),
        ("title: a#b", "a#b"),
        ("title: what?", "what?"),
        ("title: 'a\tb?'", "a\tb?"),
        ("title: 100 %", "100 %"),
        ('title: "a:]#b"', "a:]#b"),
        ("title: |\n  a\tb?\n   #c\n# d\t?", "a\tb?\n #c\n"),
        ("title: >-  # e\n  a\n  b", "a b"),
        ("'title' :   a b\n   c", "a b c"),
        ('"title": "a\\\n  b"', "ab"),
        ("title: a:b", "a:b"),
    ],
)
def test_what_people_write_is_read(reader, text: str, title: str) -> None:
    assert porto_cli.loads(f"{text}\n{RECORD}").record.title == title


def test_json_is_read(reader) -> None:
    """It is YAML, though the turns of a record stand in lines of their own."""
    text = json.dumps({"a": ["b", {"c": "d?"}], "e": {}, "f:": "#"}, indent=1)
    assert set(read(text, "x").keys) == {"a", "e", "f:"}
    assert set(read(json.dumps(json.loads(text), separators=(",", ":")), "x").keys) == {
        "a",
        "e",
        "f:",
    }


@pytest.mark.parametrize("escape", [r"\U00110000", r"\UFFFFFFFF", r"\ud83e\udd9c", r"\udc00"])
def test_an_escape_of_no_character_is_refused_in_words(reader, escape: str) -> None:
    with pytest.raises(InvalidFileError, match="eight digits"):
        porto_cli.loads(f'title: "{escape}"\n{RECORD}')


def test_directives_cost_no_time() -> None:
    """PyYAML compares each with all before it: with so many it would take hours."""
    with pytest.raises(InvalidFileError, match="directives"):
        porto_cli.loads("".join(f"%TAG !{n}! tag:x:\n" for n in range(200_000)))
    with pytest.raises(InvalidFileError, match="directives"):
        porto_cli.loads("a: 1\n" + "".join(f"%TAG !{n}! tag:x:\n" for n in range(200_000)))
