"""The guide and the other pages with commands: what they say to type can be typed, and works."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.conftest import ROOT

DOCS = ROOT / "docs"
READER = "Ana"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md", *DOCS.rglob("*.md")]


class Block(NamedTuple):
    """A block of code: its language, the word behind that, and its lines."""

    language: str
    name: str
    text: str


def blocks(text: str) -> list[Block]:
    """Return the blocks of code of a page, in their order."""
    found = re.findall(r"^```(\w+) ?(\S*)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    return [Block(*one) for one in found]


def type_line(porto, line: str) -> None:
    """Type a command, which has to work, or be refused for the reason in its comment."""
    typed, _, comment = line.partition(" # ")
    program, *words = shlex.split(typed)
    assert program == "porto", line
    result = porto(*words)
    expected = comment.strip()
    if words[0] == "play":
        assert result.code == 2, line
        assert "terminal" in result.err, line
    elif expected.startswith("refused: "):
        assert result.code == 1, line
        for part in expected.removeprefix("refused: ").split(", ", 1):
            assert part in result.err, line
    else:
        assert result.code == 0, f"{line}\n{result.err}"


@pytest.mark.long
def test_the_guide_can_be_followed(porto, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From its beginning to its end, in one folder for each person; each mail arrives."""
    homes = {name: tmp_path / f"{name}-home" for name in (READER, "Rui")}
    folders = {name: tmp_path / name for name in homes}
    for folder in (*homes.values(), *folders.values()):
        folder.mkdir()
    count = 0
    for block in blocks((DOCS / "guide.md").read_text("utf-8")):
        if block.language == "text":
            continue  # A screen.
        if block.language != "sh":
            place = homes if block.name == "config.yaml" else folders
            with (place[READER] / block.name).open("a", encoding="utf-8") as file:
                file.write(block.text)
            continue
        who = block.name or READER
        monkeypatch.chdir(folders[who])
        monkeypatch.setenv("PORTO_HOME", str(homes[who]))
        for line in block.text.splitlines():
            type_line(porto, line)
            count += 1
        for mail in folders[who].glob("*.eml"):
            for other in set(folders) - {who}:
                shutil.copy(mail, folders[other])
    assert count > 40
    assert "Rui" in (folders[READER] / "friday.yaml").read_text("utf-8")


INLINE = re.compile(r"`porto (\w+)\b([^`]*)`")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_inside_sentences_exist_and_have_these_options(page: Path, porto) -> None:
    text = page.read_text("utf-8")
    for block in blocks(text):
        text = text.replace(block.text, "")
    for command, rest in INLINE.findall(text):
        described = porto("help", command)
        assert described.code == 0, f"porto {command}{rest}"
        for option in re.findall(r"(?<=\s)--?[a-z][a-z-]*", rest):
            if option != "-":
                assert option in described.out, f"porto {command}{rest}"


@pytest.mark.outside
def test_what_asks_for_everything_asks_in_a_terminal(porto, tmp_path: Path) -> None:
    """Each ``porto play`` of the guide, after the lines that set up its games."""
    pytest.importorskip("pexpect")
    from tests.porto.test_play_terminal import CTRL_C, Terminal

    shown = [
        line.partition(" # ")[0].split()[1:]
        for block in blocks((DOCS / "guide.md").read_text("utf-8"))
        for line in block.text.splitlines()
        if block.language == "sh"
    ]
    for words in shown:
        if words[0] == "new" and words[1] in ("evening.yaml", "friday.yaml"):
            assert porto(*words).code == 0
    asking = [words for words in shown if words[0] == "play"]
    assert len(asking) >= 3
    for words in asking:
        player = Terminal(tmp_path, *words)
        assert "?" in player.question()
        player.type(CTRL_C)
        player.end()
