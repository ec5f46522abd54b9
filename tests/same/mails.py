"""Mails there and back: each version receives what the other one has written."""

from __future__ import annotations

import email
import email.policy
import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from email.message import EmailMessage
from functools import partial
from html import unescape
from urllib.parse import parse_qs, unquote, urlsplit

from tests.same.bench import Bench, Gone, exits
from tests.same.documents import addresses
from tests.same.games import first_difference, made, without_comments
from tests.same.jobs import Job
from tests.same.material import Game
from tests.same.program import HOME, TABLE, Files, Outcome, command_line, on_table

KIND = "mail"
FILE = "g.yaml"
MAIL = "m.eml"
OF_CONTENTS = re.compile(r"(?<=\.[0-9a-f]{24})\.[0-9a-z]+(?=@)")
LINK = re.compile(r'href="(mailto:[^"]*)"')
REPLIES, TYPED = 8, 4
"""At most so many links of a mail are answered, and so many moves typed."""


@dataclass(frozen=True)
class Position:
    """A running game, who has moved last, and who is to move."""

    game: Game
    items: int

    @property
    def text(self) -> str:
        """The record."""
        return self.game.cut(self.items)

    @property
    def earlier(self) -> str:
        """The copy of somebody who waits for the mail."""
        return self.game.cut(max(0, self.items - 2))

    @property
    def book(self) -> dict[str, bytes]:
        """The address book of the writer, and of whoever receives."""
        return {f"{HOME}/addresses.yaml": addresses(self.game)}


@dataclass(frozen=True)
class Mail:
    """A mail that one of the versions has written."""

    raw: bytes

    @property
    def parsed(self) -> EmailMessage:
        """Its parts."""
        found = email.message_from_bytes(self.raw, policy=email.policy.default)
        assert isinstance(found, EmailMessage)
        return found

    @property
    def heads(self) -> dict[str, str]:
        """The heads that a mail program uses; of an id the game and its state, not what the mail
        says.
        """
        names = ("From", "To", "Cc", "Message-ID", "In-Reply-To", "References", "Subject")
        return {name: OF_CONTENTS.sub("", str(self.parsed[name])) for name in names}

    @property
    def record(self) -> bytes:
        """The record that is attached."""
        for part in self.parsed.iter_attachments():
            if str(part.get_filename()).endswith(".yaml"):
                return bytes(part.get_payload(decode=True))
        return b""

    @property
    def links(self) -> list[str]:
        """The links with which one answers."""
        page = self.parsed.get_body(("html",))
        return [unescape(link) for link in LINK.findall(page.get_content())] if page else []

    @property
    def plain(self) -> str:
        """The text."""
        return self.texts[0] if self.texts else ""

    @property
    def has_not_all(self) -> bool:
        """Whether it says that there are more moves than it has links."""
        return "Any other legal move can be written" in " ".join(self.plain.split())

    @property
    def texts(self) -> list[str]:
        """The text, and the same as HTML."""
        parts = [self.parsed.get_body((kind,)) for kind in ("plain", "html")]
        return [str(part.get_content()) for part in parts if part]

    def clicked(self) -> dict[str, EmailMessage]:
        """By the move, what a mail program composes from each link."""
        replies = {}
        for link in self.links:
            parts = urlsplit(link)
            asked = {key.lower(): values[0] for key, values in parse_qs(parts.query).items()}
            body = asked.get("body", "").replace("\r\n", "\n")
            reply = self.reply(body)
            reply.replace_header("To", unquote(parts.path))
            reply.replace_header("Subject", asked.get("subject", ""))
            move = body.split("\n\n")[0].replace("\n", "; ")
            replies[move] = reply
        return replies

    def reply(self, body: str) -> EmailMessage:
        """What its reader answers."""
        message = EmailMessage()
        message["From"] = self.parsed["To"]
        message["To"] = self.parsed["From"]
        message["Subject"] = f"Re: {self.parsed['Subject']}"
        message["In-Reply-To"] = self.parsed["Message-ID"]
        message.set_content(body)
        return message

    def typed(self, move: str) -> EmailMessage:
        """An answer with the move above the quoted mail."""
        quoted = "\n".join(f"> {line}" for line in self.plain.splitlines())
        return self.reply(f"{move}\n\nSee you!\n\nOn Friday somebody wrote:\n{quoted}\n")


def of(bench: Bench) -> Iterator[Job]:
    """Mails about random positions of all games, without end."""
    number = 0
    games = [game for game in bench.games if len(game.players) > 1]
    while bench.has(KIND, "mail", FILE) and bench.has(KIND, "receive", MAIL):
        number += 1
        rng = random.Random(f"{bench.seed} mail {number}")
        kind = ("porto", "puerto-rico")[number % 2]
        game = rng.choice([game for game in games if game.kind == kind])
        items = game.length if number % 9 == 0 else rng.randint(1, game.length - 1)
        yield partial(exchange, bench, Position(game, items), rng)


