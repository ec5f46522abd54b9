"""What ``porto mail`` writes: a message that any mail program can read, file and answer."""

from __future__ import annotations

import os
import re
import shlex
import shutil
from email.message import EmailMessage
from functools import cache
from html.parser import HTMLParser
from operator import itemgetter
from pathlib import Path

import pytest

import porto_cli
from porto_cli.games.puerto_rico.engine import GOODS, ROLES
from porto_cli.games.puerto_rico.engine.state import NOBODY
from porto_cli.mail import ids as threads
from porto_cli.mail.letter import Letter, letter
from porto_cli.match.match import new_game
from porto_cli.match.replay import Replay
from porto_cli.pages import table_html
from porto_cli.paper import Items, Paragraph, TypedLines, described
from porto_cli.term import cells
from tests.mails import (
    PLAYED,
    WHOLE,
    beginning,
    begun,
    html_of,
    mail_of,
    mail_to,
    message_id,
    message_of,
    plain_text,
)
from tests.pages import Page, contrast
from tests.shares import one_in
from tests.tables import table_at

TABLE = (
    *("--secrecy", "table", "--cards", "red-2,blue-1,red-1,yellow-3,red-1"),
    *("--tokens", "L3=1,L4=2,L5=1,L6=4,L7=3,R1=1,R2=2,R3=1,R4=3,R5=2"),
    *("--contracts", "blue+red,2-green-floors,red-house,1-red-floor"),
)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("PORTO_HOME", str(home))
    (home / "config.yaml").write_text("mail: {from: Inês <ines@example.org>}\n", "utf-8")
    (home / "addresses.yaml").write_text(
        "Inês: ines@example.org\nJoana: joana@example.org\nRui: rui@example.org\n"
        "Zé: ze@example.org\n",
        "utf-8",
    )
    return home


def written(porto, *args: str) -> EmailMessage:
    done = porto("mail", *args)
    assert done.code == 0, done.err
    return message_of(done.out)


def cut_to(path: Path, game: str, items: int) -> porto_cli.Match:
    return table_at(PLAYED[game], items, path)


# -- The head


def test_it_goes_from_who_has_moved_to_who_is_next(porto, home: Path, tmp_path: Path) -> None:
    match = begun(tmp_path / "friday.yaml", "Inês", "Joana", "Rui")
    mail = written(porto, "friday.yaml")
    assert mail["From"] == "Inês <ines@example.org>"
    assert mail["To"] == "Joana <joana@example.org>"
    assert mail["Cc"] is None
    code = match.fingerprint
    assert mail["Subject"] == f"Porto, Friday night: Joana is to move, round 1, turn 2 [{code}]"
    assert f"Fingerprint {code}: everyone with the same table" in plain_text(mail)
    assert plain_text(mail).count("Fingerprint") == 1
    assert "\u25b8 marks the player to move" in plain_text(mail)
    assert threads.read_message_ids(mail["Message-ID"]) == [threads.named(match.replay)]
    assert mail["References"] == mail["In-Reply-To"] == message_id(match.replay, 0)
    assert mail["Date"].datetime.tzinfo is not None


@pytest.mark.long
@pytest.mark.parametrize(
    "words", [["--private"], ["--page"], ["--no-html"], ["--say", "Hurry"], ["--to", "Rui"]]
)
def test_a_mail_that_says_something_else_of_the_same_table_is_another_one(
    porto, home: Path, tmp_path: Path, words: list[str]
) -> None:
    """Mail programs and filters show one id once."""
    match = begun(tmp_path / "friday.yaml", "Inês", "Joana", "Rui")
    usual, again, other = (written(porto, "friday.yaml", *some) for some in ([], [], words))
    assert usual["Message-ID"] == again["Message-ID"] != other["Message-ID"]
    assert usual["References"] == other["References"]
    table = threads.named(match.replay)
    assert threads.read_message_ids(other["Message-ID"]) == [table]


def test_a_page_is_announced_in_the_mail_that_carries_it(porto, home: Path, tmp_path) -> None:
    begun(tmp_path / "friday.yaml", "Inês", "Joana", "Rui")
    without = written(porto, "friday.yaml", "--private")
    with_page = written(porto, "friday.yaml", "--private", "--page")
    names = [part.get_filename() for part in with_page.iter_attachments()]
    assert names == ["friday.yaml", "friday-open-to-move.html"]
    for part in (plain_text, html_of):
        text = " ".join(part(with_page).split())
        assert "open the attached friday-open-to-move.html in a browser; then send Inês" in text
        assert "open-to-move" not in part(without)


