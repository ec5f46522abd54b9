"""``porto receive``: what happens to the local copy, and what is said."""

from __future__ import annotations

import json
import os
import shutil
import sys
from email.message import EmailMessage
from pathlib import Path

import pytest

import porto_cli
from porto_cli.core import files
from porto_cli.match.match import Match
from tests.conftest import ROOT
from tests.documents import validated
from tests.mails import message_id

PLAYERS = {
    "porto": ["Inês", "Joana", "Rui"],
    "puerto-rico": ["Inês", "Joana", "Rui"],
}


def play_on(match: Match, turns: int, nth: int = 0) -> Match:
    """Play legal moves on a copy, always the one of this number."""
    match = porto_cli.loads(match.record.text)
    for _ in range(turns):
        seat = match.game.to_move(match.state)[0]
        moves = match.legal_moves(seat)
        match.play(moves[nth % len(moves)], player=seat)
    return match


def mail(
    *records: Match | str,
    name: str = "friday.yaml",
    sender: str = "Joana Silva <joana@example.org>",
    date: str = "",
    text: str = "Your turn!\n",
) -> bytes:
    message = EmailMessage()
    message["From"] = sender
    message["Subject"] = "Porto"
    if date:
        message["Date"] = date
    message.set_content(text)
    for record in records:
        data = record if isinstance(record, str) else record.record.text
        message.add_attachment(data.encode(), "application", "octet-stream", filename=name)
    return message.as_bytes()


@pytest.fixture(params=PLAYERS)
def game(request: pytest.FixtureRequest) -> Match:
    """A game that has begun."""
    players = PLAYERS[request.param]
    begun = porto_cli.new_game(players, game=request.param, seed="tram", first="Inês")
    return play_on(begun, 6)


@pytest.fixture
def here(game: Match, porto, tmp_path: Path) -> Path:
    """The local copy."""
    path = tmp_path / "friday.yaml"
    path.write_text(game.record.text, "utf-8")
    return path


