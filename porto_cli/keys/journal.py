"""The journal: what a key has signed, at most one version of each step of a game.

Two signed versions of one step prove cheating to everybody who compares them. An honest player
could make them by accident: with an old copy of a record, or a command that was stopped between
signing and saving. So every signature is noted here, on disk, *before* it leaves the program, and
a second version is refused (the idea of EIP-3076). The whole step is noted, so that it can be
recovered if it was signed but not saved.

There is one file for each key and game, and one line for each note, with a checksum. A line that
was cut off by a crash was never acted upon, so it is ignored.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from porto_cli.core.chance import sha256
from porto_cli.core.message import REFUSED, FileError, SentenceError
from porto_cli.keys import private

_FOLDER = "journal"
_CHECK = 12
"""Hexadecimal digits of a line's checksum."""
_SENT, _ANSWERED = "sent", "answered"
_HIGHEST = (_SENT, _ANSWERED)
_SUPERSEDED, _STANDS = "superseded", "stands"


class SecondVersionError(SentenceError):
    """A second version of a step that was signed before.

    ``height`` is the number of the step, ``step`` what was signed then, if it is known.
    """

    exit_code = REFUSED

    def __init__(self, sentence: str, height: int, step: str) -> None:
        super().__init__(sentence)
        self.args = (sentence, height, step)
        self.height = height
        self.step = step


class OldCopyError(SentenceError):
    """A copy of a game that lacks a step that was signed in another one."""

    exit_code = REFUSED


class Signed(NamedTuple):
    """A step that was signed: its hash, and the step itself as text, empty if not known."""

    digest: bytes
    step: str = ""


class Copy(NamedTuple):
    """The copy of a game that a step is signed on."""

    height: int
    """Of its last step."""
    own: Mapping[int, bytes] | None = None
    """The hashes of the key's steps in it, by height; ``None`` to skip the check of the copy."""


class _Notes(NamedTuple):
    signed: dict[int, Signed]
    superseded: set[int]
    """Heights of steps that were replaced by another player's, and may be missing in a copy."""
    highest: dict[str, int]
    """The largest height noted under each of ``_HIGHEST``."""
    data: bytes
    """The file up to the end of its last whole line."""


