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
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from porto_cli import home
from porto_cli.core.chance import sha256
from porto_cli.core.message import REFUSED, FileError, SentenceError, plural

_FOLDER = "journal"
_CHECK = 12
"""Hexadecimal digits of a line's checksum."""
SENT, ANSWERED = "sent", "answered"
"""Of what the journal knows the largest height: of copies, and of our own steps."""
_SUPERSEDED, _STANDS = "superseded", "stands"

_Note = Mapping[str, Any]


class SecondVersionError(SentenceError):
    """A second version of a step that was signed before."""

    exit_code = REFUSED


class OldCopyError(SentenceError):
    """A copy of a game that lacks a step that was signed in another one."""

    exit_code = REFUSED


class JournaledStep(NamedTuple):
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
    signed: dict[int, JournaledStep]
    superseded: set[int]
    """Heights of steps that were replaced by another player's, and may be missing in a copy."""
    highest: dict[str, int]
    """The largest height that was ``SENT``, and that was ``ANSWERED``."""
    end: int
    """Where the last whole line of the file ends."""


class Journal:
    """What one key has signed. ``game_id`` is a game's id as bytes.

    All methods raise FileError if the journal cannot be read or written, or is damaged.
    """

    def __init__(self, public: bytes) -> None:
        self._who = sha256(public).hexdigest()[:16]

    def path(self, game_id: bytes) -> Path:
        """Return the file of a game; it need not exist."""
        return home.private_folder() / _FOLDER / self._who / f"{game_id.hex()}.txt"

    def knows(self, game_id: bytes) -> bool:
        """Return whether anything is noted about a game."""
        notes = self._read(game_id)
        return bool(notes.signed) or SENT in notes.highest

    def signed(self, game_id: bytes) -> Mapping[int, JournaledStep]:
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

        def to_add(notes: _Notes) -> list[_Note]:
            new = _new_notes(notes, {height: JournaledStep(digest, step)})
            if copy is None:
                return new
            given_up = _demand_all_signed(notes, copy, same)
            if height not in notes.signed and any(other > height for other in notes.signed):
                raise OldCopyError(
                    f"This copy of the game is old: it ends with step {copy.height}, and your key "
                    f"has signed step {max(notes.signed)} since. Continue with the newer copy."
                )
            return [*given_up, *new]

        self._note(game_id, to_add)

    def learn(self, game_id: bytes, own: Mapping[int, bytes]) -> tuple[str, ...]:
        """Note our steps in a record: the hash of each by its height.

        Returns a sentence if nothing was noted about a game in which steps were signed before.
        Raises SecondVersionError if a step of the record differs from the one signed here.
        """
        if not own:
            return ()
        known = self.knows(game_id)
        steps = {height: JournaledStep(digest) for height, digest in own.items()}
        self._note(game_id, lambda notes: _new_notes(notes, steps))
        if known:
            return ()
        return (
            "The journal on this computer had nothing about this game, in which your key has "
            f"signed {plural(len(own), 'step')} according to this record: the journal was lost, or "
            "you have played on another computer. It was restored from the record. Continue only "
            "if you have not played from here elsewhere: two versions of one step count as "
            "cheating.",
        )

    def supersede(self, game_id: bytes, given_up: Iterable[int], stand: Iterable[int]) -> None:
        """Note that steps were replaced by those of another player, and which of ours remain.

        A copy may lack the replaced steps, and their moves can be signed again on it.
        """
        gone, stay = set(given_up), set(stand)

        def to_add(notes: _Notes) -> Iterable[_Note]:
            for height in sorted(gone & notes.signed.keys() - notes.superseded):
                yield {_SUPERSEDED: height}
            for height in sorted(stay & notes.superseded):
                yield {_STANDS: height}

        self._note(game_id, to_add)

    def highest(self, game_id: bytes, kind: str) -> int:
        """Return the height of the last step that was ``SENT`` to somebody, or the last one of ours
        that was ``ANSWERED`` in any copy that was opened here; or 0.
        """
        return self._read(game_id).highest.get(kind, 0)

    def note_highest(self, game_id: bytes, kind: str, height: int) -> None:
        """Note that a copy whose last step has this height was ``SENT``, or that another player has
        ``ANSWERED`` our step of this height in some copy. What is noted already needs no writing.
        """
        if height > self.highest(game_id, kind):
            self._note(game_id, lambda _: [{kind: height}])

    def _read(self, game_id: bytes) -> _Notes:
        path = self.path(game_id)
        if home.private_folder().is_dir():
            home.private_ready()
        # A chain has so few values that no journal of a game is too large for this.
        text, _ = home.read_private(path)
        return _notes((text or "").encode("utf-8", "surrogateescape"), path)

    def _note(self, game_id: bytes, to_add: Callable[[_Notes], Iterable[_Note]]) -> None:
        """Add to the notes what follows from them; on return it is on disk."""
        path = self.path(game_id)
        home.private_ready(_FOLDER, self._who)
        with home.opened_to_append(path) as file:
            notes = _notes(file.read(), path)
            data = b"".join(map(_line, to_add(notes)))
            if data:
                # A partial line left by a crash is removed; it was never acted upon.
                file.truncate(notes.end)
                file.seek(notes.end)
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            file.seek(0)
            # Locks do not work across computers that share or synchronize the folder.
            if file.read() != path.read_bytes():
                raise FileError(
                    f"{path} was changed by another computer at the same moment, so nothing was "
                    "signed. If several computers share this folder, play at one of them at a "
                    "time; try again."
                )