def test_a_page_without_moves_is_announced_too(porto, home: Path, tmp_path: Path) -> None:
    begun(tmp_path / "friday.yaml", "Inês", "Joana", "Rui")
    mail = written(porto, "friday.yaml", "--page", "--to", "Rui")
    _, page = mail.iter_attachments()
    assert (page.get_filename(), page.get_content_charset()) == ("friday-table.html", "utf-8")
    assert "<svg" in page.get_content()
    assert "The attached friday-table.html shows the table" in " ".join(plain_text(mail).split())


@pytest.mark.long_for("porto-Neighbors")
@pytest.mark.parametrize(("game", "rule"), [("porto", "Neighbors"), ("puerto-rico", "settler")])
def test_the_rules_go_to_who_has_no_program_until_the_first_move(
    porto, home: Path, game: str, rule: str
) -> None:
    porto("address", "Joana", "joana@example.org", "--no-program")
    porto("new", "friday.yaml", "Joana", "Inês", "Rui", "--game", game, "--first", "Joana")
    mail = written(porto, "friday.yaml", "--as", "Inês")
    sheet = list(mail.iter_attachments())[1]
    assert sheet.get_filename() == f"{game}-rules.html"
    assert rule in sheet.get_content()
    assert f"the attached {game}-rules.html has the rules" in " ".join(plain_text(mail).split())
    match = porto_cli.load("friday.yaml")
    while len(match.record.items) < 9 or match.to_move() != ["Joana"]:
        seat = match.game.to_move(match.state)[0]
        match.play(match.legal_moves(seat)[0], player=seat)
    match.save()
    later = written(porto, "friday.yaml", "--as", "Inês")
    assert len(list(later.iter_attachments())) == 1
    assert "rules.html" not in plain_text(later)


@pytest.mark.long
def test_who_has_no_program_gets_another_mail_than_before(porto, home: Path, tmp_path) -> None:
    begun(tmp_path / "friday.yaml", "Inês", "Joana", "Rui")
    before = written(porto, "friday.yaml")
    porto("address", "Joana", "joana@example.org", "--no-program")
    assert written(porto, "friday.yaml")["Message-ID"] != before["Message-ID"]


def test_the_wire_has_short_lines_of_ascii(porto, home: Path, tmp_path: Path) -> None:
    """RFC 5322: lines end with CRLF and have 998 characters at most; shorter ones stay whole."""
    begun(tmp_path / "jogo da Inês.yaml", "Inês", "João Gonçalves", title="Ł" * 900)
    text = porto("mail", "jogo da Inês.yaml", "--to", "joao@exämple.org").out
    assert text.isascii()
    assert text.count("\n") == text.count("\r\n")
    lines = text.split("\r\n")
    assert max(map(len, lines)) <= 78
    mail = message_of(text)
    assert mail["To"] == "joao@xn--exmple-cua.org"
    assert "João Gonçalves is to move" in mail["Subject"]
    assert len(mail["Subject"]) < 160
    (record,) = mail.iter_attachments()
    assert record.get_filename() == "jogo da Inês.yaml"


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_the_record_arrives_byte_for_byte(porto, home: Path, tmp_path: Path, end: str) -> None:
    """RFC 9512; whatever the letters, the line ends, blanks at the end and long lines."""
    match = begun(tmp_path / "friday.yaml", "Inês", "Joana")
    comment = "# =41 From here:   " + "ł" * 1200 + "\nFrom: \n"
    text = match.record.text.replace("\n", f"  # =20 {'x' * 200} \n", 1)
    data = (comment.replace("From: \n", "") + text).replace("\n", end).encode()
    (tmp_path / "friday.yaml").write_bytes(data)
    mail = written(porto, "friday.yaml")
    (record,) = mail.iter_attachments()
    assert record.get_content_type() == "application/yaml"
    assert record.get_filename() == "friday.yaml"
    assert record["Content-Transfer-Encoding"] == "base64"
    assert record.get_payload(decode=True) == data


def test_copies_go_to_all_others(porto, home: Path, tmp_path: Path) -> None:
    begun(tmp_path / "friday.yaml", "Inês", "Joana", "Rui", "Zé")
    mail = written(porto, "friday.yaml", "--cc")
    assert mail["To"] == "Joana <joana@example.org>"
    assert mail["Cc"] == "Rui <rui@example.org>, Zé <ze@example.org>"


