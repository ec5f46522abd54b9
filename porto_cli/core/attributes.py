"""What a file keeps when a new one takes its place: owner, group, mode, and on Linux its access
control list and extended attributes.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from porto_cli.core.message import Sentence, say

_ACCESS = {"system.posix_acl_access", "system.nfs4_acl"}
"""The extended attributes that hold an access control list."""
_OF_THE_CONTENTS = {"security.evm", "security.ima"}
"""Checksums that the system makes of a file, which are another one for another file."""


def keep(path: Path, old: int, new: int) -> tuple[Sentence, ...]:
    """Give a new file what the old one has, both opened; ``path`` is its name in messages.

    Returns what could not be kept. The new file never lets anybody do more than the old one.
    """
    if sys.platform == "win32":
        return ()
    was = os.fstat(old)
    lost = [*_owner_and_group(path, was, new), *_attributes(path, old, new)]
    mode = stat.S_IMODE(was.st_mode)
    is_now = os.fstat(new)
    if is_now.st_uid != was.st_uid:
        mode &= ~(stat.S_ISUID | stat.S_ISGID)
    if is_now.st_gid != was.st_gid:
        # Another group may do what everybody may, and no more.
        mode &= ~stat.S_ISGID & ~(~mode << 3 & stat.S_IRWXG)
    try:
        os.fchmod(new, mode)
    except OSError:
        lost.append(say("The permissions of {file} could not be kept.", file=path))
    return tuple(lost)


def _owner_and_group(path: Path, was: os.stat_result, new: int) -> Iterator[Sentence]:
    is_now = os.fstat(new)
    if is_now.st_gid != was.st_gid:
        try:
            os.fchown(new, -1, was.st_gid)
        except OSError:
            yield say(
                "The group of {file} could not be kept; its members may now do what everybody may.",
                file=path,
            )
    if is_now.st_uid != was.st_uid:
        try:
            os.fchown(new, was.st_uid, -1)
        except OSError:
            yield say("The owner of {file} could not be kept: it is yours now.", file=path)


def _attributes(path: Path, old: int, new: int) -> Iterator[Sentence]:
    if sys.platform != "linux":
        return
    wanted, present = _read(old), _read(new)
    for name in present.keys() - wanted.keys():
        # The access control list that new files of the folder get.
        if name in _ACCESS:
            with suppress(OSError):
                os.removexattr(new, name)
    for name, value in wanted.items():
        if present.get(name) == value or name in _OF_THE_CONTENTS:
            continue
        try:
            os.setxattr(new, name, value)
        except OSError:
            yield (
                say("The access control list of {file} could not be kept.", file=path)
                if name in _ACCESS
                else say("The attribute {name} of {file} could not be kept.", name=name, file=path)
            )


def _read(handle: int) -> dict[str, bytes]:
    """Return the extended attributes of a file, none if its file system has none."""
    attributes = {}
    with suppress(OSError):
        for name in os.listxattr(handle):
            with suppress(OSError):
                attributes[name] = os.getxattr(handle, name)
    return attributes
