"""Errors: each knows its sentences, can be pickled, and repeats no megabytes."""

from __future__ import annotations

import pickle
import pkgutil
from contextlib import suppress
from importlib import import_module
from itertools import product
from typing import cast

import pytest

import porto_cli
from porto_cli.core import (
    AmbiguousMoveError,
    CommandError,
    FileError,
    InvalidMoveError,
    PlayerNotNamedError,
    PortoError,
    RefusedError,
    SentenceError,
    UnknownNameError,
    Violation,
    WrongUsageError,
)
from porto_cli.core.chance import NothingTypedError, NotInPileError
from porto_cli.core.files import ChangedError, NameTakenError
from porto_cli.core.yaml import (
    AnotherKindError,
    DamagedFileError,
    InvalidFileError,
    MissingKeyError,
    NotKnownHereError,
    Place,
)
from porto_cli.games import UnusableGameError
from porto_cli.mail.account import AccountError, DeferredMailError, RefusedMailError, SendError
from porto_cli.mail.addresses import NoAddressError
from porto_cli.mail.errors import UnsentError
from porto_cli.match.items import IllegalMoveError
from porto_cli.match.record import NotReadyError, Record
from porto_cli.match.trial import UncertainMoveError
from porto_cli.players.named import UnknownPlayerError, WrittenPlayerError
from porto_cli.sealed import IdentityError, PassphraseError, ProofError
from porto_cli.sealed.chain import OtherKeyError
from porto_cli.sealed.holder import OldCopyError, SecondVersionError
from porto_cli.sealed.source import NotNowError
from tests.conftest import ROOT
from tests.shares import for_each

SENTENCE = "'This' is wrong."
EXAMPLES: dict[str, PortoError] = {
    "SentenceError": SentenceError(SENTENCE),
    "FileError": FileError(SENTENCE, ("porto show friday.yaml",)),
    "NameTakenError": NameTakenError(SENTENCE),
    "ChangedError": ChangedError(SENTENCE),
    "InvalidFileError": InvalidFileError(Place("a.yaml", 3, 4), SENTENCE),
    "DamagedFileError": DamagedFileError(Place("a.yaml", 3, 4), SENTENCE),
    "AnotherKindError": AnotherKindError(Place("a.yaml", 3, 4), SENTENCE),
    "MissingKeyError": MissingKeyError(Place("a.yaml", 3, 4), SENTENCE),
    "NotKnownHereError": NotKnownHereError(Place("a.yaml", 3, 4), SENTENCE),
    "InvalidMoveError": InvalidMoveError(SENTENCE, ("this",)),
    "AmbiguousMoveError": AmbiguousMoveError(SENTENCE),
    "UnknownNameError": UnknownNameError(SENTENCE, ("Ana", "Rui"), "Eva"),
    "NotReadyError": NotReadyError("a.yaml", 2, 5, "Ana", cast("Record", None), ""),
    "NotNowError": NotNowError(SENTENCE),
    "OtherKeyError": OtherKeyError(SENTENCE),
    "OldCopyError": OldCopyError(SENTENCE),
    "UncertainMoveError": UncertainMoveError(SENTENCE),
    "IllegalMoveError": IllegalMoveError([Violation("P-DRAW-1", SENTENCE)]),
    "SecondVersionError": SecondVersionError(SENTENCE),
    "CommandError": CommandError([SENTENCE], ["porto help"]),
    "WrongUsageError": WrongUsageError([SENTENCE], ["porto help"]),
    "RefusedError": RefusedError([Violation("P-DRAW-1", SENTENCE)]),
    "PlayerNotNamedError": PlayerNotNamedError([SENTENCE], ["porto help"]),
    "NoAddressError": NoAddressError(SENTENCE),
    "AccountError": AccountError(SENTENCE),
    "UnsentError": UnsentError([SENTENCE], ["porto help"]),
    "SendError": SendError(SENTENCE),
    "DeferredMailError": DeferredMailError(SENTENCE),
    "RefusedMailError": RefusedMailError(SENTENCE),
    "NothingTypedError": NothingTypedError("cards", b"\1\2"),
    "NotInPileError": NotInPileError("cards", 1, b"\2"),
    "ProofError": ProofError(SENTENCE, 7, "Ana"),
    "IdentityError": IdentityError(SENTENCE),
    "PassphraseError": PassphraseError(SENTENCE),
    "UnknownPlayerError": UnknownPlayerError(SENTENCE),
    "UnusableGameError": UnusableGameError(SENTENCE),
    "WrittenPlayerError": WrittenPlayerError(SENTENCE),
}