def _line(note: _Note) -> bytes:
    text = json.dumps(note, sort_keys=True)
    return f"{_checksum(text)} {text}\n".encode()


def _checksum(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:_CHECK]


def _notes(data: bytes, path: Path) -> _Notes:
    """Read a journal. Raises FileError for a complete line that is not as it was written."""
    end = data.rfind(b"\n") + 1
    notes = _Notes({}, set(), {}, end)
    for number, line in enumerate(data[:end].splitlines(), start=1):
        check, _, text = line.decode("utf-8", "replace").partition(" ")
        if check != _checksum(text):
            raise FileError(
                f"{path}, line {number}: the journal of what your key has signed is damaged, so "
                "nothing was signed. If you delete the file, it is restored from the newest copy "
                "of the record; do that only if you have not played from an older copy."
            )
        note = json.loads(text)
        for kind in note.keys() & {SENT, ANSWERED}:
            notes.highest[kind] = max(note[kind], notes.highest.get(kind, 0))
        if "height" in note:
            signed = JournaledStep(bytes.fromhex(note["hash"]), note.get("step", ""))
            notes.signed[note["height"]] = signed
        if _SUPERSEDED in note:
            notes.superseded.add(note[_SUPERSEDED])
        notes.superseded.difference_update({note.get(_STANDS)})
    return notes


def _new_notes(notes: _Notes, steps: Mapping[int, JournaledStep]) -> list[_Note]:
    """Return the notes to add for steps. Raises SecondVersionError."""
    new: list[_Note] = []
    for height, (digest, step) in sorted(steps.items()):
        before = notes.signed.get(height)
        if before is None:
            new.append({"height": height, "hash": digest.hex()} | ({"step": step} if step else {}))
        elif before.digest != digest:
            in_vain = height in notes.superseded
            raise SecondVersionError(_why_not_again(height, before.step, in_vain=in_vain))
    return new


def _demand_all_signed(notes: _Notes, copy: Copy, same: Callable[[str], bool]) -> list[_Note]:
    """Require that a copy has the steps that were signed, except for the first one that it lacks if
    its move is made again; return the notes to add for that. Raises OldCopyError.
    """
    missing = [
        height
        for height, signed in sorted(notes.signed.items())
        if copy.own is not None
        and height <= copy.height
        and height not in notes.superseded
        and copy.own.get(height) != signed.digest
    ]
    if missing and not same(notes.signed[missing[0]].step):
        raise OldCopyError(
            f"Your key has signed step {missing[0]} of this game in another copy, and this copy "
            "has a different step in its place; nothing was signed, because a key continues "
            "one copy only. Use the copy that has it, or make the same move first."
        )
    return [{_SUPERSEDED: height} for height in missing[:1]]


def _why_not_again(height: int, step: str, *, in_vain: bool) -> str:
    if in_vain:
        return (
            f"Your key has already signed step {height} of this game, in a copy that does not "
            "count because it takes back a turn that another player had answered. Two versions of "
            "a step count as cheating, so nothing was signed: the others have to go on without "
            "you, or all begin a new game."
        )
    another = (
        f"Your key has signed another version of step {height} of this game before, and two "
        "versions count as cheating; nothing was signed. "
    )
    if not step:
        return f"{another}Continue with the copy of the record that has it."
    return (
        f"{another}If you have sent that one to somebody, continue with the copy of the record "
        "that has it; if a command was stopped before it could save it, make the same move again."
    )
