"""The key that plays sealed games on this computer: its file, a journal of what it has signed, and
a cache of what was checked, so that not every command spends seconds on checking proofs.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from porto_cli import home
from porto_cli.core import REFUSED, FileError, SentenceError, files, plural
from porto_cli.core.chance import sha256
from porto_cli.core.values import dumps
from porto_cli.sealed import IdentityError, PassphraseError
from porto_cli.sealed.steps import (
    Chain,
    Identity,
    SignedStep,
    is_protected,
    public_from_text,
    read_protected,
)
from porto_cli.sealed.steps import unprotect as unprotected

# -- The journal: what a key has signed, at most one version of each step of a game
#
# Two signed versions of one step prove cheating to everybody who compares them. An honest player
# could make them by accident: with an old copy of a record, or a command that was stopped between
# signing and saving. So every signature is noted here, on disk, *before* it leaves the program, and
# a second version is refused (the idea of EIP-3076). The note has the whole step, to recover one
# that was signed but not saved.
#
# There is one file for each key and game, and one line for each note, with a checksum. A line that
# was cut off by a crash was never acted on, so it is ignored.

_FOLDER = "journal"
_CHECK = 12
"""Hexadecimal digits of a line's checksum."""
SENT, ANSWERED = "sent", "answered"
"""The kinds of notes about the largest height: of a copy sent, and of a step of ours answered."""
_SUPERSEDED, _STANDS = "superseded", "stands"

_Note = Mapping[str, Any]


class SecondVersionError(SentenceError):
    """A second version of a step that this key has already signed."""

    exit_code = REFUSED


class OldCopyError(SentenceError):
    """A copy of a game that lacks a step that this key has signed in another one."""

    exit_code = REFUSED


class JournaledStep(NamedTuple):
    """A step that was signed: its hash and, unless it is unknown, the step itself as text."""

    digest: bytes
    step: str = ""


class _Notes(NamedTuple):
    signed: dict[int, JournaledStep]
    superseded: set[int]
    """Heights of steps that another player's have replaced, so that a copy may lack them."""
    highest: dict[str, int]
    """The largest height noted as ``SENT``, and as ``ANSWERED``."""
    end: int
    """The position in the file after the last whole line."""


