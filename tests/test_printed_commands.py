"""What the program prints to be typed can be typed, whoever 'porto me' says the user is."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

import porto_cli
from porto_cli.games import GAMES
from porto_cli.match.match import Match
from tests.conftest import ROOT
from tests.mail.test_receive import mail
from tests.mail.test_receive_moves import answer
from tests.mails import beginning, message_of, plain_text

FILE = "friday.yaml"
VERBS = {verb for meta in GAMES.values() for verb in meta.verbs}
COMMAND = re.compile(r"\bporto (\w+) friday\.yaml\b[^\n]*")
BYSTANDER = "Zé"
KINDS = [
    *("porto", "puerto-rico", "table"),
    *(pytest.param(f"{game}, more", marks=pytest.mark.long) for game in ("porto", "puerto-rico")),
]


def positions(kind: str) -> list[Match]:
    """Return some tables of a game: private contracts to be kept, turns, claims, phases."""
    if kind == "table":
        path = ROOT / "records" / "porto" / "real-table.yaml"
        lines = path.read_text("utf-8").splitlines()
        nth = next(n for n in range(len(lines)) if lines[n].startswith("  refill:"))
        return [porto_cli.loads("\n".join(lines[: nth - 1]) + "\n")]
    game = kind.removesuffix(", more")
    counts = [0, 1, 2, 3, 4, 5, 12, 21, 30] if game == "porto" else [0, 1, 3, 6, 9, 15, 22, 31, 44]
    # The setup, a first turn and the middle of a game; all the others for long.
    few = counts[::3]
    return [beginning(game, count) for count in counts if (count in few) == (game == kind)]


def typed(text: str) -> Iterator[list[str]]:
    """Return the commands in a text, as words, so that nothing is written."""
    for found in COMMAND.finditer(text):
        words = shlex.split(found[0])[1:]
        if found[1] in VERBS and not any(word.isupper() and len(word) > 2 for word in words):
            yield [*words, "--dry-run"]
        elif found[1] in ("show", "moves", "score", "log"):
            yield words


@pytest.fixture(params=KINDS)
def tables(request: pytest.FixtureRequest, porto) -> list[Match]:
    return positions(request.param)


def check(porto, text: str) -> int:
    count = 0
    for words in typed(text):
        done = porto(*words)
        assert done.code == 0, f"porto {' '.join(words)}\n{done.err}\n{text}"
        assert "cannot move now" not in done.out, words
        count += 1
    return count


ASKED = [["show"], ["moves"], ["score"], ["log"], pytest.param(["hint"], marks=pytest.mark.long)]


@pytest.mark.long_for(
    "porto-show",
    "porto-moves",
    "porto-score",
    "porto-log",
    "puerto-rico-show",
    "puerto-rico-score",
    "puerto-rico-log",
    "puerto-rico-moves",
)
@pytest.mark.parametrize("command", ASKED, ids=" ".join)
def test_what_is_printed_about_a_table(porto, tables, monkeypatch, command: list[str]) -> None:
    count = 0
    for match in tables:
        Path(FILE).write_text(match.record.text, "utf-8")
        for user in (*match.players, BYSTANDER):
            monkeypatch.setenv("PORTO_PLAYER", user)
            if command == ["hint"] and (match.record.secrecy != "open" or match.state.turn > 12):
                continue
            done = porto(*command, FILE)
            count += check(porto, done.out + done.err)
    assert count or command == ["hint"]


@pytest.mark.long_for("porto", "puerto-rico")
def test_what_is_printed_after_a_move_and_about_one_that_is_refused(
    porto, tables, monkeypatch
) -> None:
    count = 0
    for match in tables:
        mover = match.to_move()[0]
        verb, *words = match.text(match.legal_moves(mover)[0]).split()
        for user in (*match.players, BYSTANDER):
            Path(FILE).write_text(match.record.text, "utf-8")
            monkeypatch.setenv("PORTO_PLAYER", user)
            # It lacks its words, has too many, or it lacks what came up.
            for typed_words in ([], [*words, *words], [verb, *words]):
                done = porto(verb, FILE, *typed_words, "--as", mover)
                if match.record.secrecy == "open":
                    count += check(porto, done.out + done.err)
                elif done.code:
                    assert f"--as {mover}" in done.err or user in (mover, BYSTANDER), done.err
                    count += 1
    assert count


@pytest.mark.long
def test_what_is_printed_about_a_message(porto, tables, monkeypatch) -> None:
    count = 0
    for match in tables:
        if match.record.secrecy != "open":
            continue
        mover = match.to_move()[0]
        move = match.text(match.legal_moves(mover)[0])
        after = porto_cli.loads(match.record.text)
        after.play(move, player=mover)
        for user in (*match.players, BYSTANDER):
            monkeypatch.setenv("PORTO_PLAYER", user)
            Path(FILE).write_text(match.record.text, "utf-8")
            shown = porto("receive", stdin=answer(match, move, f"{mover} <x@example.org>"))
            assert shown.code in (1, 2)
            count += check(porto, shown.out)
            if user != mover:
                done = porto("receive", stdin=mail(after))
                assert done.code == 0, done.err
                count += check(porto, done.out)
    assert count or match.record.secrecy != "open"


@pytest.mark.long_for("porto", "puerto-rico")
def test_commands_in_a_mail_can_be_typed_by_its_reader(porto, tables, monkeypatch) -> None:
    count = 0
    for match in tables:
        Path(FILE).write_text(match.record.text, "utf-8")
        for reader in match.players:
            monkeypatch.setenv("PORTO_PLAYER", BYSTANDER)
            sender = next(name for name in match.players if name != reader)
            written = porto("mail", FILE, "--as", sender, "--to", reader, "--format", "eml")
            monkeypatch.setenv("PORTO_PLAYER", reader)
            count += check(porto, plain_text(message_of(written.out)))
    assert count


@pytest.mark.long
def test_a_choice_that_several_can_make_is_shown_to_each_as_their_own(porto, monkeypatch) -> None:
    porto_cli.new_game(["Ana", "Bea", "João", "Rui"], seed="tram", first="Ana").save(FILE)
    porto("keep", FILE, 1, 2, 3, "--as", "Ana")
    result = plain_text(message_of(porto("mail", FILE, "--to", "Ana", "--format", "eml").out))
    assert "Bea, João and Rui can already keep three" in " ".join(result.split())
    assert "To do that now" not in result
    for name in ("Bea", "João", "Rui"):
        written = porto("mail", FILE, "--as", "Ana", "--to", name, "--format", "eml")
        result = plain_text(message_of(written.out))
        assert f"    porto keep friday.yaml 1 2 3 --as {name}\n" in result
        monkeypatch.setenv("PORTO_PLAYER", name)
        assert f"for example: porto keep {FILE} 1 2 3 --as {name}" in porto("show", FILE).out
        monkeypatch.delenv("PORTO_PLAYER")
