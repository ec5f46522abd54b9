"""What the messages of a game have in common, whoever writes or reads them: ids and attachments.

A Message-ID follows from the game and from where it stands. So a message names the one that it
answers although nobody has kept any ids, mail programs show a game as one thread, and who gets an
answer knows which table it is about. A state that is sent again has the id that it had.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from porto_cli.match.record import Record
from porto_cli.match.record_files import SUFFIX, SUFFIXES
from porto_cli.match.replay import SHORT, Digester, Replay

if TYPE_CHECKING:
    from porto_cli.match.chain import Chain

DOMAIN = "porto.invalid"
"""Behind the ``@`` of our ids. Nobody can own it (RFC 2606), so we claim no one else's."""
RECORD_TYPE = "application", "yaml"
"""The media type of a record (RFC 9512). It is UTF-8 without saying so."""
MOST_REFERENCES = 12
"""So many earlier messages are named: the first of the game, and the last ones."""
_GAME_DIGITS, _STATE_DIGITS = 12, 24
_ID = re.compile(
    rf"<(?P<game>[0-9a-f]{{{_GAME_DIGITS}}})\.(?P<state>[0-9a-f]{{{_STATE_DIGITS}}})"
    rf"@{re.escape(DOMAIN)}>"
)
_CODE = re.compile(rf"\[([0-9a-f]{{{SHORT}}})\]")
_LONGEST_NAME = 80
_NOT_IN_A_NAME = re.compile(r'[<>:"/\\|?*]')
"""What no file may be called by on one system or another."""


class Named(NamedTuple):
    """What a Message-ID names: the beginnings of two digests, see :func:`state_at`."""

    game: str
    """Of the game before its first turn."""
    state: str
    """Of the game as the message has it."""


def table_code(replay: Replay) -> str:
    """Return what players compare to know that they look at the same table: the fingerprint, and
    of a signed game the code that nobody can give to two tables on purpose.
    """
    if replay.chain is None:
        return replay.fingerprint
    from porto_cli.sealed.table_code import table_code as code_of

    return code_of(replay.chain.head.hash)


def state_at(replay: Replay, count: int) -> str:
    """Return what a game is known by after so many steps, those taken back and undos included."""
    return replay._replace(steps=replay.steps[:count]).digest


def states_of(replay: Replay) -> list[str]:
    """Return what a game is known by after no step, one, and so on; each step is read once."""
    return list(Digester(replay.record).digests(replay.steps))


def named(replay: Replay, count: int | None = None) -> Named:
    """Return what the id of a game's message names, after so many steps (all if not said)."""
    count = len(replay.steps) if count is None else count
    return Named(state_at(replay, 0)[:_GAME_DIGITS], state_at(replay, count)[:_STATE_DIGITS])


def has_been_at(replay: Replay, state: str) -> bool:
    """Tell whether a game was ever at a state, of which the beginning of its digest is given, or of
    a signed game the hash that an id names.
    """
    if replay.chain is not None:
        hashes = [*(step.previous for step in replay.chain.steps), replay.chain.head.hash]
        return any(one.hex().startswith(state) for one in hashes)
    return any(each.startswith(state) for each in states_of(replay))


def code_in(subject: str) -> str:
    """Return the table code that stands in the subject of a message, or nothing."""
    found = _CODE.search(subject)
    return found[1] if found else ""


def message_id(replay: Replay, count: int | None = None) -> str:
    """Return the Message-ID of a game's message, after so many steps (all if not said)."""
    return "<{}.{}@{}>".format(*named(replay, count), DOMAIN)


def read_message_ids(text: str) -> list[Named]:
    """Return what the ids in a header name, in their order; those of others name nothing."""
    return [Named(found["game"], found["state"]) for found in _ID.finditer(text)]


def earlier(replay: Replay) -> list[int]:
    """Return after how many steps the game was handed over before: at the start, and whenever
    somebody else has made the next step.
    """
    steps = replay.steps
    changes = [nth for nth in range(1, len(steps)) if steps[nth].seat != steps[nth - 1].seat]
    return [0, *changes] if steps else []


def references(replay: Replay) -> list[str]:
    """Return the ids of the messages before this one; the last is that of the one it answers."""
    return [message_id(replay, count) for count in _few(earlier(replay))]


def _few(counts: list[int]) -> list[int]:
    if len(counts) > MOST_REFERENCES:
        return [counts[0], *counts[1 - MOST_REFERENCES :]]
    return counts


def signed_ids(chain: Chain) -> list[str]:
    """Return the ids of all messages of a signed game, the last one being that of this table.

    They follow from its signed steps: of a sealed game there are some before the first turn, and
    what comes up after a turn is written into it later.
    """
    steps = chain.steps
    handed = [nth for nth in range(1, len(steps)) if steps[nth].by != steps[nth - 1].by]
    hashes = [*(steps[nth].previous for nth in _few(handed)), chain.head.hash]
    game = chain.game.hex()[:_GAME_DIGITS]
    return [f"<{game}.{one.hex()[:_STATE_DIGITS]}@{DOMAIN}>" for one in hashes]


def attachment_name(record: Record) -> str:
    """Return what the attached record is called: like its file, but as any system can save it."""
    name = PurePosixPath(record.file.replace("\\", "/")).name
    name = "".join(letter if letter.isprintable() else "-" for letter in name)
    name = _NOT_IN_A_NAME.sub("-", name).strip(" .-")
    path = PurePosixPath(name or record.game.meta.id)
    stem = path.stem if path.suffix in SUFFIXES else path.name
    if record.file == "standard input":
        stem = record.game.meta.id
    return stem[:_LONGEST_NAME] + (path.suffix if path.suffix in SUFFIXES else SUFFIX)