class Journal:
    """What one key has signed. ``game_id`` is a game's id as bytes.

    All methods raise FileError if the journal cannot be read or written, or is damaged.
    """

    def __init__(self, public: bytes) -> None:
        self._who = sha256(public).hexdigest()[:16]

    def path(self, game_id: bytes) -> Path:
        """Return the file of a game; it need not exist."""
        return private.folder() / _FOLDER / self._who / f"{game_id.hex()}.txt"

    def knows(self, game_id: bytes) -> bool:
        """Return whether anything is noted about a game."""
        notes = self._read(game_id)
        return bool(notes.signed) or _SENT in notes.highest

    def signed(self, game_id: bytes) -> Mapping[int, Signed]:
        """Return the steps that were signed, by height."""
        return self._read(game_id).signed

    def allow(
        self,
        game_id: bytes,
        height: int,
        digest: bytes,
        step: str = "",
        *,
        copy: Copy | None = None,
        same: Callable[[str], bool] = lambda step: False,
    ) -> None:
        """Note that a step is about to be signed; the same one again is fine.

        ``digest`` is the hash that is signed, ``step`` the step, to recover it after a crash.
        ``copy`` is what it is signed on: it must have everything that was signed before, unless
        the new step is the ``same`` as the first one that it lacks. On return the note is on disk.
        Raises SecondVersionError, OldCopyError.
        """
        with self._opened(game_id) as (handle, notes):
            new = _new_notes(notes, {height: Signed(digest, step)})
            if copy is not None:
                new = [*_demand_all_signed(notes, copy, same), *new]
                later = [other for other in notes.signed if other > height]
                if later and height not in notes.signed:
                    raise _old_copy(copy.height, max(later))
            self._append(handle, notes, new)

    def learn(self, game_id: bytes, own: Mapping[int, bytes]) -> tuple[str, ...]:
        """Note our steps in a record: the hash of each by its height.

        Returns a sentence if nothing was noted about a game in which steps were signed before.
        Raises SecondVersionError if a step of the record differs from the one signed here.
        """
        known = self.knows(game_id)
        missing = {height: Signed(digest) for height, digest in own.items()}
        if not missing:
            return ()
        with self._opened(game_id) as (handle, notes):
            self._append(handle, notes, _new_notes(notes, missing))
        if known:
            return ()
        return (
            (
                "The journal on this computer had nothing about this game, in which your key "
                f"has signed {len(own)} steps according to this record: the journal was "
                "lost, or you have played on another computer. It was restored from the "
                "record. Continue only if you have not played from here elsewhere: two "
                "versions of one step count as cheating."
            )
            if len(own) > 1
            else (
                "The journal on this computer had nothing about this game, in which your key "
                "has signed a step according to this record: the journal was lost, or you "
                "have played on another computer. It was restored from the record. Continue "
                "only if you have not played from here elsewhere: two versions of one step "
                "count as cheating."
            ),
        )

    def supersede(self, game_id: bytes, given_up: Iterable[int], stand: Iterable[int]) -> None:
        """Note that steps were replaced by those of another player, and which of ours remain.

        A copy may lack the replaced steps, and their moves can be signed again on it.
        """
        with self._opened(game_id) as (handle, notes):
            new: list[dict[str, object]] = [
                {_SUPERSEDED: height}
                for height in sorted(set(given_up) & set(notes.signed) - notes.superseded)
            ]
            new += [{_STANDS: height} for height in sorted(set(stand) & notes.superseded)]
            self._append(handle, notes, new)

    def note_sent(self, game_id: bytes, height: int) -> None:
        """Note that a copy whose last step has this height was sent to somebody."""
        self._note_highest(game_id, _SENT, height)

    def sent(self, game_id: bytes) -> int | None:
        """Return the height of the last step that was sent; None if nothing was."""
        return self._read(game_id).highest.get(_SENT)

    def note_answered(self, game_id: bytes, height: int) -> None:
        """Note that another player has answered our step of this height in some copy."""
        if height > self.answered(game_id):
            self._note_highest(game_id, _ANSWERED, height)

    def answered(self, game_id: bytes) -> int:
        """Return the height of our last step known to be answered by another player; or 0."""
        return self._read(game_id).highest.get(_ANSWERED, 0)

    def _note_highest(self, game_id: bytes, kind: str, height: int) -> None:
        with self._opened(game_id) as (handle, notes):
            if height > notes.highest.get(kind, -1):
                self._append(handle, notes, [{kind: height}])

    def _read(self, game_id: bytes) -> _Notes:
        path = self.path(game_id)
        if private.folder().is_dir():
            private.ready()
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            return _Notes({}, set(), {}, b"")
        except OSError as error:
            raise FileError(f"{path} cannot be read: {error.strerror}.") from None
        private.checked(path)
        return _notes(data, path)

    @contextmanager
    def _opened(self, game_id: bytes) -> Iterator[tuple[int, _Notes]]:
        """Open and lock the file of a game; yield its handle and its contents."""
        path = self.path(game_id)
        private.ready(_FOLDER, self._who)
        with private.opened_to_append(path) as handle:
            notes = _notes(_all_of(handle), path)
            yield handle, notes
            # Locks do not work across computers that share or synchronize the folder.
            if _notes(_all_of(handle), path) != _notes(path.read_bytes(), path):
                raise _changed_elsewhere(path)

    @staticmethod
    def _append(handle: int, notes: _Notes, new: Iterable[Mapping[str, object]]) -> None:
        data = b"".join(map(_line, new))
        if not data:
            return
        # A partial line left by a crash is removed; it was never acted upon.
        os.ftruncate(handle, len(notes.data))
        os.lseek(handle, len(notes.data), os.SEEK_SET)
        written = 0
        while written < len(data):
            written += os.write(handle, data[written:])
        os.fsync(handle)


def _all_of(handle: int) -> bytes:
    os.lseek(handle, 0, os.SEEK_SET)
    parts = []
    while part := os.read(handle, 1 << 16):
        parts.append(part)
    return b"".join(parts)


def _line(note: Mapping[str, object]) -> bytes:
    text = json.dumps(note, sort_keys=True)
    return f"{_checksum(text)} {text}\n".encode()


def _checksum(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:_CHECK]


