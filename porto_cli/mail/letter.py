"""What a message of a game says, before it becomes text or HTML.

It says only what everybody at the table may know: the sender sees it before it is sent, and a mail
is quoted, forwarded and kept. What the addressee alone may know is in it only if the sender asks
for that. (Of an open game the attached record gives away everything to who looks for it.)
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple

from porto_cli.core.message import Sentence, say
from porto_cli.core.quoting import file_word, option
from porto_cli.game import OVER, Step
from porto_cli.mail.threads import attachment_name, table_code
from porto_cli.mail.vanished import agreeing, gone_names, question
from porto_cli.match.bots_due import who_are_bots
from porto_cli.match.command_lines import path_of
from porto_cli.match.record import OPEN, Record
from porto_cli.match.replay import Replay
from porto_cli.match.since import since_last_turn, standing
from porto_cli.sealed_ui import ui_for
from porto_cli.term.spans import cut
from porto_cli.ui import ui_of

_LONGEST_TITLE = 60
"""Columns of a title in the subject, where the list of a mail program has little room."""


class Kind(Enum):
    """What a part of a message is."""

    HEADING = "heading"
    TEXT = "text"
    ITEM = "item"
    COMMAND = "command"
    TABLE = "table"
    """The table itself, drawn."""
    RECKONING = "reckoning"
    """Where all VP came from; the text is its heading."""


class Part(NamedTuple):
    """A part of a message; the table has no text."""

    kind: Kind
    text: str = ""


class Letter(NamedTuple):
    """A message. ``seat`` is whose eyes the table is drawn for, ``None`` for everybody's."""

    subject: str
    parts: tuple[Part, ...]
    seat: int | None


def letter(replay: Replay, readers: Sequence[int], sender: str, *, private: bool = False) -> Letter:
    """Return the message for some seats: those to move, or all others when the game is over.

    ``sender`` is what the readers call who writes. With ``private`` it says what only its one
    reader may know.
    """
    seat = readers[0] if private and len(readers) == 1 else None
    parts = [
        *_opening(replay, readers),
        *(_text(sentence) for sentence in who_are_bots(replay)),
        *_news(replay, readers),
        *_what_can_be_done(replay, readers),
        *_how_to_answer(replay, readers, sender, private=private),
        Part(Kind.HEADING, str(say("The table"))),
        Part(Kind.TABLE),
        *_what_is_left_out(replay, readers, sender, seat),
    ]
    if replay.state.phase == OVER:
        parts.append(Part(Kind.RECKONING, str(say("Where the VP came from"))))
    code = say(
        "Table code {code}: whoever has this table has the same code.", code=table_code(replay)
    )
    return Letter(subject(replay), (*parts, Part(Kind.TEXT, str(code))), seat)


def subject(replay: Replay) -> str:
    """Return the subject: which game, who is to move, round and turn, the table code."""
    facts: dict[str, object] = {
        "game": game_and_title(replay.record),
        "players": both(_to_move(replay)),
        "round": ui_of(replay.game.meta.id).glance(replay, None).round,
        "turn": replay.state.turn + 1,
        "code": table_code(replay),
    }
    if replay.state.phase == OVER:
        return str(say("{game}: the game is over [{code}]", **facts))
    gone = gone_names(replay)
    if gone:
        return str(say("{game}: go on without {gone}? [{code}]", gone=both(gone), **facts))
    if len(_to_move(replay)) > 1:
        return str(say("{game}: {players} can move [{code}]", **facts))
    if facts["round"]:
        told = "{game}: {players} is to move, round {round}, turn {turn} [{code}]"
        return str(say(told, **facts))
    return str(say("{game}: {players} is to move, turn {turn} [{code}]", **facts))


def game_and_title(record: Record) -> str:
    """Return which game a record is of, with its title if it has one."""
    game, title = record.game.meta.title, _printable(record.title)
    if not title:
        return game
    return str(say("{game}, {title}", game=game, title=cut(title, _LONGEST_TITLE)))