def exchange(bench: Bench, position: Position, rng: random.Random) -> None:
    """Write a mail with both versions, receive it with both, and answer it."""
    files = {**on_table({FILE: position.text}), **position.book}
    args = ["mail", FILE, "--format", "eml", "-o", MAIL]
    if rng.random() < 0.5:
        args += ["--to", position.game.players[-1]]
    if rng.random() < 0.3:
        args.append("--page")
    try:
        old, new = bench.both(files, args)
        found = exits(old, new)
        mails = [one.files.get(f"{TABLE}/{MAIL}") for one in (old, new)]
        if mails[0] and mails[1]:
            first, second = Mail(mails[0]), Mail(mails[1])
            found |= written(first, second)
            bench.tally.add(KIND, found, command_line(args), files)
            receive(bench, position, {"old": first, "new": second})
            answer(bench, position, first, second, rng)
        else:
            bench.tally.add(KIND, found, command_line(args), files)
    except Gone:
        bench.tally.leave_out(KIND)


def written(old: Mail, new: Mail) -> dict[str, str]:
    """How the mails differ in what programs read."""
    found = {}
    for name, value in old.heads.items():
        # The first mail answers the beginning of its game, like all others, since it has an id of
        # its own.
        is_first = name in ("In-Reply-To", "References") and value == "None"
        if name != "Subject" and not is_first and new.heads[name] != value:
            found[f"head {name}"] = f"{value!r} is now {new.heads[name]!r}"
    records = [without_comments(mail.record) for mail in (old, new)]
    if records[0] != records[1]:
        found["attached record"] = first_difference(*records)
    lost = sorted(set(old.clicked()) - set(new.clicked()))
    # Which moves have room in a mail that cannot have them all depends on their order.
    room = len(set(new.clicked()) - set(old.clicked())) if new.has_not_all else 0
    if len(lost) > room:
        found["a link is missing"] = f"no more: {lost}"
    return found


def receive(bench: Bench, position: Position, mails: Mapping[str, Mail]) -> None:
    """The record comes out of each mail, for somebody with an older copy and for a new player."""
    args = ["receive", MAIL, "--format", "json"]
    for place, copy in (("continues", {FILE: position.earlier}), ("new", {})):
        for writer, mail in mails.items():
            files = {**on_table({**copy, MAIL: mail.raw}), **position.book}
            results = bench.both(files, args)
            found = compare_received(bench, *results, files, args)
            for program, outcome in zip(("old", "new"), results, strict=True):
                got = without_comments(outcome.files.get(f"{TABLE}/{FILE}"))
                if outcome.exit == 0 and got != without_comments(position.text.encode()):
                    found[f"{place}: by the {writer}, to the {program}: another record"] = ""
            bench.tally.add(KIND, found, command_line(args), files)


def compare_received(
    bench: Bench, old: Outcome, new: Outcome, files: Files, args: list[str]
) -> dict[str, str]:
    """How exit status, record and document of two `receive` differ."""
    return made(old, new, FILE) or bench.compare(
        KIND, old.json(), new.json(), command_line(args), files
    )


def answer(bench: Bench, position: Position, old: Mail, new: Mail, rng: random.Random) -> None:
    """Click on links, and type moves; both versions understand them alike."""
    copy = {**on_table({FILE: position.text}), **position.book}
    dry = ["receive", "r.eml", "--dry-run", "--format", "json"]
    for mail in (old, new):
        clicked = mail.clicked()
        moves = sorted(clicked)
        rng.shuffle(moves)
        lines = [move.replace("; ", "\n") for move in moves[:TYPED]] or ["pass", "draw blue-1"]
        replies = [clicked[move] for move in moves[:REPLIES]]
        # What is not a move alone is asked about now, so nothing is mistyped here. Of several
        # answers to one turn only the newest counts now, so each comes alone.
        for reply in (*replies, *map(mail.typed, lines)):
            files = {**copy, **on_table({"r.eml": bytes(reply)})}
            found = compare_received(bench, *bench.both(files, dry), files, dry)
            bench.tally.add(KIND, found, command_line(dry), files)
        replies = replies or [mail.typed(lines[0])]
        for reply in (replies[0], mail.typed(lines[0])):
            play = ["receive", "r.eml", "--yes", "--format", "json"]
            files = {**copy, **on_table({"r.eml": bytes(reply)})}
            found = compare_received(bench, *bench.both(files, play), files, play)
            bench.tally.add(KIND, found, command_line(play), files)