def _notes(data: bytes, path: Path) -> _Notes:
    """Read a journal. Raises FileError for a complete line that is not as it was written."""
    whole = data[: data.rfind(b"\n") + 1]
    notes = _Notes({}, set(), {}, whole)
    for number, line in enumerate(whole.splitlines(), start=1):
        check, _, text = line.decode("utf-8", "replace").partition(" ")
        if check != _checksum(text):
            raise _damaged(path, number)
        note = json.loads(text)
        for kind in _HIGHEST:
            if kind in note:
                notes.highest[kind] = max(note[kind], notes.highest.get(kind, 0))
        if "height" in note:
            signed = Signed(bytes.fromhex(note["hash"]), note.get("step", ""))
            notes.signed[note["height"]] = signed
        if _SUPERSEDED in note:
            notes.superseded.add(note[_SUPERSEDED])
        notes.superseded.difference_update({note.get(_STANDS)})
    return notes


def _new_notes(notes: _Notes, steps: Mapping[int, Signed]) -> list[dict[str, object]]:
    """Return the notes to add for steps. Raises SecondVersionError."""
    new: list[dict[str, object]] = []
    for height, (digest, step) in sorted(steps.items()):
        before = notes.signed.get(height)
        if before is None:
            note: dict[str, object] = {"height": height, "hash": digest.hex()}
            new.append({**note, "step": step} if step else note)
        elif before.digest != digest and height in notes.superseded:
            raise _signed_in_vain(height, before.step)
        elif before.digest != digest:
            raise _second_version(height, before.step)
    return new


def _demand_all_signed(
    notes: _Notes, copy: Copy, same: Callable[[str], bool]
) -> list[dict[str, object]]:
    """Require that a copy has the steps that were signed, except for the first one that it lacks if
    its move is made again; return the notes to add for that. Raises OldCopyError.
    """
    own = copy.own
    if own is None:
        return []
    missing = [
        height
        for height, signed in sorted(notes.signed.items())
        if height <= copy.height
        and height not in notes.superseded
        and own.get(height) != signed.digest
    ]
    if not missing:
        return []
    if not same(notes.signed[missing[0]].step):
        raise _other_copy(missing[0])
    return [{_SUPERSEDED: missing[0]}]


def _old_copy(end: int, later: int) -> OldCopyError:
    return OldCopyError(
        f"This copy of the game is old: it ends with step {end}, and your key has signed "
        f"step {later} since. Continue with the newer copy."
    )


def _other_copy(height: int) -> OldCopyError:
    return OldCopyError(
        f"Your key has signed step {height} of this game in another copy, and this copy "
        "has a different step in its place; nothing was signed, because a key continues "
        "one copy only. Use the copy that has it, or make the same move first."
    )


def _changed_elsewhere(path: Path) -> FileError:
    return FileError(
        f"{path} was changed by another computer at the same moment, so nothing was "
        "signed. If several computers share this folder, play at one of them at a time; "
        "try again."
    )


def _damaged(path: Path, number: int) -> FileError:
    return FileError(
        f"{path}, line {number}: the journal of what your key has signed is damaged, so "
        "nothing was signed. If you delete the file, it is restored from the newest copy "
        "of the record; do that only if you have not played from an older copy."
    )


def _signed_in_vain(height: int, step: str) -> SecondVersionError:
    return SecondVersionError(
        (
            f"Your key has already signed step {height} of this game, in a copy that does "
            "not count because it takes back a turn that another player had answered. Two "
            "versions of a step count as cheating, so nothing was signed: the others have to "
            "go on without you, or all begin a new game."
        ),
        height,
        step,
    )


def _second_version(height: int, step: str) -> SecondVersionError:
    if step:
        return SecondVersionError(
            (
                f"Your key has signed another version of step {height} of this game before, "
                "and two versions count as cheating; nothing was signed. If you have sent "
                "that one to somebody, continue with the copy of the record that has it; if "
                "a command was stopped before it could save it, make the same move again."
            ),
            height,
            step,
        )
    return SecondVersionError(
        (
            f"Your key has signed another version of step {height} of this game before, and "
            "two versions count as cheating; nothing was signed. Continue with the copy of "
            "the record that has it."
        ),
        height,
        step,
    )