def test_a_player_or_an_address_can_be_named(porto, home: Path, tmp_path: Path) -> None:
    begun(tmp_path / "friday.yaml", "Inês", "Joana", "Rui")
    mail = written(porto, "friday.yaml", "--to", "Rui")
    assert mail["To"] == "Rui <rui@example.org>"
    assert "Rui, this is the state of the game; Joana is to move." in plain_text(mail)
    mail = written(porto, "friday.yaml", "--to", "joana@elsewhere.example")
    assert mail["To"] == "joana@elsewhere.example"
    assert "Joana, it is your turn." in plain_text(mail)
    assert porto("mail", "friday.yaml", "--to", "Zé").code == 2
    bad = porto("mail", "friday.yaml", "--to", "joana@example.org\nBcc: eve@example.org")
    assert bad.code == 2
    assert "is not an e-mail address" in bad.err
    assert bad.out == ""


def test_without_an_address_the_head_is_filled_in_by_a_mail_program(porto, home, tmp_path) -> None:
    begun(tmp_path / "friday.yaml", "Inês", "Eva")
    done = porto("mail", "friday.yaml")
    assert done.code == 0
    assert message_of(done.out)["To"] is None
    assert (
        "No e-mail address is stored for Eva. Store it for all games with 'porto address Eva "
        "ADDRESS', or name it for this mail with '--to name@example.org'." in done.err
    )


def test_nobody_is_written_to_about_their_own_turn(porto, home: Path, tmp_path: Path) -> None:
    begun(tmp_path / "friday.yaml", "Inês", "Joana")
    done = porto("mail", "friday.yaml", "--as", "Joana")
    assert (done.code, done.out) == (1, "")
    assert "It is Joana's turn, and this mail would come from Joana" in done.err
    assert written(porto, "friday.yaml", "--as", "Joana", "--to", "Joana")["To"]


def test_who_writes_before_the_end_of_their_own_turn_is_told_so(porto, home, tmp_path) -> None:
    begun(tmp_path / "friday.yaml", "Inês", "Joana")
    done = porto("mail", "friday.yaml", "--as", "Joana", "--to", "Inês")
    assert "It is still Joana's turn; until it is over, Inês can only look on." in done.err
    assert porto("mail", "friday.yaml", "--as", "Inês", "--to", "Joana").err == ""


def test_names_and_titles_cannot_add_lines_to_the_head(porto, home: Path, tmp_path: Path) -> None:
    title = "Friday\nBcc: eve@example.org\n\nHello"
    match = new_game(["Inês", 'Jo", <eve@example.org>'], seed="tram", first="Inês", title=title)
    match.save(tmp_path / "friday.yaml")
    mail = written(porto, "friday.yaml", "--as", "Inês", "--to", "joana@example.org")
    assert mail["Bcc"] is None
    assert [one.addr_spec for one in mail["To"].addresses] == ["joana@example.org"]
    assert "Friday Bcc: eve@example.org Hello" in mail["Subject"]
    assert porto("address", match.players[1], "joana@example.org").code == 0
    mail = written(porto, "friday.yaml", "--to", match.players[1])
    assert [one.addr_spec for one in mail["To"].addresses] == ["joana@example.org"]
    assert mail["To"].addresses[0].display_name == match.players[1]


# -- The text


@pytest.mark.long
def test_it_begins_with_whose_turn_it_is(porto, home: Path, tmp_path: Path) -> None:
    """For ever: by that line programs find where a mail begins that is quoted in an answer."""
    begun(tmp_path / "friday.yaml", "Inês", "Joana", "Rui")
    for words in ((), ("--private",), ("--say", "Have fun!")):
        text = plain_text(written(porto, "friday.yaml", *words))
        assert text.startswith("Joana, it is your turn.\n\n")


@pytest.mark.long_for(
    "porto-0---program",
    "porto-31---no-program",
    "puerto-rico-90---program",
    "porto-31---program",
    "puerto-rico-90---no-program",
)
@pytest.mark.parametrize("program", ["--program", "--no-program"])
@pytest.mark.parametrize(("game", "items"), [("porto", 0), ("porto", 31), ("puerto-rico", 90)])
def test_a_letter_follows_from_the_record_and_its_reader(
    porto, home: Path, tmp_path: Path, monkeypatch, game: str, items: int, program: str
) -> None:
    """Wherever, whenever and with whatever settings its writer sends it."""
    match = cut_to(tmp_path / "game.yaml", game, items)
    (reader,) = match.to_move()
    sender = next(name for name in match.players if name != reader)
    porto("address", reader, "reader@example.org", program)
    here = written(porto, "game.yaml", "--as", sender)

    elsewhere = tmp_path / "elsewhere"
    (elsewhere / "home").mkdir(parents=True)
    (elsewhere / "home" / "config.yaml").write_text(
        f"me: {reader}\ncolor: always\nplain: true\nmail: {{from: {sender} <ines@example.org>}}\n",
        "utf-8",
    )
    shutil.copy(tmp_path / "game.yaml", elsewhere / "game.yaml")
    days_ago = (tmp_path / "game.yaml").stat().st_mtime - 3 * 86400
    os.utime(elsewhere / "game.yaml", (days_ago, days_ago))
    for name, value in {"PORTO_HOME": str(elsewhere / "home"), **OTHER_COMPUTER}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(elsewhere)
    porto("address", reader, "somewhere@example.com", program)
    there = written(porto, "game.yaml", "--as", sender)

    for part in (plain_text, html_of, itemgetter("Subject"), itemgetter("Message-ID")):
        assert part(there) == part(here)