def listing(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_it_goes_on(porto, game: Match, here: Path) -> None:
    new = play_on(game, 2)
    done = porto("receive", stdin=mail(new, name="friday(1).yaml"))
    assert done.code == 0, done.err
    assert here.read_text("utf-8") == new.record.text
    assert "friday.yaml has 2 new turns, from Joana Silva." in done.out
    assert "What is new in friday.yaml:" in done.out
    assert new.to_move()[0] in done.out.splitlines()[-2] or "porto " in done.out
    assert f"Fingerprint: {new.fingerprint}" in done.out
    assert listing(here.parent) == {"friday.yaml"}


def test_receiving_lists_what_happened_since_the_own_turn(porto, game, here, monkeypatch) -> None:
    own = game.players[game.replay.steps[-1].seat]
    monkeypatch.setenv("PORTO_PLAYER", own)
    done = porto("receive", stdin=mail(play_on(game, 1)))
    assert "Since your last turn" in done.out


def test_the_same_message_again_changes_nothing(porto, game: Match, here: Path) -> None:
    new = mail(play_on(game, 2))
    porto("receive", stdin=new)
    before = here.stat()
    done = porto("receive", stdin=new)
    assert done.code == 0
    assert "nothing new" in done.out
    assert here.stat().st_mtime_ns == before.st_mtime_ns


def test_an_older_copy_is_refused(porto, game: Match, here: Path) -> None:
    here.write_text(play_on(game, 3).record.text, "utf-8")
    done = porto("receive", stdin=mail(game))
    assert done.code == 1
    assert "3 turns ahead" in done.err
    assert here.read_text("utf-8") == play_on(game, 3).record.text
    assert listing(here.parent) == {"friday.yaml"}


@pytest.mark.long_for("porto")
def test_a_fork_is_refused_named_and_both_versions_are_kept(porto, game, here: Path) -> None:
    mine, theirs = play_on(game, 1), play_on(game, 2, nth=1)
    here.write_text(mine.record.text, "utf-8")
    done = porto("receive", stdin=mail(theirs))
    assert done.code == 1
    assert here.read_text("utf-8") == mine.record.text
    assert (here.parent / "friday-conflict.yaml").read_text("utf-8") == theirs.record.text
    assert "differ from item 7 of the turns" in done.err
    player = mine.players[mine.replay.steps[6].seat]
    assert f"In friday.yaml: {player} plays" in done.err
    assert f"In the message: {player} plays" in done.err
    assert "friday-conflict.yaml" in done.err
    # Again: the version is there already.
    again = porto("receive", stdin=mail(theirs))
    assert again.code == 0
    assert "was settled before" in again.out
    # Each of them can go on.
    assert porto("receive", stdin=mail(play_on(theirs, 1))).code == 1
    assert porto("receive", stdin=mail(play_on(mine, 1))).code == 0
    assert listing(here.parent) == {"friday.yaml", "friday-conflict.yaml"}
    conflict = here.parent / "friday-conflict.yaml"
    assert conflict.read_text("utf-8") == play_on(theirs, 1).record.text
    assert here.read_text("utf-8") == play_on(mine, 1).record.text


def test_somebody_elses_game_is_saved_by_itself_and_never_over_a_file(porto, game, here) -> None:
    other = porto_cli.new_game(["Zé", "Ana"], seed="boat", title="Other/../game")
    done = porto("receive", stdin=mail(other))
    assert done.code == 0
    assert "A new game from Joana Silva is saved as friday-2.yaml" in done.out
    assert here.read_text("utf-8") == game.record.text
    assert (here.parent / "friday-2.yaml").read_text("utf-8") == other.record.text
    refused = porto("receive", "--into", here, stdin=mail(other))
    assert refused.code == 1
    assert "a different game" in refused.err
    assert here.read_text("utf-8") == game.record.text


def test_a_new_game_goes_to_the_folder_named(porto, game: Match, tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    assert porto("receive", "--folder", "games", stdin=mail(game)).code == 0
    assert (tmp_path / "games" / "friday.yaml").exists()
    assert porto("receive", "--into", "mine.yaml", stdin=mail(game)).code == 0
    assert (tmp_path / "mine.yaml").read_text("utf-8") == game.record.text
    assert porto("receive", "--folder", "nowhere", stdin=mail(game)).code == 4


@pytest.mark.parametrize(
    ("name", "saved"),
    [
        ("../../etc/passwd", "passwd.yaml"),
        ("..\\..\\boot.yaml", "boot.yaml"),
        (".bashrc", "bashrc.yaml"),
        ("-rf.yaml", "rf.yaml"),
        ("a\x1b[31mb\nc.yaml", "a-[31mb c.yaml"),
        ("friday (2).yaml.txt", "friday.yaml"),
        ("CON.yaml", "game-CON.yaml"),
        ("...", "friday-night.yaml"),
        ("sem título.yml", "sem título.yml"),
        ("x" * 300 + ".yaml", "x" * 60 + ".yaml"),
        ("a:b*c?.yaml", "a-b-c-.yaml"),
    ],
)
def test_a_name_of_others_is_only_a_name(porto, tmp_path: Path, name: str, saved: str) -> None:
    game = porto_cli.new_game(["Inês", "Joana"], seed="tram", title="Friday night")
    text = game.record.text
    message = (
        "From: j@example.org\nContent-Type: application/octet-stream\nContent-Disposition: "
        f"attachment; filename*=utf-8''{''.join(f'%{byte:02x}' for byte in name.encode())}\n"
        "Content-Transfer-Encoding: 8bit\n\n"
    )
    folder = tmp_path / "deep" / "games"
    folder.mkdir(parents=True)
    done = porto("receive", "--folder", folder, stdin=(message + text).encode())
    assert done.code == 0, done.err
    assert "\x1b" not in done.out
    (path,) = folder.iterdir()
    assert path.name.startswith(saved[:3]), path.name
    assert listing(tmp_path) == {"deep"}
    assert listing(tmp_path / "deep") == {"games"}
    if len(name) < 100:
        assert path.name == saved


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_a_link_that_waits_under_the_name_is_not_followed(porto, game, tmp_path: Path) -> None:
    (tmp_path / "friday.yaml").symlink_to(tmp_path / "elsewhere.yaml")
    assert porto("receive", stdin=mail(game)).code == 0
    assert not (tmp_path / "elsewhere.yaml").exists()
    assert (tmp_path / "friday-2.yaml").exists()
    refused = porto("receive", "--into", "friday.yaml", stdin=mail(game))
    assert refused.code == 4
    assert not (tmp_path / "elsewhere.yaml").exists()


def test_own_comments_are_kept_where_the_newcomer_lacks_them(porto, game, here: Path) -> None:
    noted = game.record.text.replace("turns:\n", "turns:\n# call Rui about this\n")
    here.write_text(noted, "utf-8")
    done = porto("receive", stdin=mail(play_on(game, 1)))
    assert done.code == 0
    assert "call Rui about this" in done.out
    assert here.read_text("utf-8") == play_on(game, 1).record.text
    assert (here.parent / "friday.yaml.~1~").read_text("utf-8") == noted
    # What is kept is no second copy of the game.
    assert porto("receive", stdin=mail(play_on(game, 2))).code == 0
    assert listing(here.parent) == {"friday.yaml", "friday.yaml.~1~"}


def test_line_ends_and_byte_order_marks(porto, game: Match, here: Path) -> None:
    here.write_bytes(game.record.text.replace("\n", "\r\n").encode())
    assert porto("receive", stdin=mail("\ufeff" + play_on(game, 1).record.text)).code == 0
    text = here.read_bytes().decode()
    assert text == play_on(game, 1).record.text.replace("\n", "\r\n")


def test_two_copies_of_a_game_are_distinguished_by_who_asks(porto, game, here: Path) -> None:
    shutil.copy(here, here.parent / "copy.yaml")
    done = porto("receive", stdin=mail(play_on(game, 1)))
    assert done.code == 1
    assert "copy.yaml" in done.err
    assert "friday.yaml" in done.err
    assert porto("receive", "--into", "copy", stdin=mail(play_on(game, 1))).code == 0
    assert (here.parent / "copy.yaml").read_text("utf-8") == play_on(game, 1).record.text
    assert here.read_text("utf-8") == game.record.text


def test_a_dry_run_writes_nothing(porto, game: Match, here: Path) -> None:
    done = porto("receive", "-n", stdin=mail(play_on(game, 2)))
    assert done.code == 0
    assert "has 2 new turns" in done.out
    assert "nothing is written" in done.err
    fork = porto("receive", "-n", stdin=mail(play_on(game, 2, nth=1)))
    assert fork.code == 0
    other = porto_cli.new_game(["Zé", "Ana"], seed="boat")
    assert "is saved" in porto("receive", "-n", stdin=mail(other)).out
    here.write_text(play_on(game, 1).record.text, "utf-8")
    assert "was not changed" in porto("receive", "-n", stdin=mail(play_on(game, 1, nth=1))).err
    assert listing(here.parent) == {"friday.yaml"}


def test_quiet_says_only_what_is_wrong(porto, game: Match, here: Path) -> None:
    done = porto("receive", "-q", stdin=mail(play_on(game, 2)))
    assert (done.code, done.out, done.err) == (0, "", "")
    assert porto("receive", "-q", stdin=mail(game)).err


@pytest.mark.long_for("puerto-rico")
def test_as_data(porto, game: Match, here: Path) -> None:
    done = porto("receive", "--format", "json", stdin=mail(play_on(game, 2)))
    (one,) = validated("receive", done.out)["messages"]
    assert one["result"] == "continues"
    assert one["file"] == "friday.yaml"
    assert one["new_turns"] == 2
    assert one["fingerprint"] == play_on(game, 2).fingerprint
    fork = porto("receive", "--format", "json", stdin=mail(play_on(game, 2, nth=1)))
    assert fork.code == 1
    (one,) = validated("receive", fork.out)["messages"]
    assert one["result"] == "fork"
    assert one["kept"] == "friday-conflict.yaml"
    assert set(one["fork"]) == {"turn", "here", "there"}
    nothing = porto("receive", "--format", "json", stdin=b"From: a\nSubject: b\n\nhello\n")
    assert nothing.code == 1
    assert validated("receive", nothing.out)["messages"][0]["result"] == "nothing"


def test_a_file_changed_by_another_program_is_not_overwritten(
    porto, game, here, monkeypatch
) -> None:
    mine = play_on(game, 1, nth=1).record.text

    def late(path: Path, text: str, was: str, real=files.replace):
        path.write_text(mine, "utf-8")
        return real(path, text, was)

    monkeypatch.setattr(files, "replace", late)
    done = porto("receive", stdin=mail(play_on(game, 1)))
    assert done.code == 4
    assert "changed by another program" in done.err
    assert here.read_text("utf-8") == mine


@pytest.mark.skipif(sys.platform == "win32" or os.getuid() == 0, reason="the superuser may write")
def test_a_protected_copy_stays(porto, game: Match, here: Path) -> None:
    here.chmod(0o444)
    assert porto("receive", stdin=mail(play_on(game, 1))).code == 4
    assert here.read_text("utf-8") == game.record.text


def test_a_damaged_copy_that_is_named_stays(porto, game: Match, here: Path) -> None:
    here.write_text(game.record.text + "rubbish\n", "utf-8")
    done = porto("receive", "--into", "friday.yaml", stdin=mail(play_on(game, 1)))
    assert done.code == 3
    assert here.read_text("utf-8").endswith("rubbish\n")


@pytest.mark.parametrize(
    ("data", "code", "said"),
    [
        (b"", 1, "No record"),
        (b"From: a@example.org\nSubject: hi\n\nsee you\n", 1, "No record"),
        (mail("porto: 1\nplayers: [A]\n"), 3, "ask for the record as an attachment"),
    ],
    ids=["nothing", "hello", "invalid"],
)
def test_messages_without_a_game(porto, data: bytes, code: int, said: str) -> None:
    done = porto("receive", "-", stdin=data)
    assert done.code == code
    assert said in done.err
    assert listing(Path()) == set()


@pytest.mark.parametrize(
    ("old", "new", "how"),
    [
        ("porto: 1", "porto: 2", "Update porto"),
        ("rules: 1", "rules: 7", "Update porto"),
        ("rules: 1", "game: chess\nrules: 1", "install the package that adds this game"),
        (
            "secrecy: open",
            "secrecy: open\nbots: {Joana: level-99}\nbots-version: 1",
            "install the package that adds this player",
        ),
    ],
)
def test_a_record_of_a_newer_porto_asks_for_an_update_and_loses_nothing(
    porto, here: Path, old: str, new: str, how: str
) -> None:
    """Who is asked for it as an attachment sends the same record again."""
    text = porto_cli.new_game(PLAYERS["porto"], seed="tram").record.text
    assert old in text
    newer, before = text.replace(old, new, 1), here.read_text("utf-8")
    quoted = "".join(f"> {line}\n" for line in newer.splitlines())
    for data in (mail(newer), newer.encode(), mail(text=quoted)):
        done = porto("receive", stdin=data)
        assert done.code == 3
        assert how in done.err
        assert "can receive it again" in done.err
        assert "attachment" not in done.err
    assert here.read_text("utf-8") == before
    assert listing(Path()) == {"friday.yaml"}


def test_no_update_is_proposed_for_a_scenario(porto) -> None:
    scenario = next((ROOT / "scenarios").rglob("*.yaml")).read_text("utf-8")
    done = porto("receive", stdin=mail(scenario))
    assert done.code == 3
    assert "This file is a scenario, not a record; 'porto scenario' runs it." in done.err
    assert "Nothing was changed." in done.err
    assert "receive it again" not in done.err


@pytest.mark.parametrize(("old", "new"), [("porto: 1", "porto: 2"), ("rules: 1", "rules: 7")])
def test_every_command_says_how_to_update(porto, old: str, new: str) -> None:
    text = porto_cli.new_game(PLAYERS["porto"], seed="tram").record.text.replace(old, new, 1)
    Path("newer.yaml").write_text(text, "utf-8")
    for command in ("show", "verify", "mail", "log"):
        done = porto(command, "newer.yaml")
        assert done.code == 3
        assert "a newer porto is needed. Nothing is lost. Update porto" in done.err
    assert Path("newer.yaml").read_text("utf-8") == text


@pytest.mark.long
def test_a_huge_message_without_a_game(porto) -> None:
    done = porto("receive", stdin=mail("porto: 1\nseed: x\n" + "# filling\n" * 850_000))
    assert done.code == 1
    assert "larger than 8 MiB" in done.err
    assert listing(Path()) == set()


def test_no_message(porto, tmp_path: Path) -> None:
    assert porto("receive", "nothing.eml").code == 4
    assert "porto receive -" in porto("receive", "nothing.eml").err


# -- Many messages


def versions(game: Match) -> list[Match]:
    return [play_on(game, turns) for turns in range(4)]


def dated(game: Match) -> list[bytes]:
    return [
        mail(match, date=f"Sun, 0{nth + 1} Mar 2026 10:00:00 +0000")
        for nth, match in enumerate(versions(game))
    ]


def as_maildir(folder: Path, messages: list[bytes]) -> Path:
    import mailbox

    box = mailbox.Maildir(folder, create=True)
    for message in messages:
        box.add(message)
    return folder


def as_mbox(path: Path, messages: list[bytes]) -> Path:
    import mailbox

    box = mailbox.mbox(path)
    for message in messages:
        box.add(message)
    box.close()
    return path


def as_files(folder: Path, messages: list[bytes]) -> Path:
    folder.mkdir()
    for nth, message in enumerate(messages):
        (folder / f"{nth}.eml").write_bytes(message)
    return folder


@pytest.mark.long_for("porto-as_maildir")
@pytest.mark.parametrize("kind", [as_maildir, as_mbox, as_files])
def test_a_mailbox_is_received_in_order_and_again_without_harm(
    porto, game: Match, tmp_path: Path, kind
) -> None:
    first, *others = dated(game)
    hello = b"From: a@example.org\nSubject: porto: 1 p.m.?\n\nFriday?\n"
    source = kind(tmp_path / "mail", [*reversed(others), hello, first])
    before = {path: path.read_bytes() for path in source.rglob("*") if path.is_file()}
    (tmp_path / "games").mkdir()
    done = porto("receive", source, "--folder", "games")
    assert done.code == 0, done.err
    (path,) = (tmp_path / "games").iterdir()
    assert path.read_text("utf-8") == versions(game)[-1].record.text
    again = porto("receive", source, "--folder", "games")
    assert again.code == 0
    assert "4 messages were skipped: your games already have what is in them." in again.out
    assert {path: path.read_bytes() for path in source.rglob("*") if path.is_file()} == before


def test_an_mbox_through_a_pipe(porto, game: Match, tmp_path: Path) -> None:
    data = as_mbox(tmp_path / "mbox", dated(game)).read_bytes()
    (tmp_path / "games").mkdir()
    assert porto("receive", "-", "--folder", "games", stdin=data).code == 0
    (path,) = (tmp_path / "games").iterdir()
    assert path.read_text("utf-8") == versions(game)[-1].record.text


def test_a_fork_in_a_mailbox_does_not_stop_the_others(porto, game, here, tmp_path) -> None:
    mine = play_on(game, 1)
    here.write_text(mine.record.text, "utf-8")
    other = porto_cli.new_game(["Zé", "Ana"], seed="boat")
    source = as_files(tmp_path / "mail", [mail(play_on(game, 1, nth=1)), mail(other, name="z")])
    done = porto("receive", source)
    assert done.code == 1
    assert listing(tmp_path) == {"mail", "friday.yaml", "friday-conflict.yaml", "z.yaml"}


def test_two_games_in_one_message(porto, tmp_path: Path) -> None:
    games = [porto_cli.new_game(["Zé", "Ana"], seed=seed) for seed in ("boat", "tram")]
    done = porto("receive", "--format", "json", stdin=mail(*games))
    assert [one["file"] for one in json.loads(done.out)["messages"]] == [
        "friday.yaml",
        "friday-2.yaml",
    ]


# -- A record that is not what its message says


def cut(match: Match, *, subject: str = "", own_id: str = "") -> bytes:
    """Return a message with another head, in which a record lacks its last turn."""
    lines = match.record.text.splitlines(keepends=True)
    shorter = "".join(lines[: max(n for n in range(len(lines)) if lines[n].startswith("- "))])
    found = mail(shorter).replace(b"Subject: Porto\n", f"Subject: {subject}\n".encode())
    return (f"Message-ID: {own_id}\n".encode() if own_id else b"") + found


@pytest.mark.parametrize("by", ["id", "subject"])
def test_a_record_that_is_cut_off_is_received_with_a_warning(porto, game, here, by: str) -> None:
    new = play_on(game, 3)
    own_id = message_id(new.replay) if by == "id" else ""
    subject = f"Fwd: Porto: Rui is to move [{new.fingerprint}]" if by == "subject" else "Porto"
    message = cut(new, subject=subject, own_id=own_id)
    done = porto("receive", stdin=message)
    assert done.code == 1
    assert f"According to the message its game is at [{new.fingerprint}]" in done.err
    assert "Ask for the message again" in done.err
    assert len(porto_cli.load(here).replay.steps) > len(game.replay.steps)
    again = porto("receive", stdin=message)
    assert (again.code, "Ask for the message again" in again.err) == (1, True)
    # When the whole record has come, there is nothing to be said of the first message.
    porto("receive", stdin=mail(new))
    done = porto("receive", as_files(here.parent / "mails", [message]))
    assert (done.code, done.err) == (0, "")


def test_a_newer_record_than_the_subject_says_is_as_good_as_any(porto, game, here) -> None:
    new = play_on(game, 2)
    message = mail(new).replace(
        b"Subject: Porto\n", f"Subject: Re: Porto [{game.fingerprint}]\n".encode()
    )
    assert porto("receive", stdin=message).code == 0


def test_a_new_game_in_an_answer_to_another_one_is_no_older_record(porto, tmp_path: Path) -> None:
    other = porto_cli.new_game(["Zé", "Ana"], seed="boat")
    message = mail(other).replace(b"Subject: Porto\n", b"Subject: Re: Porto [0a1b2c3d]\n")
    assert porto("receive", stdin=message).code == 0
