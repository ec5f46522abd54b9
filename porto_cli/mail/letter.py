"""The contents of a message of a game, before they become text or HTML.

They are only what everybody at the table may know: the sender sees a mail before it is sent, and it
is quoted, forwarded and kept. The secrets of its reader are in it only if the sender asks for that.
(Of an open game the attached record reveals everything to anyone who looks for it.)
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple

from porto_cli.core.characters import option
from porto_cli.core.message import both, say
from porto_cli.game import OVER
from porto_cli.mail.offers import groups
from porto_cli.mail.reply import ReplyTo
from porto_cli.mail.threads import attachment_name, message_id, named, table_code
from porto_cli.match.news import sat_down
from porto_cli.match.ordered import can_order, not_fitting, place_after_last_act
from porto_cli.match.play import who_are_bots
from porto_cli.match.record import OPEN, Record
from porto_cli.match.replay import Replay, path_of, stands
from porto_cli.match.said import said_in
from porto_cli.term.spans import cut
from porto_cli.ui import ui_of
from porto_cli.ui_values import MoveGroup
from porto_cli.user_ui import step_in_words, ui_for

_LONGEST_TITLE = 60
"""Columns of a title in the subject, where mail programs show little in their lists."""


class Kind(Enum):
    """The kinds of parts of a message."""

    HEADING = "heading"
    TEXT = "text"
    ITEM = "item"
    COMMAND = "command"
    MOVES = "moves"
    """The moves that its reader can answer with, to click or to write."""
    TABLE = "table"
    """The table itself, drawn."""
    SCORE = "score"
    """Where all VP came from; the text is its heading."""


class Part(NamedTuple):
    """A part of a message; the table has no text."""

    kind: Kind
    text: str = ""


def text(template: str, **facts: object) -> Part:
    """Return a sentence as a part."""
    return Part(Kind.TEXT, str(say(template, **facts)))


def heading(template: str) -> Part:
    """Return a heading as a part."""
    return Part(Kind.HEADING, str(say(template)))


def command(words: str) -> Part:
    """Return a command as a part."""
    return Part(Kind.COMMAND, words)


_FEW = 12


class Moves(NamedTuple):
    """The moves that a reader can answer with, and what is said above them.

    ``click``   above the links
    ``write``   above the words
    """

    click: str
    write: str
    groups: tuple[MoveGroup, ...]
    reply: ReplyTo

    @property
    def are_few(self) -> bool:
        """Whether they are so few that they can stand above the table, and be listed as text."""
        return sum(len(group.offers) for group in self.groups) <= _FEW


class Letter(NamedTuple):
    """A message.

    ``seat``   the player that the table is drawn for; ``None`` for everybody
    ``moves``  what its reader can answer; ``None`` if nothing can be answered in words
    ``again``  what tells it from other messages of the same table, in its id
    """

    subject: str
    parts: tuple[Part, ...]
    seat: int | None
    moves: Moves | None = None
    again: str = ""


def letter(
    replay: Replay,
    readers: Sequence[int],
    sender: str,
    *,
    private: bool = False,
    alone: bool = False,
    commands: bool = True,
    address: str = "",
    note: str | None = None,
) -> Letter:
    """Return the message for some seats: those to move, or all others when the game is over.

    ``sender`` is the writer's name, ``address`` where answers go. With ``private`` it has what only
    its one reader may know. If nobody else sees it (``alone``), it says why the reader's orders do
    not fit. Without ``commands`` it is for somebody who does not have the program.
    ``note`` stands above the news.
    """
    seat = readers[0] if private and len(readers) == 1 else None
    reply = ReplyTo(address, subject(replay), message_id(replay), named(replay))
    moves = _moves(replay, readers, sender, reply, private=seat is not None, commands=commands)
    chosen = [heading(_MOVES[commands][0]), Part(Kind.MOVES)] if moves else []
    parts = [
        *_opening(replay, readers),
        *(Part(Kind.TEXT, str(sentence)) for sentence in who_are_bots(replay)),
        *([Part(Kind.TEXT, str(note))] if note else ()),
        *_said(replay, readers),
        *_news(replay, readers),
        *_orders(replay, readers[0] if alone else None),
        *_what_can_be_done(replay, readers, commands=commands),
        *(_how_to_answer(replay, readers) if commands else ()),
        *(chosen if moves and moves.are_few else [text(_BELOW)] if moves else ()),
        heading("The table"),
        Part(Kind.TABLE),
        *(() if moves and moves.are_few else chosen),
        *_what_is_left_out(replay, readers, sender, seat, commands=commands),
    ]
    if replay.state.phase == OVER:
        parts.append(Part(Kind.SCORE, "Where the VP came from"))
    code = "Fingerprint {code}: everybody with the same table has the same fingerprint."
    if replay.chain is not None:
        code = "Table code {code}: everybody with the same table has the same code."
    parts.append(text(code, code=table_code(replay)))
    return Letter(reply.subject, tuple(parts), seat, moves)


def subject(replay: Replay) -> str:
    """Return the subject: the game, who is to move, round and turn, fingerprint or table code."""
    facts: dict[str, object] = {
        "game": game_and_title(replay.record),
        "players": both(_to_move(replay)),
        "round": ui_of(replay.game.meta.id).glance(replay, None).round,
        "turn": replay.state.turn + 1,
        "code": table_code(replay),
    }
    if replay.state.phase == OVER:
        return str(say("{game}: the game is over [{code}]", **facts))
    gone = _gone_names(replay)
    if gone:
        return str(say("{game}: continue without {gone}? [{code}]", gone=both(gone), **facts))
    if len(_to_move(replay)) > 1:
        return str(say("{game}: {players} can move [{code}]", **facts))
    if facts["round"]:
        in_round = "{game}: {players} is to move, round {round}, turn {turn} [{code}]"
        return str(say(in_round, **facts))
    return str(say("{game}: {players} is to move, turn {turn} [{code}]", **facts))


def game_and_title(record: Record) -> str:
    """Return which game a record is of, with its title if it has one."""
    game, title = record.game.meta.title, _printable(record.title)
    if not title:
        return game
    return f"{game}, {cut(title, _LONGEST_TITLE)}"


def _printable(title: str) -> str:
    """Return a title in one line, whatever escapes it was written with."""
    return " ".join("".join(one if one.isprintable() else " " for one in title).split())


def _names(replay: Replay, seats: Sequence[int]) -> list[str]:
    return [replay.holders[seat] for seat in seats]


def _to_move(replay: Replay) -> list[str]:
    return _names(replay, replay.game.to_move(replay.state))


# -- Players who vanished


def decision(replay: Replay) -> tuple[int, ...]:
    """Return the seats that a decision about vanished players is mailed to, those who have still to
    agree first; none if there is nothing to decide.

    It is mailed to who has vanished, too.
    """
    sealed = replay.sealed
    if sealed is None or not sealed.awaited:
        return ()
    return (*_undecided(replay), *sorted(sealed.awaited))


def _undecided(replay: Replay) -> list[int]:
    sealed = replay.sealed
    assert sealed is not None
    return sorted({seat for gone in sealed.awaited for seat in sealed.undecided(gone)})


def _question(replay: Replay, readers: Sequence[int]) -> list[Part]:
    """Return the beginning of a mail: the question to the readers, or news about themselves."""
    sealed, players = replay.sealed, replay.config.players
    if sealed is None:
        return []
    questions = []
    for gone, sayers in sorted(sealed.awaited.items()):
        undecided = sealed.undecided(gone)
        asked = [seat for seat in undecided if seat in readers]
        facts: dict[str, object] = {
            "gone": players[gone],
            "asked": ", ".join(players[seat] for seat in asked),
            "undecided": ", ".join(players[seat] for seat in undecided),
            "sayers": ", ".join(players[seat] for seat in sorted(sayers)),
        }
        if asked:
            questions.append(text(_ASKED, **facts))
        if gone in readers:
            questions.append(text(_GONE, **facts))
    return questions


def _agreeing(replay: Replay, readers: Sequence[int], path: str) -> list[str]:
    """Return the commands with which readers agree to continue without a player."""
    sealed, players = replay.sealed, replay.config.players
    if sealed is None:
        return []
    return [
        f"porto reveal {path} {option('--without', players[gone])}"
        for gone in sorted(sealed.awaited)
        if set(sealed.undecided(gone)) & set(readers)
    ]


def _gone_names(replay: Replay) -> list[str]:
    """Return the players whom a decision is about."""
    sealed = replay.sealed
    return [replay.config.players[seat] for seat in sorted(sealed.awaited)] if sealed else []


_ASKED = (
    "{asked}: {sayers} said that {gone} has vanished. Do you want to continue without {gone}? The "
    "game does so once these players have agreed: {undecided}."
)
_GONE = (
    "{gone}: {sayers} said that you have vanished. The game continues without you once these "
    "players have agreed: {undecided}. What you kept then scores nothing. To stay in the game, "
    "make your move and send it; if it is not your turn, write to the others."
)


# -- What has happened


def _opening(replay: Replay, readers: Sequence[int]) -> list[Part]:
    """Say whose turn it is. How a game ended is said later."""
    to_move = replay.game.to_move(replay.state)
    names = both(_names(replay, readers))
    if replay.state.phase == OVER:
        return []
    asked = _question(replay, readers)
    if asked:
        return asked
    if set(readers) <= set(to_move):
        others = [seat for seat in to_move if seat not in readers]
        if others:
            also = "{names}, it is your turn; {others} can move as well, in any order."
            return [text(also, names=names, others=both(_names(replay, others)))]
        if len(readers) > 1:
            return [text("{names}, it is your turn, in any order.", names=names)]
        return [text("{names}, it is your turn.", names=names)]
    state = "{names}, this is the state of the game; {others} is to move."
    return [text(state, names=names, others=both(_to_move(replay)))]


def _news(replay: Replay, readers: Sequence[int]) -> list[Part]:
    """Return, turn by turn, what is new for the reader with the oldest last turn."""
    count = len(replay.steps)
    first = min((place_after_last_act(replay, seat) for seat in readers), default=count)
    items = [str(one) for one in (sat_down(replay, first - 1) if first else ())]
    for place in range(first, count):
        if stands(replay.steps[place]):
            items += [step_in_words(replay, place), *map(str, sat_down(replay, place))]
    if not items:
        return []
    has_moved = any(step.seat in readers for step in replay.turns())
    return [
        heading("Since your last turn" if has_moved else "What has happened"),
        *(Part(Kind.ITEM, item) for item in items if item),
    ]


def _orders(replay: Replay, seat: int | None) -> list[Part]:
    """Say why the orders of the only reader do not fit."""
    lines = [] if seat is None else not_fitting(replay, seat)
    return [Part(Kind.TEXT, str(line)) for line in lines]


_MOST_SAID = 20


def _said(replay: Replay, readers: Sequence[int]) -> list[Part]:
    """Return what others said since the last turn of the reader with the oldest one."""
    place = min((place_after_last_act(replay, seat) for seat in readers), default=0)
    since = replay.steps[place - 1].item if place else -1
    own = _names(replay, readers) if len(readers) == 1 else ()
    found = [one for one in said_in(replay.record) if one.item >= since and one.player not in own]
    return [Part(Kind.TEXT, str(one.sentence)) for one in found[-_MOST_SAID:]]


# -- What can be done


def _what_can_be_done(replay: Replay, readers: Sequence[int], *, commands: bool) -> list[Part]:
    """Return who can do what, each command in a line of its own; without ``commands`` nothing that
    takes one.
    """
    over = replay.state.phase == OVER
    found = [_with_command(sentence) for sentence in _what_next(replay, readers)]
    parts = [part for some in found if commands or len(some) == 1 for part in some]
    return [heading("How it ended" if over else "What can be done now"), *parts] if parts else []


def _what_next(replay: Replay, readers: Sequence[int]) -> list[str]:
    """Say who can do what, with the commands that a single reader would type."""
    reader = readers[0] if len(readers) == 1 else None
    return ui_for(replay).what_next(replay, attachment_name(replay.record), reader)


def _with_command(sentence: str) -> list[Part]:
    """Return a sentence, and the command that it ends with."""
    prose, colon, words = sentence.rpartition(": porto ")
    if not colon:
        return [Part(Kind.TEXT, sentence)]
    return [Part(Kind.TEXT, f"{prose}:"), command(f"porto {words}")]


def _how_to_answer(replay: Replay, readers: Sequence[int]) -> list[Part]:
    name = attachment_name(replay.record)
    word = path_of(replay, name)
    if replay.state.phase == OVER:
        return [
            text("The attached file {file} has the whole game. To read all its turns:", file=name),
            command(f"porto log {word}"),
        ]
    agree = _agreeing(replay, readers, word)
    readers = [seat for seat in readers if seat in replay.game.to_move(replay.state)]
    if not readers and not agree:
        return []
    parts = [heading("How to answer")]
    if agree:
        parts += [text(_AGREE, file=name), *map(command, agree)]
    if readers:
        players = [option("--as", replay.holders[reader]) for reader in readers]
        parts.append(text(_TYPE, file=name))
        parts += [command(f"porto play {word} {player}") for player in players]
        if can_order(replay) and len(replay.people) > 1:
            parts.append(text(_ORDER))
            parts += [command(f"porto order {word} {player}") for player in players]
    return [*parts, text(NEXT_MAIL), command(f"porto mail {word}")]


SAVE = (
    "Save the attached file {file}, replacing any copy you have of this game (or give this mail to "
    "'porto receive')"
)
_TYPE = SAVE + (
    ", and type one of the commands above in its folder. To be asked for each choice instead:"
)
_ORDER = "To say ahead what you will do next, so that fewer mails are needed:"
NEXT_MAIL = "Then write the mail to the next player:"
_BELOW = "The moves that you can choose from are below the table."
_AGREE = SAVE + ". If you agree, type this in its folder; if you do not, do nothing:"


def can_answer_in_words(record: Record) -> bool:
    """Return whether a player can answer with a move in words, for somebody else to play.

    Not if the player has to report what came up on a real table, or to sign.
    """
    return record.secrecy == OPEN


def _moves(
    replay: Replay,
    readers: Sequence[int],
    sender: str,
    reply: ReplyTo,
    *,
    private: bool,
    commands: bool,
) -> Moves | None:
    """Return what the only reader can answer; ``None`` if that is nothing that a mail can say."""
    if len(readers) != 1 or not can_answer_in_words(replay.record):
        return None
    found = groups(replay, readers[0], private=private)
    click, write = (say(template, sender=sender) for template in _MOVES[commands][1:])
    return Moves(str(click), str(write), found, reply) if found else None


_MOVES = {
    True: (
        "Without the program",
        "You can also play without the program: click a move, and send the mail that this opens; "
        "{sender} will play it for you.",
        "You can also play without the program: answer this mail with your move alone in the first "
        "line, and {sender} will play it for you.",
    ),
    False: (
        "Your move",
        "Click a move, and send the mail that this opens; {sender} will play it for you.",
        "Answer this mail with your move alone in the first line, and {sender} will play it for "
        "you.",
    ),
}
"""The heading, and what is said above links and above words, to readers with the program and to
those without."""


# -- What is not in it


def _what_is_left_out(
    replay: Replay, readers: Sequence[int], sender: str, seat: int | None, *, commands: bool
) -> list[Part]:
    """Say why a reader's secrets are not in the mail, or why they are."""
    if replay.state.phase == OVER:
        return []
    ui = ui_of(replay.game.meta.id)
    public = ui.table_sentences(replay, None)
    blind = [one for one in readers if ui.table_sentences(replay, one) != public]
    if not blind:
        return []
    if seat is not None and _is_known(replay, seat):
        return [text(_SECRETS[commands], sender=sender)]
    word = path_of(replay, attachment_name(replay.record))
    parts = [text(_NO_SECRETS)]
    for one in blind:
        player = option("--as", replay.holders[one])
        parts.append(command(f"porto show {word} {player}"))
    if can_answer_in_words(replay.record):
        parts.append(text(_ASK_FOR_SECRETS, sender=sender))
    return parts


_SECRETS = {
    True: "This mail also shows what only you may know, because {sender} asked for that. Anybody "
    "else who reads the mail knows it, too.",
    False: "This mail also shows what only you may know. Anybody else who reads the mail knows it, "
    "too.",
}
"""To somebody with the program, for whom it was asked for, and to somebody without."""
_NO_SECRETS = (
    "What only you may know is not in this text, so that nobody else reads it by accident. To see "
    "it:"
)
_ASK_FOR_SECRETS = (
    "If you do not have the program, tell {sender}, who can store that, so that your mails show it "
    "('porto address NAME --no-program')."
)


def _is_known(replay: Replay, seat: int) -> bool:
    """Return whether a player's secrets can be shown: in a sealed game that takes the key."""
    sealed = replay.sealed
    return sealed is None or sealed.order[seat] in sealed.secrets