OTHER_COMPUTER = {"TZ": "Asia/Tokyo", "LANG": "C", "COLUMNS": "40", "NO_COLOR": "1", "TERM": "dumb"}


@pytest.mark.parametrize(("game", "items"), [("porto", 0), ("porto", 31), ("puerto-rico", 90)])
def test_no_line_is_longer_than_a_narrow_reader_but_commands(
    porto, home: Path, tmp_path: Path, game: str, items: int
) -> None:
    match = cut_to(tmp_path / "game.yaml", game, items)
    sender = next(name for name in match.players if name not in match.to_move())
    text = plain_text(written(porto, "game.yaml", "--as", sender))
    long = [line for line in text.splitlines() if cells(line) > 60]
    assert all(line.startswith("    ") for line in long)
    assert "\x1b" not in text


@pytest.mark.long_for("puerto-rico-90")
@pytest.mark.parametrize(("game", "items"), [("porto", 31), ("puerto-rico", 90)])
def test_every_command_in_it_works_with_the_attached_file(
    porto, home: Path, tmp_path: Path, game: str, items: int
) -> None:
    match = cut_to(tmp_path / "a game.yaml", game, items)
    sender = next(name for name in match.players if name not in match.to_move())
    mail = written(porto, "a game.yaml", "--as", sender)
    (record,) = mail.iter_attachments()
    text = plain_text(mail)
    lines = re.findall(r"^    porto (.*)$", text, re.MULTILINE)
    assert len(lines) > 4
    for line in lines:
        words = shlex.split(line)
        (tmp_path / record.get_filename()).write_bytes(record.get_payload(decode=True))
        if words[0] == "play":
            assert words[-1] == match.to_move()[0]
        elif words[0] == "mail":
            assert words == ["mail", record.get_filename()]
        else:
            assert porto(*words).code == 0, line


def test_a_name_that_looks_like_a_command_stays_whole(porto, home: Path, tmp_path: Path) -> None:
    name = "Rui: porto b"
    new_game(["Inês", name], seed="tram", first=name).save(tmp_path / "friday.yaml")
    text = plain_text(written(porto, "friday.yaml", "--as", "Inês"))
    keeps = next(line for line in text.splitlines() if line.startswith("    porto keep "))
    assert shlex.split(keeps)[-2:] == ["--as", name]


@pytest.mark.parametrize(("game", "items"), [("porto", 31), ("puerto-rico", 90)])
def test_who_has_no_program_can_answer_with_a_line(
    porto, home: Path, tmp_path: Path, game: str, items: int
) -> None:
    match = cut_to(tmp_path / "game.yaml", game, items)
    sender = next(name for name in match.players if name not in match.to_move())
    text = plain_text(written(porto, "game.yaml", "--as", sender))
    moves = in_words(text, match)
    assert f"{sender} will play it for you" in " ".join(text.split())
    assert moves
    assert not any(match.check(move) for move in moves)


def in_words(text: str, match: porto_cli.Match) -> list[str]:
    """Return the moves that a mail tells to answer with."""
    verbs = "|".join(match.game.meta.verbs)
    return re.findall(rf"^    ((?:{verbs})\b.*)$", text, re.MULTILINE)


def test_nobody_is_asked_to_choose_in_a_line_what_the_mail_does_not_show(
    porto, home: Path, tmp_path: Path
) -> None:
    match = cut_to(tmp_path / "game.yaml", "porto", 0)
    sender = next(name for name in match.players if name not in match.to_move())
    text = plain_text(written(porto, "game.yaml", "--as", sender))
    assert "porto keep game.yaml 1 2 3" in text
    assert "without the program" not in text


