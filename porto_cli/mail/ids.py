"""The ids and attachments of a game's messages, for those who write and read them.

A Message-ID follows from the game, its state, and what the message says. So a message can refer
to the beginning of the game although no ids are stored, mail programs show a game as one thread,
and an answer shows which table it is about. A mail that is sent again keeps its id, and mail
programs show it once; a different mail about the same table has a different id. One half of a
state's name follows from the turns alone, so that orders which reach the local copy later, but
come before them there, do not make an answer lose its table.
"""

from __future__ import annotations

import re
from hashlib import sha256
from itertools import pairwise
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from porto_cli.core.shell import STANDARD_INPUT
from porto_cli.match.items import SHORT, Digester, Written
from porto_cli.match.record import SUFFIX, SUFFIXES, Record
from porto_cli.match.replay import Replay, SignedSteps, after_steps, decisions
from porto_cli.seam import Step

if TYPE_CHECKING:
    from porto_cli.sealed.chain import Beginning

DOMAIN = "porto.invalid"
"""The domain of our ids. It cannot be registered (RFC 2606), so it is never somebody else's."""
RECORD_TYPE = "application", "yaml"
"""The media type of a record (RFC 9512). It is UTF-8 without saying so."""
_GAME_DIGITS, _STATE_DIGITS, _TURN_DIGITS, _CONTENT_DIGITS = 12, 24, 12, 8
_ID = re.compile(
    rf"<(?P<game>[0-9a-f]{{{_GAME_DIGITS}}})\.(?P<state>[0-9a-f]{{{_STATE_DIGITS}}})"
    rf"(?:\.[0-9a-z]{{1,16}})?@{re.escape(DOMAIN)}>"
)
_REFERENCE = re.compile(
    rf"\bporto-(?P<game>[0-9a-f]{{{_GAME_DIGITS}}})"
    rf"\.(?P<state>[0-9a-f]{{{_TURN_DIGITS},{_STATE_DIGITS}}})\b"
)
"""Its end may be lost when it is copied by hand."""
ABOUT = "Game and turn:"
"""The words before a :func:`reference` in the line of an answer."""
_ABOUT = re.compile(rf"(?:{ABOUT}\s*)?{_REFERENCE.pattern}")
_CODE = re.compile(rf"\[([0-9a-f]{{{SHORT}}})\]")
_LONGEST_NAME = 80
_NOT_IN_A_NAME = re.compile(r'[<>:"/\\|?*]')
"""Characters that one system or another does not allow in file names."""


class Named(NamedTuple):
    """The parts of a Message-ID: the beginnings of digests."""

    game: str
    """Of the game before its first turn."""
    state: str
    """Of the game as in the message: the first half of its turns without orders."""


def table_code(replay: Replay) -> str:
    """Return the code by which players see that they have the same table: the fingerprint, or in a
    sealed game a code that nobody can give to two tables on purpose.
    """
    if replay.chain is None:
        return replay.fingerprint
    return replay.chain.table_code


class Station(NamedTuple):
    """A state of the game that a message may be about.

    ``named``    its name in ids
    ``steps``    the number of steps made by then; ``None`` in a sealed game, where answers in words
                 are not possible
    ``digest``   the digest that its table code is the beginning of
    ``entries``  the number of entries of the next step made by then: a mail may ask for its second
                 move
    """

    named: Named
    steps: int | None = None
    digest: str = ""
    entries: int = 0


def stations(replay: Replay) -> list[Station]:
    """Return the states of a game: at its beginning and after each item, and after each entry of a
    step of several moves; of a sealed game after each signed step.
    """
    if replay.chain is not None:
        return [*map(Station, _signed_named(replay.chain))]
    # One half of an id follows from the turns, as if nothing else was in the record.
    parts = [part for item in replay.written for part in _parts(item)]
    of_turns = Digester(replay.record).digests([one for one in parts if isinstance(one, Step)])
    turn = next(of_turns)
    game, found, steps, entries = turn[:_GAME_DIGITS], list[Station](), 0, 0
    for part, digest in zip((None, *parts), Digester(replay.record).digests(parts), strict=True):
        if isinstance(part, Step):
            turn, entries = next(of_turns), entries + len(part.entries)
            if entries == len(replay.steps[steps].entries):
                steps, entries = steps + 1, 0
        state = turn[:_TURN_DIGITS] + digest[_TURN_DIGITS:_STATE_DIGITS]
        found.append(Station(Named(game, state), steps, digest, entries))
    return found


def _parts(item: Written) -> list[Written]:
    """Return an item; a step of several moves entry by entry."""
    if isinstance(item, Step) and item.moves[1:]:
        return [item._replace(entries=(entry,)) for entry in item.entries]
    return [item]


def named(replay: Replay) -> Named:
    """Return the id parts of a message about the game as it is now."""
    return stations(replay)[-1].named


def _signed_named(chain: SignedSteps) -> list[Named]:
    """Return the names of a sealed game's states.

    They follow from its signed steps: some precede the first turn, and what comes up after a turn
    is written into it later.
    """
    game = chain.game.hex()[:_GAME_DIGITS]
    return [Named(game, one.hex()[:_STATE_DIGITS]) for one in chain.hashes]