def every_error() -> list[type[PortoError]]:
    for module in pkgutil.walk_packages(porto_cli.__path__, "porto_cli."):
        if not module.name.endswith("__main__"):
            with suppress(ModuleNotFoundError):  # what needs an extra that is not installed
                import_module(module.name)
    found = [PortoError]
    for kind in found:
        found += kind.__subclasses__()
    return [kind for kind in found[1:] if kind.__module__.startswith("porto_cli.")]


def test_every_error_can_be_pickled() -> None:
    """A bot that searches in several processes gets its errors from there."""
    for kind, protocol in product(every_error(), range(pickle.HIGHEST_PROTOCOL + 1)):
        error = EXAMPLES[kind.__name__]
        assert type(error) is kind
        again = pickle.loads(pickle.dumps(error, protocol))
        assert type(again) is kind
        assert (str(again), again.args, vars(again)) == (str(error), error.args, vars(error))
        assert again.exit_code == error.exit_code, kind


RECORD = (ROOT / "records" / "porto" / "real-table.yaml").read_text("utf-8")
MUCH = "x" * 9_000


@for_each(
    ("old", "new"),
    [
        ("title: Sunday with the box", f"title: {MUCH}"),
        ("players: [Joana", f"players: [{MUCH}"),
        ("players: [Joana", "players: [" + "가" * 9_000),
        ("edition: mebo-2019", f"edition: {MUCH}"),
        ("secrecy: table", f"secrecy: {MUCH}"),
        ("porto: 1", f"porto: {MUCH}"),
        ("rules: 1", f'rules: 1\n? "{MUCH}"\n: 1'),
        ("draw blue-1 green-1", f"draw {MUCH}"),
        ("draw blue-1 green-1", f"{MUCH} blue-1"),
        ("draw blue-1 green-1", "draw " + "blue-1 " * 1_400),
        ("refill: purple-1 purple-3", f"refill: {MUCH}"),
        ("refill: purple-1 purple-3", "refill: " + "purple-1 " * 1_000),
        ("- Joana: draw blue-1", f'- "{MUCH[:900]}": draw blue-1'),
        ("porto: 1", "porto: 1\ntitle: !<" + MUCH + "> a"),
        ("porto: 1", "porto: 1\ntitle: *" + MUCH),
    ],
)
def test_no_message_repeats_what_is_long(old: str, new: str) -> None:
    assert old in RECORD
    with pytest.raises(InvalidFileError) as caught:
        porto_cli.loads(RECORD.replace(old, new, 1))
    assert len(str(caught.value)) < 1_000, str(caught.value)


def test_texts_of_a_record_have_a_greatest_length() -> None:
    for new, most in (("title: " + "🦜" * 1_000, 1_000), (f"title: '{'a' * 1_000}'", 1_000)):
        text = RECORD.replace("title: Sunday with the box", new, 1)
        assert len(porto_cli.loads(text).record.title) == most
    with pytest.raises(InvalidFileError, match="1000 characters, not 1001"):
        porto_cli.loads(RECORD.replace("title: Sunday", "title: " + "a" * 988, 1))
    with pytest.raises(InvalidFileError, match=r"record:4:8: .* 10000 characters"):
        porto_cli.loads(RECORD.replace("title: Sunday", "title: " + "a" * 10_000, 1))
    comment = "# " + "a" * 100_000 + "\n"
    assert porto_cli.loads(comment + RECORD).digest == porto_cli.loads(RECORD).digest
    with pytest.raises(ValueError, match="1000 characters"):
        porto_cli.new_game(["Ana"], title="a" * 1_001)


def test_a_name_of_an_edition_has_one_too(porto, tmp_path) -> None:
    from porto_cli.games.porto.editions import DEFAULT, edition_lines, edition_of_text, shipped

    lines = edition_lines(shipped(DEFAULT))
    edition_of_text("\n".join(["name: " + "a" * 1_000, *lines[1:]]), "box.yaml")
    with pytest.raises(InvalidFileError, match="1000 characters"):
        edition_of_text("\n".join(["name: " + "a" * 1_001, *lines[1:]]), "box.yaml")


def test_an_edition_is_read_no_further_than_a_record(porto, tmp_path) -> None:
    endless = "/dev/zero"
    refused = porto("new", "g.yaml", "Ana", "--edition", endless)
    assert refused.code == 3
    assert "8 MiB" in refused.err


@pytest.mark.parametrize(
    ("word", "near"),
    [("bleu-1", "blue-1"), ("RED1", "red-1"), ("blue-9", ""), ("palette", "")],
)
def test_the_name_that_was_probably_meant_is_proposed(word: str, near: str) -> None:
    """Not if several are equally like it, or none is."""
    error = InvalidMoveError("That is no card.", ("blue-1", "blue-2", "red-1", "L4"), word)
    assert list(map(str, error.sentences))[1:] == [f"Did you mean {near}?"] * bool(near)