def _printable(text: str) -> str:
    """Return a title in one line, whatever escapes it was written with."""
    return " ".join("".join(one if one.isprintable() else " " for one in text).split())


def both(names: Sequence[str]) -> str:
    """Return names as a list."""
    *most, last = names or [""]
    return str(say("{most} and {last}", most=", ".join(most), last=last)) if most else last


def _names(replay: Replay, seats: Sequence[int]) -> list[str]:
    return [replay.config.players[seat] for seat in seats]


def _to_move(replay: Replay) -> list[str]:
    return _names(replay, replay.game.to_move(replay.state))


def _text(sentence: Sentence) -> Part:
    return Part(Kind.TEXT, str(sentence))


# -- What has happened


def _opening(replay: Replay, readers: Sequence[int]) -> list[Part]:
    """Say whose turn it is. How a game has ended is said by what can be done next."""
    to_move = replay.game.to_move(replay.state)
    names = both(_names(replay, readers))
    if replay.state.phase == OVER:
        return []
    asked = question(replay, readers)
    if asked:
        return [_text(sentence) for sentence in asked]
    if set(readers) <= set(to_move):
        others = [seat for seat in to_move if seat not in readers]
        if others:
            told = say(
                "{names}, it is your turn; {others} can move as well, in any order.",
                names=names,
                others=both(_names(replay, others)),
            )
        elif len(readers) > 1:
            told = say("{names}, it is your turn, in any order.", names=names)
        else:
            told = say("{names}, it is your turn.", names=names)
    else:
        told = say(
            "{names}, this is how the game stands; {others} is to move.",
            names=names,
            others=both(_to_move(replay)),
        )
    return [_text(told)]


def _news(replay: Replay, readers: Sequence[int]) -> list[Part]:
    """Tell, turn by turn, what the reader with the oldest last turn does not know."""
    steps: list[Step] = max(
        (standing(since_last_turn(replay, seat)) for seat in readers), key=len, default=[]
    )
    if not steps:
        return []
    ui = ui_for(replay)
    items = []
    for step in steps:
        place = replay.steps.index(step) + 1
        then = replay._replace(steps=replay.steps[:place], state=step.after)
        items.append(" ".join(map(str, ui.last_turn(then))))
    heading = (
        say("Since your last turn")
        if any(step.seat in readers for step in replay.turns())
        else say("What has happened")
    )
    return [Part(Kind.HEADING, str(heading)), *(Part(Kind.ITEM, item) for item in items if item)]


# -- What can be done


def _what_can_be_done(replay: Replay, readers: Sequence[int]) -> list[Part]:
    """Return who can do what, each command in a line of its own."""
    over = replay.state.phase == OVER
    heading = say("How it ended") if over else say("What can be done now")
    parts = [Part(Kind.HEADING, str(heading))]
    for sentence in _what_next(replay, readers):
        parts += _with_command(sentence)
    return parts


def _what_next(replay: Replay, readers: Sequence[int]) -> list[Sentence]:
    """Say who can do what, with the commands that a single reader would type."""
    reader = readers[0] if len(readers) == 1 else None
    return ui_for(replay).what_next(replay, attachment_name(replay.record), reader)


def _with_command(sentence: Sentence) -> list[Part]:
    """Return a sentence, and the command that it ends with."""
    text = str(sentence)
    for fact in sentence.facts.values():
        if isinstance(fact, str) and fact.startswith("porto ") and text.endswith(fact):
            return [
                Part(Kind.TEXT, text.removesuffix(fact).rstrip()),
                Part(Kind.COMMAND, fact),
            ]
    return [Part(Kind.TEXT, text)]


