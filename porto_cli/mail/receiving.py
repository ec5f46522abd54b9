"""Receiving a record: it takes the place of the local copy, or is kept beside it.

Nothing is ever lost. The local copy is replaced by a version that contains it, if necessary after
both are merged; where a signed version gives way, its steps are signed again. A version that cannot
be combined with the local copy is saved beside it; and where the new version lacks comments, or
steps that no longer count, the old text is kept.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, NamedTuple

from porto_cli.core import files
from porto_cli.core.chance import sha256
from porto_cli.core.message import REFUSED, FileError, PortoError, RefusedError, option, word_of
from porto_cli.core.yaml import BYTE_ORDER_MARK, InvalidFileError
from porto_cli.mail.answer import let_bots_move
from porto_cli.mail.arrival import (
    Arrival,
    compare_steps,
    conflict_name,
    conflicts_of,
    copies_of,
    free_path,
    judge,
    judge_copy,
    nearest_copy,
    parted_from,
    waiting_copy,
)
from porto_cli.mail.notes import REFUSED_VERSIONS, note, noted
from porto_cli.mail.records_in import Found, FoundSetup
from porto_cli.mail.threads import attachment_name
from porto_cli.match import record
from porto_cli.match.copies import Verdict, comments_missing
from porto_cli.match.items import IllegalMoveError
from porto_cli.match.match import Match, load, loads
from porto_cli.match.ordered import was_ordered
from porto_cli.match.record import SEALED, SUFFIXES, NotReadyError, Record, records_of
from porto_cli.match.replay import Replay
from porto_cli.match.said import with_said_of
from porto_cli.pages import step_in_moves
from porto_cli.sealed import PassphraseError
from porto_cli.sealed.chain import GONE, REVEAL, seals_of, spelled
from porto_cli.sealed.copies import Precedence
from porto_cli.sealed.holder import own_public
from porto_cli.sealed.setup import read_setup
from porto_cli.sealed.source import NotNowError, chain_of, keys_of, sealed_of
from porto_cli.sealed.steps import Chain, SignedStep
from porto_cli.settings import own_seat

if TYPE_CHECKING:
    from porto_cli.match.match import KeySource
    from porto_cli.players.named import BotTurn

_ATTEMPTS = 100
"""How often another name is tried for a new file when another program takes it first."""


class Received(NamedTuple):
    """What was done with a version of a game, or (in a dry run) would be."""

    arrival: Arrival
    other: Match
    """The version that has come in."""
    file: Path | None = None
    """The local copy; for a new game, where it was saved."""
    before: int = 0
    """How many steps the local copy had."""
    match: Match | None = None
    """The local copy as it is now."""
    kept: Path | None = None
    """Where the version is that did not take the place of the local copy, or the old local copy
    with its comments."""
    comments: tuple[str, ...] = ()
    """Those of the old local copy that the new one lacks."""
    notices: tuple[str, ...] = ()
    was_known: bool = False
    """It parts from the local copy, and lies beside it already."""
    made_again: tuple[SignedStep, ...] = ()
    """The steps of the local copy that were signed again."""
    ordered: tuple[BotTurn, ...] = ()
    """What orders have decided then."""

    @property
    def verdict(self) -> Verdict:
        """What the version is to the local copy."""
        return self.arrival.verdict


def receive(
    found: Found,
    folder: Path,
    into: Path | None,
    confirm: Confirm,
    keys: KeySource | None,
    *,
    dry_run: bool,
) -> Received:
    """Receive a version of a game. Raises PortoError, like FileError, and InvalidFileError for
    ``into``; OwnTurnsError if it has turns of the user that ``confirm`` does not confirm.

    ``into`` names the local copy, or where to save a game that there is none of; ``keys`` are those
    with which a step is signed again.
    """
    other = found.match
    if other.record.secrecy == SEALED:
        waiting = waiting_copy(other.record, folder, into)
        if waiting:
            return _begin(found, *waiting, dry_run=dry_run)
    if into is None:
        copies = copies_of(other, folder)
    elif os.path.lexists(into):
        copies = [load(into)]
    else:
        copies = []
    arrival = judge(other, copies)
    if arrival.verdict is Verdict.NEW:
        return _save(arrival, found, folder, into, dry_run=dry_run)
    copy = arrival.copy
    if copy is None:
        return Received(arrival, other)
    result = Received(arrival, other, copy.path, len(copy.steps), copy)
    if arrival.verdict is Verdict.CONTINUES:
        demand_own_turns(copy, other, confirm)
        return _replace(result, copy, dry_run=dry_run)
    if arrival.verdict is Verdict.MERGED:
        assert arrival.merged
        demand_own_turns(copy, other, confirm)
        merged = result._replace(other=arrival.merged)
        return _replace(merged, copy, dry_run=dry_run)._replace(other=other)
    if arrival.verdict is Verdict.REPLACED:
        return _give_way(result, copy, keys, dry_run=dry_run)
    if arrival.verdict is Verdict.FORK and copy.path:
        return _keep_beside(result, copy.path, dry_run=dry_run)
    if arrival.verdict in (Verdict.STAYS, Verdict.OVERRULED):
        if _was_refused(_version_of(other)):
            return result._replace(arrival=arrival._replace(verdict=Verdict.SETTLED))
        if not dry_run:
            _remember(_version_of(other))
    return result


def _save(
    arrival: Arrival, found: Found, folder: Path, into: Path | None, *, dry_run: bool
) -> Received:
    """Save a game that there is no local copy of."""
    match = found.match
    now, ordered = _gone_on(match, match.record)
    path = _save_new(now.record, found.name, folder, into, dry_run=dry_run)
    now = now if dry_run else load(path)
    return Received(arrival, match, path, 0, now, ordered=ordered)


def _gone_on(match: Match, game: Record) -> tuple[Match, tuple[BotTurn, ...]]:
    """Return a version, with the text of a record, after what its orders decide now, and what that
    is.
    """
    then = match._replace(record=game)
    if match.chain is not None or not match.declarations:
        return then, ()
    then = loads(game.text, game.file)
    ordered = let_bots_move(then)
    then.read_back()
    return then, tuple(ordered)


def _begin(found: Found, path: Path, own: Record, *, dry_run: bool) -> Received:
    """Put a sealed game in the place of the copy that still waited for its setup."""
    match = found.match
    notices: tuple[str, ...] = ()
    if not dry_run:
        notices = files.replace(path, _text_to_save(match.record), was=own.text)
        _note(path)
        match = load(path)
    return Received(Arrival(Verdict.CONTINUES), found.match, path, 0, match, notices=notices)


def _replace(result: Received, copy: Match, *, dry_run: bool, keep: bool = False) -> Received:
    """Put a version in the place of the local copy. The old text is kept if the new one lacks
    comments, or with ``keep``.
    """
    path = copy.path
    assert path is not None
    new = with_said_of(result.other.record, copy.record)
    missing = tuple(comments_missing(copy, result.other._replace(record=new)))
    kept = _free_backup(path) if missing or keep else None
    then, ordered = _gone_on(result.other, new)
    result = result._replace(comments=missing, kept=kept, ordered=ordered)
    if dry_run:
        return result._replace(match=then)
    if kept:
        files.create(kept, copy.record.text)
    text = _text_to_save(then.record, like=copy.record)
    notices = files.replace(path, text, was=copy.record.text)
    _note(path)
    return result._replace(match=load(path), notices=notices)


def _text_to_save(game: Record, like: Record | None = None) -> str:
    """Return the text to be saved, with the line ends of the file whose place it takes."""
    text = game.text.removeprefix(BYTE_ORDER_MARK).replace("\r\n", "\n")
    if like and "\r\n" in like.text:
        text = text.replace("\n", "\r\n")
    return text


def _free_backup(path: Path) -> Path:
    """Return a name for the old text, as editors call what they keep: no record is called so."""
    for nth in range(1, 10_000):
        kept = path.with_name(f"{path.name}.~{nth}~")
        if not os.path.lexists(kept):
            return kept
    raise FileError(f"There are too many old versions of {path}; delete some.")


# -- Files


def _save_new(
    game: Record, attachment: str, folder: Path, into: Path | None, *, dry_run: bool
) -> Path:
    """Save a new game, never over another file; return where. Raises FileError."""
    text = _text_to_save(game)
    if into is None:
        path = _create_free(folder, _name_of(game, attachment), text, dry_run=dry_run)
    else:
        path = into
        if not dry_run:
            files.create(path, text)
    if not dry_run:
        _note(path)
    return path


def _note(path: Path) -> None:
    files.note(f"The game was received and is in {path}.")


def _create_free(folder: Path, name: str, text: str, *, dry_run: bool = False) -> Path:
    """Write a new file under a name, or with a number if there is something already; return where.

    Raises FileError.
    """
    for _ in range(_ATTEMPTS):
        path = free_path(folder, name)
        if dry_run:
            return path
        with suppress(files.NameTakenError):
            files.create(path, text)
            return path
    raise FileError(f"There are too many files with names like {name} in {folder}.")


_COPY_NUMBER = re.compile(r"[ _-]?\(\d{1,3}\)$|[ _-](?:copy|Kopie|cópia)$")
_RESERVED = re.compile(r"(?i)(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)")
_NO_RECORD = (".eml", ".txt", ".text", ".mbox", ".html", ".htm", ".dat", ".bin", ".msg")
_LONGEST_NAME = 60


def _name_of(record: Record, attachment: str) -> str:
    """Return what to call a new record: like the attachment, its title, or its game."""
    name = PurePosixPath(attachment.replace("\\", "/")).name.strip()
    for suffix in _NO_RECORD:
        if name.lower().endswith(suffix):
            name = name[: -len(suffix)]
    suffix = PurePosixPath(name).suffix
    suffix = suffix if suffix in SUFFIXES else ""
    stem = _COPY_NUMBER.sub("", name.removesuffix(suffix)).strip(" .")
    if not stem or not any(letter.isalnum() for letter in stem):
        title = re.sub(r"[\W_]+", "-", record.title.lower()).strip("-")
        stem = title or record.game.meta.id
    if _RESERVED.match(stem):
        stem = f"game-{stem}"
    safe = attachment_name(record._replace(file=stem[:_LONGEST_NAME] + suffix))
    return f"game{safe}" if safe.startswith((".", "-")) else safe


# -- Versions that differ from the local copy


def _keep_beside(result: Received, own: Path, *, dry_run: bool) -> Received:
    """Put a version that differs from the local copy beside it, once."""

    def relation(kept: Path) -> Verdict:
        return judge_copy(load(kept), result.other).verdict

    text, version = _text_to_save(result.other.record), _version_of(result.other)
    kept, is_known = _put_beside(own, text, version, relation, dry_run=dry_run)
    if kept is None:
        return result._replace(arrival=result.arrival._replace(verdict=Verdict.SETTLED))
    return result._replace(kept=kept, was_known=is_known)


def _put_beside(
    own: Path, text: str, version: str, relation: Callable[[Path], Verdict], *, dry_run: bool
) -> tuple[Path | None, bool]:
    """Put a version that differs from the local copy beside it, if it was not put there before.

    Return its path, or ``None`` if the players have settled that, and whether it was there already.
    ``relation`` returns what it is to a file that was put there. Raises FileError.
    """
    kept, is_known = None, False
    for path in conflicts_of(own):
        with suppress(InvalidFileError, NotReadyError):
            verdict = relation(path)
            if verdict in (Verdict.SAME, Verdict.OLDER, Verdict.CONTINUES):
                kept, is_known = path, verdict is not Verdict.CONTINUES
                break
    if kept and not is_known and not dry_run:
        files.replace(kept, text, was=files.read_text(kept))
    if kept is None and not _was_refused(version):
        kept = _create_free(own.parent, conflict_name(own.name), text, dry_run=dry_run)
    if not dry_run:
        _remember(version)
    return kept, is_known


def unsettled(folder: Path) -> list[tuple[Path, Path]]:
    """Return the records of a folder with a version beside them that differs, and that version."""
    found = []
    for path in records_of(folder):
        own = parted_from(path)
        if own is not None:
            with suppress(InvalidFileError, FileError):
                if _parts(own, path):
                    found.append((own, path))
    return sorted(found)


def _parts(own: Path, conflict: Path) -> bool:
    try:
        return judge_copy(load(own), load(conflict)).verdict is Verdict.FORK
    except NotReadyError:
        one, other = (record.load(files.read_text(path), str(path)) for path in (own, conflict))
        return compare_steps(one, other)[0] is Verdict.FORK


# -- Versions that were refused before


def _version_of(replay: Replay) -> str:
    """Return what identifies a version of a game: of a signed one the hash of its last step."""
    return replay.digest if replay.chain is None else replay.chain.head.hash.hex()


def _was_refused(version: str) -> bool:
    with suppress(FileError):
        return version in noted(REFUSED_VERSIONS)
    return False


def _remember(version: str) -> None:
    """Note that a version was refused."""
    with suppress(FileError):
        note(REFUSED_VERSIONS, version)


# -- Turns of the user


class OwnTurns(NamedTuple):
    """Turns of the user that a record brings and the local copy does not have.

    Whoever sends a record of an open game can have played anybody's turns in it. Only the user
    knows whether they were made on another computer, or by an answer in words.
    """

    file: Path | None
    game: str
    player: str
    moves: tuple[str, ...]
    """As everybody may know them."""


class OwnTurnsError(PortoError):
    """A record that is refused, because the user has not confirmed having made these turns."""

    exit_code = REFUSED

    def __init__(self, turns: OwnTurns) -> None:
        super().__init__(turns)
        self.turns = turns

    @property
    def sentences(self) -> tuple[str, ...]:
        """What the record would bring, and how to accept it."""
        sentence = (
            f"{self.turns.file} was not changed: the record in the message has turns of "
            f"{self.turns.player} that it does not have ({', '.join(self.turns.moves)}), and "
            f"you are {self.turns.player}. If you made them, on another computer or in an "
            "answer to a mail, receive the message again with: --mine"
        )
        return (sentence,)


Confirm = Callable[[OwnTurns], bool]
"""Returns whether the user has made some turns."""


def demand_own_turns(copy: Match, other: Match, confirm: Confirm) -> None:
    """Ask for confirmation if a record that continues a local copy brings turns of the user.

    Where turns are signed the signature shows who made them. Raises OwnTurnsError if it is not
    confirmed, InvalidFileError or FileError of the settings.
    """
    seat = own_seat(copy.holders, copy.players)
    if seat is None or seat not in copy.people or other.chain is not None:
        return
    moves = _new_moves(copy, other, seat)
    if moves:
        turns = OwnTurns(copy.path, copy.game.meta.id, copy.holders[seat], moves)
        if not confirm(turns):
            raise OwnTurnsError(turns)


def _new_moves(copy: Match, other: Match, seat: int) -> tuple[str, ...]:
    """Return what a seat has done in one version of a game beyond another one, but not what its
    orders decided that are in both: whoever moved before has made those moves.
    """
    found: list[str] = []
    known = sum(len(step.moves) or 1 for step in copy.steps if step.seat == seat)
    for place, step in enumerate(other.steps):
        if step.seat != seat:
            continue
        # A turn may be continued in the other version, or be divided there by somebody's order.
        here, known = known, max(0, known - (len(step.moves) or 1))
        if here >= (len(step.moves) or 1):
            continue
        # Once there is something to ask about, it is asked about all that follows.
        if not found and was_ordered(other, place, here):
            continue
        found += step_in_moves(other, step, here)
    given = [one for one in other.declarations if one.seat == seat]
    count = sum(one.seat == seat for one in copy.declarations)
    return (*found, *(one.entries[0][1] for one in given[count:]))


# -- Steps that are signed again


def _give_way(result: Received, copy: Match, keys: KeySource | None, *, dry_run: bool) -> Received:
    """Put a signed version in the place of the local copy, with the user's steps that it lacks
    signed again. Raises PortoError.
    """
    path, precedence = copy.path, result.arrival.precedence
    assert path is not None
    assert precedence is not None
    if dry_run:
        return result._replace(match=result.other)

    new, made = _signed_again(path, result.other.record.text, precedence, keys)
    new.read_back()
    overruled = precedence.taken_back is not None
    replaced = _replace(result._replace(other=new), copy, dry_run=False, keep=overruled)
    return replaced._replace(
        other=result.other,
        made_again=made,
        notices=(*replaced.notices, *new.notices),
    )


def _signed_again(
    path: Path, text: str, precedence: Precedence, keys: KeySource | None
) -> tuple[Match, tuple[SignedStep, ...]]:
    """Return the version of a text with the user's steps that it lacks, and these steps.

    The journal knows then that it takes the place of the copy at ``path``; nothing else is written.
    Raises PassphraseError, and what the keys raise.
    """
    signer, public = keys_of(keys, make=False), own_public()
    old = load(path, signer)
    chain = chain_of(old)
    again = [step for step in precedence.again if chain.key_of(step) == public]
    if public not in chain.signers:
        return loads(text, old.record.file, signer), ()
    if signer.public != public:
        raise PassphraseError(
            f"The received version does not have a step of yours that is in {path} and "
            "has to be signed again. Your key has a passphrase, and there is no terminal "
            "to ask for it, so nothing was changed. Receive this message again on a "
            "terminal."
        )
    new = loads(text, old.record.file, signer)
    if again:
        # A wrong passphrase has to show before the journal is changed.
        _ = signer.identity
    signer.give_way(chain, chain_of(new))
    return new, tuple(_made_again(old, new, chain, again))


def _made_again(
    old: Match, new: Match, chain: Chain, again: Sequence[SignedStep]
) -> list[SignedStep]:
    """Make free steps of one version on top of another one; return those that could be made."""
    kept = sealed_of(old).kept
    made = []
    for step in again:
        player = chain.players[step.by]
        with suppress(IllegalMoveError, NotNowError, RefusedError):
            if step.content["kind"] == REVEAL:
                new.reveal(player)
            elif step.content["kind"] == GONE:
                gone: Any = step.content["without"]
                new.give_up(*(chain.players[by] for by in gone), player=player)
            else:
                entries: Any = step.content["entries"]
                choice, chosen = new.move(entries[0][1], player), kept[step.by].hidden or b""
                seat = new.seat(player)
                new.play(new.game.sealed.unseal(new.state, choice, chosen, seat), player=player)
            made.append(step)
    return made


# -- Games that are still being set up


class ReceivedSetup(NamedTuple):
    """What was done with a game in setup, or (in a dry run) would be."""

    verdict: Verdict
    file: Path
    """The local copy, or where it was saved."""
    kept: Path | None = None
    """Where a version is that parts from the local copy."""
    step: int = 0
    """The first step that the two have otherwise."""
    was_known: bool = False
    """It parts from the local copy, and lies beside it already."""


def receive_setup(
    found: FoundSetup, folder: Path, into: Path | None, *, dry_run: bool
) -> ReceivedSetup:
    """Receive a game in setup. Raises FileError, and InvalidFileError for ``into``."""
    copy = nearest_copy(found.record, folder, into)
    if not copy:
        path = _save_new(found.record, found.name, folder, into, dry_run=dry_run)
        return ReceivedSetup(Verdict.NEW, path)
    verdict, step, path, own = copy
    if verdict is Verdict.FORK:
        return _keep_setup(found.record, path, step, dry_run=dry_run)
    if not dry_run and verdict is Verdict.CONTINUES:
        files.replace(path, _text_to_save(found.record), was=own.text)
        _note(path)
    return ReceivedSetup(verdict, path, None, step)


def _keep_setup(game: Record, path: Path, step: int, *, dry_run: bool) -> ReceivedSetup:
    """Put a version that parts from the local copy beside it, once."""

    def relation(kept: Path) -> Verdict:
        return compare_steps(record.load(files.read_text(kept), str(kept)), game)[0]

    version = sha256("".join(map(spelled, seals_of(game).steps)).encode()).hexdigest()
    text = _text_to_save(game)
    kept, was_known = _put_beside(path, text, version, relation, dry_run=dry_run)
    verdict = Verdict.FORK if kept else Verdict.SETTLED
    return ReceivedSetup(verdict, path, kept, step, was_known)


def how_far_is(game: Record, file: Path) -> str:
    """Report how far a setup is, and who has to type what next."""
    begun = read_setup(game)
    assert begun.next is not None
    players = begun.chain.players
    player, is_own = players[begun.next], own_seat(players) == begun.next
    # A player who has joined is known by the key.
    is_known = is_own or begun.setup.next_to_join is None
    named = [] if is_known else [option("--as", player)]
    who = "You are next" if is_own else f"Next is {player}, who types"
    command = " ".join(["porto join", word_of(str(file)), *named])
    return f"Setup: step {begun.done} of {begun.hops} is complete. {who}: {command}"