def test_on_a_real_table_a_line_does_not_say_what_came_up(porto, home, tmp_path) -> None:
    assert porto("new", "game.yaml", "Ana", "Joana", *TABLE, "--first", "Ana").code == 0
    assert "without the program" not in plain_text(written(porto, "game.yaml", "--as", "Joana"))


def test_it_tells_what_happened_since_the_readers_last_turn(porto, home, tmp_path) -> None:
    match = cut_to(tmp_path / "game.yaml", "porto", 31)
    (reader,) = match.to_move()
    text = plain_text(written(porto, "game.yaml"))
    news = re.findall(r"^- (\w+)", text, re.MULTILINE)
    assert news == [match.players[step.seat] for step in match.replay.turns()[-2:]]
    assert reader not in news


def test_what_was_taken_back_is_not_told(porto, home: Path, tmp_path: Path) -> None:
    match = begun(tmp_path / "friday.yaml", "Inês", "Joana", "Rui")
    match.play("keep 1 2 3", player="Joana")
    first, second, *_ = match.observe("Joana")["moves"]
    match.play(first["move"])
    match.undo("Joana")
    match.play(second["move"])
    match.save()
    text = plain_text(written(porto, "friday.yaml"))
    news = re.findall(r"^- (\w+ \w+)", text, re.MULTILINE)
    assert news == ["Inês chose", "Inês drew", "Joana chose", "Joana drew"]


@pytest.mark.long
def test_a_finished_game_goes_to_all_with_the_result(porto, home: Path, tmp_path: Path) -> None:
    for game in WHOLE:
        match = porto_cli.load(WHOLE[game])
        match.save(tmp_path / f"{game}.yaml")
        done = porto("mail", f"{game}.yaml", "--as", match.players[0])
        mail = message_of(done.out)
        assert "the game is over" in mail["Subject"]
        for name in match.players[1:]:
            assert name.lower() in f"{mail['To']}{done.err}".lower()
        text = plain_text(mail)
        winner = match.record.items[-1].entries[0][1].partition(":")[0].strip("{")
        assert f"The game is over: {winner} wins" in text
        scores = [line.split() for line in porto("score", f"{game}.yaml").out.splitlines()]
        reckoning = next(words for words in scores if words[0:1] in (["1."], ["buildings"]))
        assert [line.split() for line in text.splitlines()].count(reckoning) == 1
        assert "it is your turn" not in text
        assert "porto score" not in text
        assert f"porto log {game}.yaml" in text
        # One of them cannot type a command, and needs none.
        porto("address", match.players[-1], "last@example.org", "--no-program")
        text = plain_text(message_of(porto("mail", f"{game}.yaml", "--as", match.players[0]).out))
        assert f"The game is over: {winner} wins" in text
        assert "porto log" not in text
        porto("address", match.players[-1], "--remove")


def test_all_who_can_move_are_named(porto, home: Path, tmp_path: Path) -> None:
    """At the end of a game with real cards all reveal their private contracts, in any order."""
    whole = porto_cli.load(WHOLE["porto"].with_name("real-table.yaml")).record
    reveals = [nth for nth, one in enumerate(whole.items) if "keep" in one.entries[0][1]]
    lines = whole.text.splitlines(keepends=True)
    cut = "".join(lines[: whole.place(reveals[0]).line - 1])
    (tmp_path / "game.yaml").write_text(cut, "utf-8")
    now = porto_cli.load(tmp_path / "game.yaml")
    assert len(now.to_move()) > 1
    for name in now.players:
        porto("address", name, f"{len(name)}{ord(name[0])}@example.org")
    mail = written(porto, "game.yaml", "--as", now.players[0], *_to(now.to_move()))
    assert len(mail["To"].addresses) == len(now.to_move())
    assert all(name in mail["Subject"] for name in now.to_move())
    assert "it is your turn, in any order" in " ".join(plain_text(mail).split())
    assert all(f"--as {name}" in plain_text(mail) for name in now.to_move())


def _to(names: list[str]) -> list[str]:
    return [word for name in names for word in ("--to", name)]


# -- What only its reader may know


def secrets(match: porto_cli.Match, seat: int) -> set[str]:
    """Return what somebody would read in a table that shows a seat's private contracts."""
    return {*(match.observe(seat)["players"][seat]["private"] or ())} - {"side", "palette"}


