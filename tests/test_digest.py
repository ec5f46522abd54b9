"""What a digest, a result and ``verify`` say, and what they do not help to forge."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import porto_cli
from porto_cli.core.yaml import InvalidFileError
from tests.conftest import ROOT
from tests.porto.playing import CRAMPED

RECORDS = ROOT / "records" / "porto"
TWO = (RECORDS / "two-players.yaml").read_text("utf-8")
RESULT = TWO[TWO.index("\n- result: ") + 1 :]
FINGERPRINT = RESULT.split()[-1]


def test_the_fingerprint_is_the_beginning_of_the_digest() -> None:
    match = porto_cli.load(RECORDS / "two-players.yaml")
    assert re.fullmatch("[0-9a-f]{64}", match.digest)
    assert match.digest[:8] == match.fingerprint == match.replay.fingerprint
    assert match.digest == match.replay.digest
    assert match.fingerprint == "a714d080"


def test_the_digests_of_a_game_are_those_that_it_had_after_each_item() -> None:
    match = porto_cli.load(RECORDS / "two-players.yaml")
    lines = TWO.splitlines(keepends=True)
    *items, _ = match.record.items
    starts = [item.places[0][0] - 1 for item in items]
    had = [porto_cli.loads("".join(lines[:start])).digest for start in starts]
    assert match.replay.digests() == [*had, match.digest]


@pytest.fixture
def game(porto, tmp_path: Path) -> str:
    assert porto("new", "game.yaml", "Inês", "Joana", "--seed", "tram", "-q").code == 0
    return "game.yaml"


def test_documents_with_a_fingerprint_have_the_digest(porto, game: str) -> None:
    for words in (["show", game], ["verify", game], ["keep", game, 1, 2, 3, "-n", "--as", "Inês"]):
        facts = json.loads(porto(*words, "--format", "json").out)
        facts = facts["files"][0] if "files" in facts else facts
        assert facts["digest"].startswith(facts["fingerprint"])
        assert len(facts["digest"]) == 64


@pytest.mark.parametrize("length", [8, 9, 40, 64])
def test_any_beginning_of_the_digest_can_be_expected(porto, game: str, length: int) -> None:
    digest = porto_cli.load(game).digest
    words = ("undo", game, "--expect")
    assert porto(*words, digest[:length]).code == 1
    assert porto(*words, digest[:length].upper()).code == 1
    other = digest[: length - 1] + ("0" if digest[length - 1] != "0" else "1")
    refused = porto(*words, other)
    assert refused.code == 4
    assert other in refused.err


@pytest.mark.parametrize(
    "expect",
    ["", " ", "1234567", "0" * 65, "ribeira1", "0x123456", "¹²³⁴⁵⁶⁷⁸", "a" * 9_000],
)
def test_an_invalid_fingerprint_cannot_be_expected(porto, game: str, expect: str) -> None:
    for file in (game, "missing.yaml"):
        refused = porto("undo", file, "--expect", expect)
        assert refused.code == 2
        assert "--expect" in refused.err
        assert len(refused.err) < 400


def test_the_fingerprint_is_explained_where_it_is_first_shown(porto) -> None:
    new = porto("new", "game.yaml", "Inês", "Rui", "--seed", "x").out
    assert re.search(r"^Fingerprint: [0-9a-f]{8}$", new, re.MULTILINE)
    assert "A copy with another fingerprint is another version of the game." in new


def test_verify_says_what_it_has_seen_and_what_it_cannot_prove(porto) -> None:
    files = [RECORDS / name for name in ("two-players.yaml", "real-table.yaml")]
    own = porto_cli.new_game(["Inês", "Rui"], seed="box", edition=CRAMPED)
    own.save("own.yaml")
    done = porto("verify", *files, "own.yaml")
    assert done.code == 0
    lines = done.out.splitlines()
    for line, match in zip(lines, map(porto_cli.load, [*files, "own.yaml"]), strict=False):
        assert f"secrecy {match.record.secrecy}" in line
        assert f"whole fingerprint {match.digest}." in line
        assert ("edition of its own, 'cramped'" in line) == (match.record.file == "own.yaml")
    assert [line.partition(":")[0] for line in lines[3:]] == [
        "Not proven for a game with 'secrecy",
        "Not proven for a game with 'secrecy",
    ]
    for word in ("seed", "rewritten", "deleted"):
        assert word in lines[3]
    assert not porto("verify", "-q", *files).out
    reports = json.loads(porto("verify", "--format", "json", *files, "own.yaml").out)["files"]
    assert [report["secrecy"] for report in reports] == ["open", "table", "open"]
    assert [report["own_edition"] for report in reports] == [False, False, True]
    assert [report["edition"] for report in reports] == ["mebo-2019", "mebo-2019", "cramped"]
    assert [report["not_proven"] for report in reports] == [lines[3], lines[4], lines[3]]


def error_of(text: str) -> str:
    with pytest.raises(InvalidFileError) as caught:
        porto_cli.loads(text)
    return str(caught.value)


def test_no_message_tells_how_a_forged_end_would_be_valid() -> None:
    """Each value of the result is taken out or changed, as somebody would who tries them all."""
    right = [
        *re.findall(r"(?<=: )[\w-]+(?: [\w+-]+)*(?=\n|, |\})", RESULT),
        RESULT.partition("{")[2].partition("}")[0],
    ]
    assert FINGERPRINT in right
    assert len(right) > 3
    without = TWO[: TWO.index("- result: ")]
    errors = [("", error_of(without))]
    lines = RESULT.splitlines(keepends=True)
    for number, line in enumerate(lines):
        rest = lines[:number] + lines[number + 1 :]
        if number:
            errors.append(("", error_of(without + "".join(rest))))
        for old, new in (("a714d080", "00000000"), ("1", "2"), ("blue", "red"), ("}", "")):
            changed = line.replace(old, new, 1)
            if changed != line:
                text = without + "".join([*lines[:number], changed, *lines[number + 1 :]])
                errors.append((changed, error_of(text)))
    assert len(errors) > 5
    for changed, error in errors:
        output = [value for value in right if value in error and value not in changed]
        assert not [value for value in output if len(value) > 4], error


def test_a_result_is_keys_with_values_not_a_text() -> None:
    flow = RESULT[RESULT.index("{") : RESULT.index("}") + 1]
    assert "keys with values" in error_of(TWO.replace(flow, f"'{flow}'"))
    private = re.search(r"private: (\{.*\})", TWO)
    assert private
    assert "keys with values" in error_of(TWO.replace(private[1], f"'{private[1]}'"))
    assert porto_cli.loads(TWO.replace(flow, flow.replace(": ", ":   "))).over


def test_many_results_are_checked_as_quickly_as_one(monkeypatch) -> None:
    """After an undo a game can end again, as often as somebody likes."""
    from porto_cli.match import items
    from porto_cli.match.match import opened

    match = porto_cli.load(RECORDS / "solo-lost.yaml")
    moves = match.replay.steps[-1].moves
    for _ in range(20):
        match.undo()
        match.play(*moves)
    hashed: list[int] = []

    class Counting:
        def __init__(self, data: bytes) -> None:
            self.real = real(data)
            hashed.append(len(data))

        def update(self, data: bytes) -> None:
            hashed.append(len(data))
            self.real.update(data)

        def hexdigest(self) -> str:
            return self.real.hexdigest()

    real = items.sha256
    monkeypatch.setattr(items, "sha256", Counting)
    text = match.record.text
    again = opened(match.record)
    assert again.record.text == text
    assert sum(hashed) < len(text), "each item is read once"
