"""A record that is not one is refused, with file, line and column, and never with a traceback."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import yaml

import porto_cli
from porto_cli.core.yaml import LARGEST, InvalidFileError, read
from porto_cli.match import record
from porto_cli.match.match import opened
from tests.conftest import ROOT, run_porto
from tests.shares import for_each


@pytest.fixture(scope="module")
def good() -> str:
    match = porto_cli.new_game(["Inês", "Joana"], seed="tram", first="Inês")
    match.play("keep 1 2 3", player=match.state.seat)
    match.play(match.legal_moves()[0], player=match.state.seat)
    match.play("keep 1 2 3", player=match.state.seat)
    match.play(match.legal_moves()[-1], player=match.state.seat)
    return match.record.text


def error_of(text: str) -> str:
    with pytest.raises(InvalidFileError) as caught:
        opened(record.load(text, "game.yaml"))
    return str(caught.value)


def line_of(text: str, start: str) -> int:
    return next(n for n, line in enumerate(text.split("\n"), 1) if line.startswith(start))


def test_a_record_of_a_newer_program_is_not_called_cut_off(tmp_path: Path) -> None:
    file = tmp_path / "game.yaml"
    file.write_text("porto: 99")
    done = run_porto("show", str(file))
    assert done.code == 3
    assert "a newer porto is needed" in done.err
    assert "cut off" not in done.err


_GET = "If it came by mail, save the whole mail and try 'porto receive MAIL'"
_UNDO = "have been edited or damaged: undo the change"


@pytest.mark.parametrize(
    ("text", "says", "cure"),
    [
        ("", ":1:1: The file is empty.", _GET),
        ("\n", ":1:1: The file is empty.", _GET),
        ("Hello, this is our game\n", ": This is not a game", ""),
        ("# Shopping\n* eggs: 6\n- milk\n", ": This is not a game", ""),
        ("<html><body>porto: [</body>\n", ": This is not a game", ""),
        ("name: x\nname: y\n", ": This is not a game", ""),
        ("%PDF-1.4\n", ": This is not a game", ""),
        ("> porto: 1\n> rules: 1\n", "This is not a game", "If it is a mail: porto receive"),
        ("From: a\nSubject: Re: x\n", "This is not a game", "If it is a mail: porto receive"),
        ("From: a\n\nporto: 1\n", "This is not a game", "If it is a mail: porto receive"),
        ("porto: 1\nplayers: [A, B\nseed: x\n", "a comma or a closing bracket is missing.", _GET),
        ("porto: 1\nplayers\nseed: x\n", "line 3 on: there or above, a colon is missing.", _GET),
        ("porto: 1\ntitle: Friday: us\n", "a text with a colon has no quotation marks.", _GET),
        ("porto: 1\ntitle: 'Friday\n", "a quotation mark or a bracket is not closed.", _GET),
        ("porto: 1\nsetup:\n\tcards: x\n", "a line begins with a tab instead of spaces.", _GET),
        ("porto: 1\nplayers: [@A, B]\n", "above, a text that begins with a sign has", _GET),
        ("porto: 1\nseed: %open\n", "above, a text that begins with a sign has", _GET),
        ("porto: 1\n\tseed: x\n", "a line begins with a tab instead of spaces.", _GET),
        ("porto: \x03\n", "Control character", _GET),
        ("porto: 1\n%\n", "must not begin with '%'", _GET),
        ("porto: 1\nseed: x\nseed: y\n", "Duplicate key 'seed'", _UNDO),
        ("porto: 1\nscenario: x\n", "'porto scenario' runs it.", ""),
        (b"\xff\xfe\n", "This is not text in UTF-8", _GET),
    ],
)
def test_a_file_that_is_no_record_says_what_can_be_done(
    tmp_path: Path, text: str | bytes, says: str, cure: str
) -> None:
    """Once, and only what helps."""
    file = tmp_path / "game.yaml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    for command in ("show", "verify", "undo"):
        done = run_porto(command, str(file))
        assert done.code == 3
        assert says in done.err
        assert "cut off after" not in done.err
        for one in (_GET, _UNDO, "porto receive"):
            assert done.err.count(one) == (one in cure)


def test_a_record_that_ends_in_the_middle_is_said_to_be_cut_off(tmp_path: Path, good: str) -> None:
    """Wherever it ends: also behind a whole line; but not of one with turns that lacks another key.
    What is wrong comes first.
    """
    file = tmp_path / "game.yaml"
    lines = good[: good.index("\nturns:")].split("\n")
    for count in range(2, len(lines)):
        for end in ("", "\n"):
            file.write_text("\n".join(lines[:count]) + end)
            done = run_porto("show", str(file))
            assert done.code == 3
            cut_off = rf": The file may be cut off after line {count}\.( \S.+\.)? If"
            assert re.match(rf"{re.escape(str(file))}:\d+:\d+{cut_off}", done.err)
    continues = "The turn has to continue with 'refill: yellow-1 purple-1'."
    wrong = "'yellow-1 purple-1' comes up here, not 'yellow-1 purple-3'."
    for text, says in (
        (good[: good.rindex("\n  refill") + 1], continues),
        (good[: good.rindex(":") + 5], "'yel"),
        (f"{good.rstrip()[:-1]}3", wrong),
        # What is no YAML at its end is cut off, and that is all.
        (f"{good[: good.rindex('  refill')]}  'refill", ""),
    ):
        file.write_text(text)
        last = text.rstrip().count("\n") + 1
        error = run_porto("show", str(file)).err
        assert says in error
        assert f": The file may be cut off after line {last}. " in error
        assert error.startswith(tuple(f"{file}:{line}:" for line in (last, last - 1)))
        assert "cannot be read" not in error
        facts = json.loads(run_porto("verify", str(file), "--format", "json").out)
        assert says in facts["files"][0]["error"]
    file.write_text(good.replace("seed: tram\n", "").replace("players: [Inês, Joana]\n", ""))
    done = run_porto("show", str(file))
    assert "is missing" in done.err
    assert "cut off" not in done.err


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("porto: 1", "porto: 2", "a newer porto is needed"),
        ("rules: 1", "rules: 2", "a newer porto is needed"),
        ("porto: 1", "porto: one", "whole number"),
        ("players: [Inês, Joana]", "players: [Inês]\nplayers: [Joana]", "Duplicate key"),
        ("players: [Inês, Joana]", "players: [Inês, inês]", "Two players"),
        ("players: [Inês, Joana]", "players: ['Inês ', Joana]", "visible character"),
        ("players: [Inês, Joana]", "players: [Inês, refill]", "cannot be called"),
        ("players: [Inês, Joana]", "players: []", "1 to 4 players"),
        ("players: [Inês, Joana]", "players: [a, b, c, d, e]", "1 to 4 players"),
        ("players: [Inês, Joana]", "players: Inês", "should be a list"),
        ("players: [Inês, Joana]", "players: [Inês, [Joana]]", "single text"),
        ("players: [Inês, Joana]", "players: [&a Inês, *a]", "aliases"),
        ("players: [Inês, Joana]", "players: !!python/name:os.system [x]", "tag"),
        ("edition: mebo-2019", "edition: mebo-1919", "does not come with the program"),
        ("secrecy: open", "secrecy: secret", "one of open, table"),
        ("secrecy: open", "secrecy: table", "has no seed"),
        ("seed: tram", "sead: tram", "unknown"),
        ("seed: tram", f"seed: {'m' * 65}", "at most 64"),
        ("seed: tram\n", "", "'seed' is missing"),
        ("seed: tram", "seed: tran", "the seed or the tokens were changed"),
        ("turns:", "title: x\nturns:", ""),
        ("tie-break: contracts-first", "tie-break: first", "one of contracts-first, seat-first"),
        ("private-contracts: true", "private-contracts: yes", "one of true, false"),
        ("options: {", "options: {timer: 28, ", "Only a solo game"),
    ],
)
def test_a_wrong_header_is_named_with_its_line(good: str, old: str, new: str, says: str) -> None:
    assert old in good
    text = good.replace(old, new, 1)
    if not says:
        opened(record.load(text, "game.yaml"))
        return
    message = error_of(text)
    assert says in message
    assert re.match(r"game\.yaml:\d+:\d+: ", message)


@for_each(
    ("text", "says"),
    [
        ("", "empty"),
        ("# only a comment\n", "empty"),
        ("just text\n", "porto: 1"),
        ("- a\n- b\n", "porto: 1"),
        ("{}", "porto: 1"),
        ("porto: 1\n", "missing"),
        ("porto: 1\nporto: 1\n", "Duplicate key"),
        ("a: [1, 2\n", "cannot be read from line"),
        ("a: 'open\n", "cannot be read from line"),
        ("\tporto: 1\n", "cannot be read from line"),
        ("? [a]\n: b\n", "plain text"),
        ("? {a: b}\n: b\n", "plain text"),
        ("a: 1\n---\nb: 2\n", "second document"),
        ("a: 1\n...\n", "ends the file too early"),
        ("a: " + "[" * 100 + "]" * 100, "levels deep"),
        ("a: " + "{a: " * 100 + "b" + "}" * 100, "levels deep"),
        ("a: \x07\n", "character"),
        ("%TAG ! tag:x,2000:\n---\na: !b c\n", "directives"),
    ],
)
def test_anything_but_a_record_is_refused(text: str, says: str) -> None:
    assert says in error_of(text)


def test_a_seed_has_64_characters_at_most() -> None:
    match = porto_cli.new_game(["Inês", "Joana"], seed="m" * 64)
    assert porto_cli.loads(match.record.text).record.seed == "m" * 64
    with pytest.raises(ValueError, match="at most 64"):
        porto_cli.new_game(["Inês", "Joana"], seed="m" * 65)


def test_turns_have_to_come_last(good: str) -> None:
    assert "has to be the last one" in error_of(good + "title: late\n")


def test_two_lists_of_turns_are_refused(good: str) -> None:
    message = error_of(good + "turns:\n- Inês: draw blue-1\n")
    assert "Duplicate key" in message
    assert f"game.yaml:{good.count(chr(10)) + 1}:1:" in message


@pytest.mark.parametrize(
    ("item", "says"),
    [
        ("- Maria: draw blue-1", "not with 'Maria'"),
        ("- draw blue-1", "'- Name: move'"),
        ("- Inês: {a: b}", "should be a single text"),
        ("- Inês: [draw, blue-1]", "should be a single text"),
        ("- Inês: take blue-1", "'take' is not a move"),
        ("- Inês:", "No move"),
        ("- Joana: draw blue-1", "P-SETUP-4"),
        ("- Inês: keep 1 2 3", "P-SETUP-5"),
        ("- Inês: contract none", "P-PUBLIC-1"),
        ("- Inês: build blue-1 red-1 L3", "P-BUILD-1"),
        ("- Inês: build blue-1 red-1 L1", "P-SETUP-1"),
        ("- Inês: pass", "P-PASS-1"),
        ("- Inês: undo", "moved last"),
        ("- result: {Inês: 70}", "the game goes on"),
        ("- Inês: draw", "P-DRAW-1"),
        ("- {Inês: draw blue-1}", "'- Name: move'"),
    ],
)
def test_a_wrong_turn_is_named_with_its_line(good: str, item: str, says: str) -> None:
    message = error_of(f"{good}{item}\n")
    assert says in message
    assert message.startswith(f"game.yaml:{good.count(chr(10)) + 1}:")


def test_a_refill_that_the_seed_does_not_give_is_named(good: str) -> None:
    line = next(line for line in good.split("\n") if "refill: " in line)
    card = line.split()[-1]
    other = "blue-3" if card != "blue-3" else "red-1"
    text = good.replace(line, line.replace(card, other), 1)
    message = error_of(text)
    assert f"'{card}'" in message
    assert f"game.yaml:{line_of(good, line)}:" in message


def test_of_two_contradictions_the_first_is_named(good: str) -> None:
    """An illegal turn is noticed sooner than a refill that never came up, wherever they stand."""
    line = next(line for line in good.split("\n") if "refill: " in line)
    card = line.split()[-1]
    text = good.replace(line, line.replace(card, "blue-3" if card != "blue-3" else "red-1"), 1)
    assert f"'{card}'" in error_of(text + "- Inês: pass\n")
    assert f"'{card}'" in error_of(text + "- result: {Inês: 70}\n")
    assert "P-PASS-1" in error_of(good + "- Inês: pass\n")


def test_a_missing_refill_is_asked_for(good: str) -> None:
    line = next(line for line in good.split("\n") if "refill: " in line)
    assert "has to continue with 'refill: " in error_of(good.replace(line + "\n", "", 1))


def test_abbreviations_and_layout_of_people_are_accepted(good: str) -> None:
    def shortened(text: str) -> str:
        return re.sub(r"\b(blue|green|purple|red|yellow)-([123])\b", lambda m: m[1][0] + m[2], text)

    head, turns = good.split("turns:\n")
    loose = head + "turns:\n\n  # what a week\n" + shortened(turns).replace("draw", "DRAW")
    one = opened(record.load(good, "game.yaml"))
    other = opened(record.load(loose, "game.yaml"))
    assert one.state == other.state
    assert one.fingerprint == other.fingerprint


def test_names_that_yaml_would_misread_stay_names() -> None:
    names = ["no", "1:30", "~", "- dash"]
    match = porto_cli.new_game(names, seed="x", first="no")
    again = porto_cli.loads(match.record.text)
    assert list(again.players) == names


def test_a_huge_file_is_refused_before_it_is_read(porto, tmp_path: Path) -> None:
    huge = tmp_path / "huge.yaml"
    with huge.open("wb") as file:
        file.truncate(50 * 1024 * 1024)
    assert huge.stat().st_size > LARGEST
    result = porto("verify", huge)
    assert result.code == 3
    assert "larger than 8 MiB" in result.err


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"\xff\xfe\x00", "not text in UTF-8"),
        (b"porto: 1\nplayers: [In\xeas]\n", "game.yaml:2:13"),
        (b"\x7fELF\x02\x01\x01\x00", "not a game"),
        (b"\x00" * 100, "not a game"),
    ],
)
def test_a_binary_file_is_refused(porto, tmp_path: Path, data: bytes, says: str) -> None:
    (tmp_path / "game.yaml").write_bytes(data)
    result = porto("verify", "game.yaml")
    assert result.code == 3
    assert says in result.err
    assert "Traceback" not in result.err


def test_a_record_that_was_cut_anywhere_is_refused_or_shorter(good: str) -> None:
    whole = opened(record.load(good, "game.yaml"))
    for end in range(0, len(good), 7):
        try:
            part = opened(record.load(good[:end], "game.yaml"))
        except InvalidFileError:
            continue
        assert len(part.steps) <= len(whole.steps)


# --- what people write in YAML -----------------------------------------------------


RECORD = (ROOT / "records" / "porto" / "solo-lost.yaml").read_text("utf-8")


@pytest.fixture(params=["in C", "in Python"])
def reader(request, monkeypatch) -> str:
    """Each of PyYAML's readers; the program takes the one in C if there is one."""
    if request.param == "in Python":
        monkeypatch.delattr(yaml, "CSafeLoader", raising=False)
    return request.param


@pytest.mark.parametrize(
    "text", ["%YAML 1.1\n---\n", "%TAG ! tag:x:\n---\n", "title: a\n%TAG ! tag:x:\n"]
)
def test_directives_are_refused(reader, text: str) -> None:
    with pytest.raises(InvalidFileError, match="directives"):
        porto_cli.loads(f"{text}{RECORD}", "game.yaml")


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


@pytest.mark.long
def test_directives_cost_no_time() -> None:
    """PyYAML compares each with all before it: with so many it would take hours."""
    with pytest.raises(InvalidFileError, match="directives"):
        porto_cli.loads("".join(f"%TAG !{n}! tag:x:\n" for n in range(200_000)))
    with pytest.raises(InvalidFileError, match="directives"):
        porto_cli.loads("a: 1\n" + "".join(f"%TAG !{n}! tag:x:\n" for n in range(200_000)))