@pytest.mark.parametrize("items", [0, 2, 31])
def test_no_secret_of_anybody_is_in_a_mail(porto, home, tmp_path, items: int) -> None:
    match = cut_to(tmp_path / "game.yaml", "porto", items)
    sender = next(name for name in match.players if name not in match.to_move())
    mail = written(porto, "game.yaml", "--as", sender, "--cc")
    (reader,) = match.to_move()
    result = plain_text(mail) + html_of(mail)
    assert any(secrets(match, seat) for seat in range(3))
    for seat in range(3):
        assert not {name for name in secrets(match, seat) if name in result}
    flowing = " ".join(plain_text(mail).split())
    assert "This mail leaves out what only you may see" in flowing
    assert f"porto show game.yaml --as {reader}" in result
    assert f"in your mails, with: porto address {reader} --no-program" in flowing


@pytest.mark.parametrize("items", [0, 31])
def test_the_readers_own_secrets_are_there_if_asked_for_and_it_says_why(
    porto, home, tmp_path, items: int
) -> None:
    match = cut_to(tmp_path / "game.yaml", "porto", items)
    sender = next(name for name in match.players if name not in match.to_move())
    mail = written(porto, "game.yaml", "--as", sender, "--private")
    (reader,) = match.to_move()
    own = secrets(match, match.seat(reader))
    for text in (plain_text(mail), html_of(mail)):
        assert {name for name in own if name in text} == own
        for seat in range(3):
            others = secrets(match, seat) - own if seat != match.seat(reader) else set()
            assert not {name for name in others if name in text}
        assert f"because {sender} asked" in " ".join(text.split())
    first, *_ = in_words(plain_text(mail), match)[0].split("; ")
    assert not match.check(first, reader)


def test_what_only_one_may_know_goes_to_one(porto, home: Path, tmp_path: Path) -> None:
    begun(tmp_path / "friday.yaml", "Inês", "Joana", "Rui")
    for args in (("--cc",), ("--to", "Joana", "--to", "Rui"), ("--to", "a@b.c", "--to", "d@b.c")):
        done = porto("mail", "friday.yaml", "--private", *args)
        assert (done.code, done.out) == (2, "")


@pytest.mark.long
def test_vp_chips_are_nobodys_business(porto, home: Path, tmp_path: Path) -> None:
    """PR-SECRET-1."""
    match = cut_to(tmp_path / "game.yaml", "puerto-rico", 200)
    sender = next(name for name in match.players if name not in match.to_move())
    html = html_of(written(porto, "game.yaml", "--as", sender))
    known = re.compile(r"doubloons?\W+\d+ VP")
    assert not known.findall(" ".join(Words(html).found))
    html = html_of(written(porto, "game.yaml", "--as", sender, "--private"))
    assert len(known.findall(" ".join(Words(html).found))) == 1


# -- Where it goes


def test_it_is_saved_for_a_mail_program_to_open_and_send(porto, home, tmp_path) -> None:
    begun(tmp_path / "friday.yaml", "Inês", "Joana")
    done = porto("mail", "friday.yaml", "--output", "turn.eml")
    assert (done.code, done.out) == (0, "")
    mail = message_of((tmp_path / "turn.eml").read_bytes())
    assert mail["X-Unsent"] == "1"
    assert porto("mail", "friday.yaml", "--output", "friday.yaml").code == 4


def test_what_programs_send_is_no_draft(porto, home, tmp_path) -> None:
    """A reader's mail program would open it to be sent."""
    begun(tmp_path / "friday.yaml", "Inês", "Joana")
    assert porto("mail", "friday.yaml", "--format", "eml", "--output", "turn.eml").code == 0
    saved = message_of((tmp_path / "turn.eml").read_bytes())
    for mail in (saved, written(porto, "friday.yaml")):
        assert mail["X-Unsent"] is None


def test_it_can_be_read_before_it_is_sent(porto, home: Path, tmp_path: Path) -> None:
    begun(tmp_path / "friday.yaml", "Inês", "Joana")
    text = porto("mail", "friday.yaml", "--format", "text").out
    assert text.startswith(
        "From: Inês <ines@example.org>\nTo: Joana <joana@example.org>\nSubject: "
    )
    assert "\n\nJoana, it is your turn.\n" in text
    assert text.endswith("bytes)\n")
    shown = porto("mail", "friday.yaml", "--dry-run").out
    assert "Message-ID: <" in shown
    assert shown.endswith("Nothing was sent.\n")


def test_a_record_from_a_pipe(porto, home: Path, tmp_path: Path) -> None:
    match = begun(tmp_path / "friday.yaml", "Inês", "Joana")
    mail = message_of(porto("mail", "-", stdin=match.record.text).out)
    (record,) = mail.iter_attachments()
    assert record.get_filename() == "porto.yaml"
    assert "porto draw porto.yaml" in plain_text(mail) or "porto keep porto.yaml" in plain_text(
        mail
    )