class Journal:
    """What one key has signed.

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
        """Return the steps that were signed and not superseded, by height."""
        notes = self._read(game_id)
        return {at: step for at, step in notes.signed.items() if at not in notes.superseded}

    def allow(
        self,
        game_id: bytes,
        height: int,
        digest: bytes,
        step: str = "",
        *,
        own: Mapping[int, bytes] | None = None,
        same: Callable[[str], bool] = lambda step: False,
    ) -> None:
        """Note that a step is about to be signed; signing the same one again is fine.

        ``digest`` is the hash to be signed, ``step`` the step, to recover it after a crash. ``own``
        has the hashes of the key's steps, by height, in the copy to which the step is added. That
        copy must have everything that was signed before, except for the first step that it lacks if
        the new one is the ``same``; with ``None`` this is not checked. On return the note is on
        disk. Raises SecondVersionError, OldCopyError.
        """

        def to_add(notes: _Notes) -> list[_Note]:
            new = _new_notes(notes, {height: JournaledStep(digest, step)})
            given_up = _demand_all_signed(notes, height, own, same) if own is not None else []
            if height not in notes.signed and any(other > height for other in notes.signed):
                raise OldCopyError(
                    f"This copy of the game is old: it ends with step {height - 1}, and your key "
                    f"has signed step {max(notes.signed)} since. Continue with the newer copy."
                )
            return [*given_up, *new]

        self._note(game_id, to_add)

    def learn(self, game_id: bytes, own: Mapping[int, bytes]) -> None:
        """Note the hashes of our steps in a record, by height.

        Warns the user if the journal knew nothing about the game although the record has steps of
        ours. Raises SecondVersionError if one of them differs from the one signed here.
        """
        if not own:
            return
        known = self.knows(game_id)
        steps = {height: JournaledStep(digest) for height, digest in own.items()}
        self._note(game_id, lambda notes: _new_notes(notes, steps))
        if not known:
            files.warn(
                "The journal on this computer had nothing about this game, in which your key has "
                f"signed {plural(len(own), 'step')} according to this record: the journal was "
                "lost, or you have played on another computer. It was restored from the record. "
                "Continue only if you have not played from here elsewhere: two versions of one "
                "step count as cheating."
            )

    def supersede(self, game_id: bytes, given_up: Iterable[int], stand: Iterable[int]) -> None:
        """Note that another player's steps have replaced some of ours, and which of ours stand.

        A copy may lack the replaced steps, and their moves can be signed again in it.
        """
        gone, stay = set(given_up), set(stand)

        def to_add(notes: _Notes) -> Iterable[_Note]:
            for height in sorted(gone & notes.signed.keys() - notes.superseded):
                yield {_SUPERSEDED: height}
            for height in sorted(stay & notes.superseded):
                yield {_STANDS: height}

        self._note(game_id, to_add)

    def highest(self, game_id: bytes, kind: str) -> int:
        """Return the largest height that was noted of a kind; 0 if there is none.

        ``SENT`` is the last step that was sent to somebody, ``ANSWERED`` the last step of ours that
        another player has answered in any copy opened here.
        """
        return self._read(game_id).highest.get(kind, 0)

    def note_highest(self, game_id: bytes, kind: str, height: int) -> None:
        """Note a height as :meth:`highest` returns it, unless a larger one was noted."""
        if height > self.highest(game_id, kind):
            self._note(game_id, lambda _: [{kind: height}])

    def _read(self, game_id: bytes) -> _Notes:
        path = self.path(game_id)
        # A chain is so short that no journal of a game is too large for this.
        text = home.read_private(path)
        return _notes((text or "").encode("utf-8", "surrogateescape"), path)

    def _note(self, game_id: bytes, to_add: Callable[[_Notes], Iterable[_Note]]) -> None:
        """Add the notes that ``to_add`` makes of those before; on return they are on disk."""
        path = self.path(game_id)
        home.private_ready(_FOLDER, self._who)
        with home.opened_to_append(path) as file:
            notes = _notes(file.read(), path)
            data = b"".join(map(_line, to_add(notes)))
            if data:
                # This removes a partial line left by a crash; it was never acted on.
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
    """Read a journal. Raises FileError for a complete line that was changed."""
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
    """Return the notes that steps add. Raises SecondVersionError."""
    new: list[_Note] = []
    for height, (digest, step) in sorted(steps.items()):
        before = notes.signed.get(height)
        if before is None:
            new.append({"height": height, "hash": digest.hex()} | ({"step": step} if step else {}))
        elif before.digest != digest:
            in_vain = height in notes.superseded
            raise SecondVersionError(_why_not_again(height, before.step, in_vain=in_vain))
    return new


def _demand_all_signed(
    notes: _Notes, before: int, own: Mapping[int, bytes], same: Callable[[str], bool]
) -> list[_Note]:
    """Require that a copy has all signed steps below the height ``before``, except for the first
    one that it lacks if the new step makes the same move; return the notes that this adds.

    Raises OldCopyError.
    """
    missing = [
        height
        for height, signed in sorted(notes.signed.items())
        if height < before and height not in notes.superseded and own.get(height) != signed.digest
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


# -- The file with a player's secret key: one line, which only its user can read
#
# The key is created when it is first needed. No command loses it: it is replaced only after a copy
# was kept. Former versions could protect a key with a passphrase; such a key can still be opened.

KEY_NAME = "key.txt"
_BACKUP_NAME = "backup.txt"
_PUBLIC = "# public key: "
_HEAD = (
    "# The secret key of a player of porto(1). Whoever has it can play for you and see "
    "what you\n# were dealt. Do not show it to anyone, and keep a copy: porto key export\n"
)


class StoredKey(NamedTuple):
    """The key as stored in its file.

    ``path``       the file
    ``text``       the whole file
    ``line``       the line with the secret
    ``public``     the public key as a text; for a protected key as noted in the file (or empty),
                   which is verified when the key is opened
    ``protected``  whether opening it takes a passphrase
    """

    path: Path
    text: str
    line: str
    public: str
    protected: bool


def key_file() -> Path:
    """Return the file of the key; it need not exist. Raises FileError."""
    return home.private_folder() / KEY_NAME


def stored_key() -> StoredKey | None:
    """Return the key as stored in its file; None if there is none.

    Raises FileError for a file that is damaged or owned by another user.
    """
    file = key_file()
    text = home.read_private(file)
    if text is None:
        return None
    try:
        return read(text, file)
    except IdentityError as error:
        raise _damaged(file, error.sentence) from None


def read(text: str, file: Path) -> StoredKey:
    """Parse the text of a key file. Raises IdentityError."""
    lines = [line.strip() for line in text.splitlines()]
    noted = [line.removeprefix(_PUBLIC).strip() for line in lines if line.startswith(_PUBLIC)]
    secrets = [line for line in lines if line and not line.startswith("#")]
    if len(secrets) != 1:
        raise IdentityError(f"It should have one line with a key, and has {len(secrets)}.")
    (line,) = secrets
    if not is_protected(line):
        return StoredKey(file, text, line, Identity.from_text(line).public_text, protected=False)
    # Before prompting for the passphrase.
    read_protected(line)
    public = "".join(noted[:1])
    if public:
        public_from_text(public)
    return StoredKey(file, text, line, public, protected=True)


def make_key() -> StoredKey:
    """Create a key and return it, or the one that another program has just created.

    Raises FileError.
    """
    home.private_ready()
    new = Identity.new()
    home.write_private(key_file(), text_for(new.secret_text, new.public_text), None)
    found = stored_key()
    assert found is not None
    return found


def text_for(line: str, public: str) -> str:
    """Return the text of a key file."""
    return f"{_HEAD}{_PUBLIC}{public}\n{line}\n"


def opened(key: StoredKey, ask: Callable[[], str]) -> Identity:
    """Open a key; ``ask`` is called for the passphrase if one is needed.

    Raises PassphraseError if it is wrong, FileError if the file is damaged, and what ``ask``
    raises.
    """
    try:
        found = unprotected(key.line, ask()) if key.protected else Identity.from_text(key.line)
    except PassphraseError:
        raise
    except IdentityError as error:
        raise _damaged(key.path, error.sentence) from None
    if key.public and found.public_text != key.public:
        raise _damaged(
            key.path,
            f"It says that its public key is {key.public}, but that is {found.public_text}.",
        )
    return found


def unprotect(key: StoredKey, identity: Identity) -> None:
    """Rewrite the key file without a passphrase. Raises FileError."""
    _replace(key.path, text_for(identity.secret_text, identity.public_text), key.text)


def put(new: StoredKey, identity: Identity) -> Path | None:
    """Replace the key, and return the file in which the old one is kept; None if there was none.

    Raises FileError.
    """
    home.private_ready()
    old = home.read_private(key_file())
    kept = None if old is None else _kept(old)
    _replace(key_file(), text_for(new.line, identity.public_text), old)
    return kept


def _kept(old: str) -> Path:
    """Write a key that is about to be replaced to a new file, and return that."""
    for number in count(1):
        file = key_file().with_name(f"old-key-{number}.txt")
        text = home.read_private(file)
        if text == old or (text is None and home.write_private(file, old, None)):
            break
    return file


def _replace(file: Path, text: str, was: str | None) -> None:
    if not home.write_private(file, text, was):
        raise FileError(
            f"{file} was changed by another program in the meantime; this command left it alone."
        )


def _damaged(file: Path, why: str) -> FileError:
    return FileError(
        f"{file} should hold your key, and is damaged or was made by something else. "
        f"{why} It was not changed. 'porto key import BACKUP' puts a backup in its place "
        "and keeps it."
    )


# -- Backups


def has_backup(public: str) -> bool:
    """Return whether a backup of a public key was made on this computer. Raises FileError."""
    text = home.read_private(home.private_folder() / _BACKUP_NAME)
    return f"made {public}" in (text or "").splitlines()


def note_backup(public: str) -> None:
    """Note that a backup of a key was made. Raises FileError."""
    home.note(home.private_folder() / _BACKUP_NAME, f"made {public}")


# -- The key with its journal


class KeyHolder:
    """A key with its journal. Without a key it only remembers what was checked.

    ``opened`` opens the key, which may take a passphrase: nothing here prompts.
    """

    def __init__(self, public: bytes = b"", opened: Callable[[], Identity] | None = None) -> None:
        self.public = public
        self._opened = opened
        self.journal = Journal(public)
        self._signed_in: dict[bytes, dict[int, bytes]] = {}

    @cached_property
    def identity(self) -> Identity:
        """The secret key, opened when it is first needed. Raises PortoError."""
        assert self._opened is not None
        return self._opened()

    def prepare(self, chain: Chain) -> None:
        """Note all that the key has signed in a record. Raises SecondVersionError, FileError."""
        own = self._own_steps(chain)
        self.journal.learn(chain.game, own)
        self._signed_in[chain.game] = own

    def _own_steps(self, chain: Chain) -> dict[int, bytes]:
        """Return the hashes of the steps that the key has signed in a copy, by height."""
        return {
            step.height: step.hash(chain.game) for step in chain.steps if self._is_own(chain, step)
        }

    def sign(self, game: bytes, draft: SignedStep) -> SignedStep:
        """Sign a step, after noting this version of it in the journal.

        Raises SecondVersionError, OldCopyError, FileError.
        """
        step = draft._replace(signature=self.identity.sign(draft.message(game)))
        own = self._signed_in.get(game)
        self.journal.allow(
            game,
            step.height,
            step.hash(game),
            dumps(step.to_json()),
            own=own,
            same=lambda before: _is_same(before, step.content),
        )
        if own is not None:
            own[step.height] = step.hash(game)
        return step

    def see(self, chain: Chain) -> None:
        """Note our last step in a copy after which another player has made one."""
        last = max(
            (step.height for step in chain.steps if not self._is_own(chain, step)), default=0
        )
        own = [step.height for step in chain.steps[:last] if self._is_own(chain, step)]
        if self.public and own:
            # Looking at a game must not require write access.
            with suppress(FileError):
                self.journal.note_highest(chain.game, ANSWERED, own[-1])

    def give_way(self, old: Chain, new: Chain) -> None:
        """Note that the copy ``new`` replaces ``old``, some of whose steps it lacks.

        Raises FileError.
        """
        gone, stay = self._own_steps(old), self._own_steps(new)
        if gone:
            self.journal.learn(old.game, gone)
            self.journal.supersede(old.game, gone.keys() - stay.keys(), stay)

    def give_up(self, chain: Chain, is_overruled: Callable[[SignedStep], bool]) -> None:
        """Note that a copy may lack what was signed here, from the first step that it lacks on, if
        that step is overruled in it.

        Raises FileError.
        """
        own = self._own_steps(chain)
        signed = sorted(self.journal.signed(chain.game).items())
        missing = {height: one.step for height, one in signed if height not in own}
        first = next(iter(missing.values()), "")
        if first and is_overruled(SignedStep.from_json(json.loads(first))):
            self.journal.supersede(chain.game, missing, ())

    def _is_own(self, chain: Chain, step: SignedStep) -> bool:
        return chain.key_of(step) == self.public

    def note_sent(self, chain: Chain) -> None:
        """Note that a copy with these steps was sent to somebody. Raises FileError."""
        if self.public in chain.keys.values():
            self.journal.note_highest(chain.game, SENT, chain.head.height)

    def has_unsent(self, chain: Chain) -> bool:
        """Return whether the key has signed the last step, and never sent it to anybody.

        Raises FileError.
        """
        is_own = self._is_own(chain, chain.steps[-1])
        return is_own and self.journal.highest(chain.game, SENT) < chain.head.height


def _is_same(before: str, content: Mapping[str, Any]) -> bool:
    """Return whether a step signed before, given as text, makes the same move as a new one.

    Commitment and release are not compared, as they depend on the place of the step.
    """
    old = json.loads(before)["content"] if before else {}
    return all(old.get(key) == content.get(key) for key in ("by", "kind", "entries", "without"))


def own(*, make: bool) -> KeyHolder:
    """Return the key of this computer; with ``make``, create one if there is none.

    A key with a passphrase is left out without ``make``, and games are shown as to anybody; with
    ``make`` it raises PassphraseError once its secret is needed. Raises FileError.
    """
    stored = stored_key() or (make_key() if make else None)
    if stored is None or (stored.protected and not make):
        return KeyHolder()
    return holder_of(stored, lambda: opened(stored, _no_passphrase))


def own_public() -> bytes:
    """Return the public key of this computer, or empty bytes. Raises FileError."""
    stored = stored_key()
    return public_from_text(stored.public) if stored and stored.public else b""


def holder_of(stored: StoredKey, opened: Callable[[], Identity]) -> KeyHolder:
    """Return a holder of a stored key; ``opened`` is called when its secret is needed."""
    public = public_from_text(stored.public) if stored.public else opened().public
    return KeyHolder(public, opened)


def _no_passphrase() -> str:
    raise PassphraseError("The key on this computer takes a passphrase.")


# -- The cache of what was checked
#
# Signatures are checked every time; proofs and revealed seeds, which take long, are not. The hash
# of a step covers all content up to it, so the hash of the last verified step is cached, together
# with the version of the checks. The cache is trusted only in a folder that nobody but its owner
# can write to; there, a person who could forge an entry could also replace the key. An
# authentication code made with the key would not stop them either, and would require a passphrase
# for every look at a game.


VERSION = 1
"""The version of the checks. What an older one has passed is checked again."""
_FILE = "verified.txt"


def last_verified(each: Sequence[bytes]) -> int:
    """Return the number, from 1, of the last of these that was verified before, or 0. Never raises
    an error.
    """
    with suppress(OSError, FileError):
        path = home.private_folder() / _FILE
        if path.exists():
            # Both are closed, whichever was open.
            if not home.private_ready() | home.close_to_others(path):
                noted = set((home.read_private(path) or "").splitlines())
                numbered = reversed([*enumerate(each, start=1)])
                return next((number for number, data in numbered if _mark(data) in noted), 0)
            # Other users could have put it there.
            path.unlink()
    return 0


def remember_chain(chain: Chain, keys: KeyHolder | None) -> None:
    """Note that a chain was fully verified, with everything that its steps prove."""
    if keys and chain.known < len(chain.steps):
        remember(chain.head.hash)


def remember(data: bytes) -> None:
    """Note that exactly these bytes were verified. If they cannot be noted, they are checked again
    next time.
    """
    if not last_verified([data]):
        with suppress(OSError, FileError):
            home.private_ready()
            home.note(home.private_folder() / _FILE, _mark(data))


def _mark(data: bytes) -> str:
    return f"{VERSION}-{sha256(b'porto/verified/' + data).hexdigest()}"