class Moment(NamedTuple):
    """A game as it was when a message was written, and the steps since; the first may be the rest
    of a step.
    """

    seen: Replay
    since: tuple[Step, ...]


def moment_after(replay: Replay, steps: int) -> Moment:
    """Return the moment when a game had a number of steps."""
    return Moment(after_steps(replay, steps), replay.steps[steps:])


def moment_of(replay: Replay, named: Named | None, code: str) -> Moment | None:
    """Return the moment when a message was written, by its id or else by a table code; ``None`` if
    the game was never there.
    """
    wanted, found = named.state[:_TURN_DIGITS] if named else code, None
    for one in stations(replay):
        if wanted and (one.named.state if named else one.digest).startswith(wanted):
            found = one
    if found is None or found.steps is None:
        return None
    moment = moment_after(replay, found.steps)
    if not found.entries:
        return moment
    seen, (step, *rest) = moment
    begun, left = _divided(replay, step, found.entries)
    return Moment(seen._replace(state=begun.after, steps=(*seen.steps, begun)), (left, *rest))


def _divided(replay: Replay, step: Step, entries: int) -> tuple[Step, Step]:
    """Divide a step after the move that ends at a number of entries."""
    moves = events = read = 0
    after = step.before
    for one in decisions(replay, step):
        if read >= entries:
            break
        moves, events, after = moves + 1, events + len(one.events), one.after
        read += len(one.entries)
    made = {"moves": moves, "events": events, "entries": entries}
    begun = {key: getattr(step, key)[:count] for key, count in made.items()}
    left = {key: getattr(step, key)[count:] for key, count in made.items()}
    return step._replace(after=after, **begun), step._replace(before=after, **left)


def game_named(record: Record) -> str:
    """Return the part of an id that names a record's game, without replaying it."""
    if record.machine:
        from porto_cli.sealed.chain import seals_of
        from porto_cli.sealed.steps import game_id

        return game_id(seals_of(record).genesis).hex()[:_GAME_DIGITS]
    return Digester(record).digest(())[:_GAME_DIGITS]


def has_been_at(replay: Replay, state: str) -> bool:
    """Return whether a game was ever in a state, named by the beginning of a digest, or in a sealed
    game of a step's hash.
    """
    found = stations(replay)
    return any(one.named.state.startswith(state) or one.digest.startswith(state) for one in found)


def code_in(subject: str) -> str:
    """Return the table code at the end of a message's subject, or nothing.

    A title before it can look like one, such as ``Friday [20261127]``.
    """
    return next(reversed(_CODE.findall(subject)), "")


def id_of(named: Named) -> str:
    """Return the Message-ID made of these parts."""
    return "<{}.{}@{}>".format(*named, DOMAIN)


def read_message_ids(text: str) -> list[Named]:
    """Return the parts of our ids in a header, in order."""
    return [Named(found["game"], found["state"]) for found in _ID.finditer(text)]


def reference(named: Named) -> str:
    """Return a word for the text of an answer that names a message like its id.

    A mail started by a click on a link is new, and has no header with that id.
    """
    return "porto-{}.{}".format(*named)


def read_references(text: str) -> list[Named]:
    """Return the messages named by :func:`reference` words in a text, in order."""
    return [Named(found["game"], found["state"]) for found in _REFERENCE.finditer(text)]


def without_references(text: str) -> str:
    """Return a line of an answer without references: some programs join lines."""
    return _ABOUT.sub("", text)


def with_contents(message_id: str, *contents: str) -> str:
    """Return an id of a game and its state, made different for messages that differ.

    Readers take both ids for the same table.
    """
    digest = sha256("\0".join(contents).encode()).hexdigest()[:_CONTENT_DIGITS]
    return message_id.replace("@", f".{digest}@")


def message_ids(game: Replay | Beginning) -> list[str]:
    """Return the id of a game's beginning, and that of this table if it differs.

    All messages answer the beginning: if each answered the one before it, a long game would be a
    thread as deep as it has turns. A sealed game's first message comes after the step that first
    handed the record to somebody else.
    """
    if chain := game.chain:
        pairs = enumerate(pairwise(chain.signers), start=1)
        handed = (place for place, (before, signer) in pairs if signer != before)
        found = _signed_named(chain)[next(handed, -1) :]
    else:
        assert isinstance(game, Replay)
        found = [one.named for one in stations(game)]
    return list(dict.fromkeys([id_of(found[0]), id_of(found[-1])]))


def attachment_name(record: Record) -> str:
    """Return the name of the attached record: its file's, made fit for any system."""
    name = PurePosixPath(record.file.replace("\\", "/")).name
    name = "".join(letter if letter.isprintable() else "-" for letter in name)
    name = _NOT_IN_A_NAME.sub("-", name).strip(" .-")
    path = PurePosixPath(name or record.game.meta.id)
    stem = path.stem if path.suffix in SUFFIXES else path.name
    if record.file == STANDARD_INPUT:
        stem = record.game.meta.id
    return stem[:_LONGEST_NAME] + (path.suffix if path.suffix in SUFFIXES else SUFFIX)