def test_a_broken_address_book_is_told_and_nothing_is_written(porto, home, tmp_path) -> None:
    begun(tmp_path / "friday.yaml", "Inês", "Joana")
    (home / "addresses.yaml").write_text('Joana: "x@y.z\\nBcc: eve@example.org"\n', "utf-8")
    done = porto("mail", "friday.yaml")
    assert (done.code, done.out) == (3, "")
    assert "addresses.yaml:1:8" in done.err


def test_sending_needs_a_server_who_writes_and_who_reads(porto, home, tmp_path) -> None:
    begun(tmp_path / "friday.yaml", "Inês", "Joana")
    done = porto("mail", "friday.yaml", "--send")
    assert done.code == 2
    assert "No mail server is set" in done.err
    (home / "config.yaml").write_text("mail: {server: localhost}\n", "utf-8")
    assert porto("address", "Inês", "--remove").code == 0
    done = porto("mail", "friday.yaml", "--send")
    assert done.code == 2
    assert "Your own e-mail address is not set" in done.err
    (home / "config.yaml").write_text("mail: {server: localhost, from: a@b.c}\n", "utf-8")
    (home / "addresses.yaml").unlink()
    done = porto("mail", "friday.yaml", "--send")
    assert done.code == 2
    assert "porto address Joana ADDRESS" in done.err


# --- the HTML of a message --------------------------------------------------------------------


nh3 = pytest.importorskip("nh3")

TAGS = {"table", "tr", "td", "th", "p", "span", "h2", "h3", "pre", "b", "br", "div", "a"}
SHAPE = {"bgcolor", "align", "width", "cellspacing", "cellpadding", "scope"}
# https://developers.google.com/workspace/gmail/design/css; no <style>, as in mail that another
# program fetches, and in forwarded mail.
GMAIL = {
    *("color", "background-color", "border", "border-bottom", "border-left", "border-radius"),
    *("border-collapse", "font-family", "font-size", "line-height", "margin", "max-width"),
    *("padding", "table-layout", "text-align", "text-indent", "vertical-align", "white-space"),
    *("width", "display", "text-decoration"),
}
# What Word renders, in Outlook for Windows.
OUTLOOK = {
    *("color", "background-color", "border", "border-bottom", "border-left", "border-collapse"),
    *("font-family", "font-size", "line-height", "margin", "padding", "text-align"),
    *("vertical-align", "width", "text-decoration"),
}
PROGRAMS = {"gmail": GMAIL, "outlook": OUTLOOK, "none": set[str]()}

TABLES = [("porto", 0), ("porto", 31), ("porto", 999), ("puerto-rico", 90), ("puerto-rico", 999)]


@cache
def sent(game: str, items: int) -> tuple[Replay, Letter, str, str]:
    """Return a game, what the mail says, its HTML and its text."""
    last = len(beginning(game, 0).replay.record.items)
    assert not last
    if items == 999:
        from porto_cli.match.match import load

        replay = load(WHOLE[game]).replay
    else:
        replay = beginning(game, items).replay
    readers = replay.game.to_move(replay.state) or (0,)
    result = letter(replay, readers, "Ana")
    mail = mail_of(replay, result)
    return replay, result, html_of(mail), plain_text(mail)


def stripped(html: str, properties: set[str]) -> str:
    """Return the HTML as a mail program leaves it that knows these properties only."""
    attributes = {*SHAPE, *(["style"] if properties else [])}
    return str(
        nh3.clean(
            html[html.index("<body") :],
            tags=TAGS,
            attributes={**dict.fromkeys(TAGS, attributes), "a": {*attributes, "href"}},
            url_schemes={"mailto"},
            link_rel=None,
            filter_style_properties=properties,
        )
    )