def _how_to_answer(
    replay: Replay, readers: Sequence[int], sender: str, *, private: bool
) -> list[Part]:
    name = attachment_name(replay.record)
    word = path_of(replay, name)
    if replay.state.phase == OVER:
        return [
            _text(
                say("The attached file {file} has the whole game. To read its story:", file=name)
            ),
            Part(Kind.COMMAND, f"porto log {word}"),
        ]
    agree = agreeing(replay, readers, word)
    readers = [seat for seat in readers if seat in replay.game.to_move(replay.state)]
    if not readers and not agree:
        return []
    parts = [Part(Kind.HEADING, str(say("How to answer")))]
    if agree:
        parts += [_text(say(_AGREE, file=name)), *(Part(Kind.COMMAND, each) for each in agree)]
    if readers:
        parts.append(_text(say(_TYPE, file=name)))
    for reader in readers:
        player = option("--as", replay.config.players[reader])
        parts.append(Part(Kind.COMMAND, f"porto play {word} {player}"))
    parts += [
        _text(say("Then this writes the mail to whoever is next:")),
        Part(Kind.COMMAND, f"porto mail {word}"),
    ]
    example = ""
    if can_answer_in_words(replay):
        example = _move_in_words(replay, readers, private=private)
    if example:
        parts += [
            _text(
                say(
                    "You can also do without the program: answer this mail with your move alone in "
                    "its first line, and {sender} plays it for you. For example:",
                    sender=sender,
                )
            ),
            Part(Kind.COMMAND, example),
        ]
    return parts


_TYPE = (
    "Save the attached file {file}, over the one that you may have of this game (or give this mail "
    "to 'porto receive'), and type one of these commands in its folder. To be asked for everything "
    "instead:"
)
_AGREE = (
    "Save the attached file {file}, over the one that you may have of this game (or give this mail "
    "to 'porto receive'). If you agree, type this in its folder; if you do not, do nothing:"
)


def can_answer_in_words(replay: Replay) -> bool:
    """Tell whether somebody else can play the move of a player who only says it.

    Not where the player has to say as well what came up on a real table, or to sign.
    """
    return replay.record.secrecy == OPEN and replay.chain is None


def _move_in_words(replay: Replay, readers: Sequence[int], *, private: bool) -> str:
    """Return the first move that is proposed, as a record has it; nothing if it would be a secret
    choice among things that the mail does not show.
    """
    verbs = replay.game.meta.verbs
    file = file_word(attachment_name(replay.record))
    for sentence in _what_next(replay, readers):
        for fact in sentence.facts.values():
            begin, found, rest = str(fact).partition(f" {file}")
            verb = begin.removeprefix("porto ")
            if not found or verb not in verbs:
                continue
            move, named, _ = rest.partition(" --as")
            if not named or private:
                return f"{verb}{move}"
            return ""
    return ""


# -- What is not in it


def _what_is_left_out(
    replay: Replay, readers: Sequence[int], sender: str, seat: int | None
) -> list[Part]:
    """Say why what only a reader may know is not there, or why it is."""
    if replay.state.phase == OVER:
        return []
    ui = ui_of(replay.game.meta.id)
    public = ui.table_sentences(replay, None)
    blind = [one for one in readers if ui.table_sentences(replay, one) != public]
    if not blind:
        return []
    if seat is not None and _is_known(replay, seat):
        return [
            _text(
                say(
                    "This mail also shows what only you may know, because {sender} has asked the "
                    "program for that. Whoever else reads the mail knows it too.",
                    sender=sender,
                )
            )
        ]
    word = path_of(replay, attachment_name(replay.record))
    parts = [
        _text(
            say(
                "What only you may know is not in this text, so that nobody reads it by accident. "
                "To see it:"
            )
        )
    ]
    for one in blind:
        player = option("--as", replay.config.players[one])
        parts.append(Part(Kind.COMMAND, f"porto show {word} {player}"))
    if can_answer_in_words(replay):
        parts.append(
            _text(
                say(
                    "If you have no program to see it with, ask {sender} for a mail with it "
                    "('porto mail --private').",
                    sender=sender,
                )
            )
        )
    return parts


def _is_known(replay: Replay, seat: int) -> bool:
    """Tell whether what only a player may know can be shown: of a sealed game it takes the key."""
    sealed = replay.sealed
    return sealed is None or sealed.order[seat] in sealed.secrets