class Words(HTMLParser):
    """The words of HTML, whatever is around them."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(html[html.find("<body") :] if "<body" in html else html)

    def handle_data(self, data: str) -> None:
        self.found += data.split()


@pytest.mark.parametrize(("game", "items"), TABLES)
@pytest.mark.parametrize("program", one_in(2, PROGRAMS))
def test_nothing_that_is_said_is_stripped(game: str, items: int, program: str) -> None:
    _, _, html, _ = sent(game, items)
    left = stripped(html, PROGRAMS[program])
    assert Words(left).found == Words(html).found
    assert len(Words(left).found) > 100


@pytest.mark.parametrize(("game", "items"), TABLES)
def test_gmail_keeps_the_drawing_as_it_is(game: str, items: int) -> None:
    """Every color, also as an attribute for programs that know no styles of cells."""
    _, _, html, _ = sent(game, items)
    left = stripped(html, GMAIL)
    for what in ("background-color", "bgcolor", "border-left"):
        assert left.count(what) == html[html.index("<td") :].count(what)
    page = Page(html)
    for attributes in page.all("td"):
        ground = re.search(r"background-color:([^;]*)", attributes.get("style") or "")
        assert (ground and ground[1]) == attributes.get("bgcolor")


@pytest.mark.parametrize(("game", "items"), TABLES)
def test_it_uses_nothing_that_could_be_stripped_or_blocked(game: str, items: int) -> None:
    _, _, html, _ = sent(game, items)
    page = Page(html)
    forbidden = {"style", "script", "svg", "img", "link", "iframe", "object", "form", "base"}
    assert not forbidden & {tag for tag, _ in page.tags}
    assert all(link["href"].startswith("mailto:") for link in page.all("a"))
    assert not re.search(r"url\(|data:|https?:|cid:|@media|class=|\bid=", html)
    assert len(html.encode()) < 100_000, "Gmail cuts what is larger"


@pytest.mark.parametrize(("game", "items"), TABLES)
def test_a_text_with_a_ground_of_its_own_has_a_color_of_its_own(game: str, items: int) -> None:
    """Else a program that is dark would write light letters on it."""
    _, _, html, _ = sent(game, items)
    found = 0
    for tag, attributes in Page(html).tags:
        style = attributes.get("style") or ""
        ground = re.search(r"background-color:(#\w+)", style)
        if ground:
            color = re.search(r"(?:^|;)color:(#\w+)", style)
            assert color, (tag, style)
            assert contrast(ground[1], color[1]) >= 4.5, style
            found += 1
    assert found > 10


@pytest.mark.parametrize(("game", "items"), TABLES)
def test_text_and_html_say_the_same(game: str, items: int) -> None:
    replay, result, html, text = sent(game, items)
    in_html, in_text = " ".join(Words(html).found), " ".join(text.split())
    for line in described(
        row for row in result.rows if isinstance(row, Paragraph | Items | TypedLines)
    ):
        assert " ".join(line.split()) in in_html
        assert " ".join(line.split()) in in_text
    for player in replay.config.players:
        assert player in in_html


@pytest.mark.parametrize(("game", "items"), [("porto", 31), ("puerto-rico", 90)])
def test_everything_on_the_table_is_in_the_drawing(game: str, items: int) -> None:
    """All that the page of the table names, in its words, is named here too."""
    replay, _, html, _ = sent(game, items)
    words = set(Words(html).found)
    page = Page(table_html(replay, None))
    named = {word for word in page.text.split() if re.fullmatch(r"[a-z]+-[a-z0-9-]+|[LR]\d", word)}
    assert len(named) > 10
    assert named - words <= {"tie-break"}


def test_a_mail_of_puerto_rico_shows_the_middle_of_the_table() -> None:
    replay, _, html, _ = sent("puerto-rico", 90)
    state = replay.state
    output = " ".join(Words(html).found)
    for spaces, barrels in zip(state.config.box.cargo, state.cargo_barrels, strict=True):
        assert re.search(rf"\b{spaces} (\w+ )?{'▮' * barrels}{'▯' * (spaces - barrels)}\W", output)
    for good, number in zip(GOODS, state.goods_supply, strict=True):
        assert f"{good} {number}" in output
    assert f" {state.vp_pool} VP " in output
    assert f"quarry {state.quarries}" in output
    for seat, player in enumerate(state.players):
        name = state.config.players[seat]
        assert re.search(rf"{name} ?: (governor )?(to move )?{player.doubloons} doubloon", output)
    for role, taker in enumerate(state.taken):
        if taker != NOBODY:
            assert f"{ROLES[role]} by {state.config.players[taker]}" in output


def test_names_are_text_and_never_tags() -> None:
    from porto_cli.match.match import new_game

    match = new_game(["<b>Inês", '"&amp;'], seed="tram", first="<b>Inês", title="<script>x")
    match.play("keep 1 2 3", player=0)
    match.play(match.observe(0)["moves"][0]["move"])
    html = html_of(mail_to(match.replay, 1, sender="<i>"))
    assert "<script" not in html
    assert "<b>Inês" not in html
    assert "<i>" not in html
    assert "&lt;b&gt;Inês" in html
    assert "&lt;b&gt;Inês drew" in html
    assert "<b>Inês drew" in " ".join(Words(html).found)
