"""Keys as text, with a checksum and with a passphrase."""

from __future__ import annotations

import re

import pytest
from nacl.exceptions import RuntimeError as CryptoRuntimeError

from porto_cli import sealed
from porto_cli.core import INVALID, REFUSED
from porto_cli.sealed import IdentityError, PassphraseError, steps
from porto_cli.sealed.steps import (
    BITS,
    Identity,
    is_protected,
    public_from_text,
    public_text,
    read_protected,
    table_code,
    unprotect,
    verify,
)
from tests.protected_keys import protected
from tests.sealed.people import NEUTRAL, SMALL
from tests.shares import for_each

ANA = Identity(bytes(range(32)))

# -- Bech32: the test vectors of BIP-173

VALID = [
    "A12UEL5L",
    "a12uel5l",
    "an83characterlonghumanreadablepartthatcontainsthenumber1andtheexcludedcharactersbio1tt5tgs",
    "abcdef1qpzry9x8gf2tvdw0s3jn54khce6mua7lmqqqxw",
    "11qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqc8247j",
    "split1checkupstagehandshakeupstreamerranterredcaperred2y9e3w",
    "?1ezyfcl",
]
INVALID_TEXTS = [
    "\x201nwldj5",
    "\x7f1axkwrx",
    "\x801eym55h",
    "an84characterslonghumanreadablepartthatcontainsthenumber1andtheexcludedcharactersbio1569pvx",
    "pzry9x0s0muk",
    "1pzry9x0s0muk",
    "x1b4n0q5v",
    "li1dgmt3",
    "de1lg7wt\xff",
    "A1G7SGD8",
    "10a06t8",
    "1qzzfhee",
    "A12uEL5L",
]


@for_each("text", VALID)
def test_what_bip_173_calls_valid_is(text: str) -> None:
    parts = sealed.split_bech32(text)
    assert parts is not None
    assert parts[0] == text.lower().rpartition("1")[0]


@for_each("text", INVALID_TEXTS)
def test_what_bip_173_calls_invalid_is(text: str) -> None:
    assert sealed.split_bech32(text) is None
    assert sealed.from_bech32(text) is None


def test_bytes_of_bip_173_come_out_and_go_in() -> None:
    """The witness program of its example, behind the version 0."""
    text = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"
    prefix, values = sealed.split_bech32(text) or ("", [])
    assert (prefix, values[0]) == ("bc", 0)
    program = bytes.fromhex("751e76e8199196d454941c45d1b3a323f1433bd6")
    without_version = sealed.to_bech32("bc", program)
    assert sealed.split_bech32(without_version) == ("bc", values[1:])
    assert sealed.from_bech32(without_version) == ("bc", program)


def test_any_bytes_can_be_written() -> None:
    for size in range(40):
        raw = bytes(range(255, 255 - size, -1))
        assert sealed.from_bech32(sealed.to_bech32("porto", raw)) == ("porto", raw)


def test_a_text_whose_padding_is_not_zero_is_refused() -> None:
    zeros = sealed.to_bech32("porto", b"\0")
    rest = sealed._polymod([*sealed._expanded("porto"), 0, 1, *[0] * 6]) ^ 1
    check = "".join(sealed.BECH32[rest >> 5 * (5 - nth) & 31] for nth in range(6))
    assert zeros.startswith("porto1qq")
    assert sealed.split_bech32(f"porto1qp{check}") is not None
    assert sealed.from_bech32(f"porto1qp{check}") is None


def test_a_text_with_a_value_too_many_is_refused() -> None:
    """Five bits of padding, all zero: a second text for the same bytes."""
    values = [0] * (8 + 1)
    rest = sealed._polymod([*sealed._expanded("porto"), *values, *[0] * 6]) ^ 1
    values += [rest >> 5 * (5 - nth) & 31 for nth in range(6)]
    text = "porto1" + "".join(sealed.BECH32[value] for value in values)
    assert sealed.split_bech32(text) is not None
    assert sealed.from_bech32(text) is None


# -- the texts of an identity


def test_an_identity_is_one_line_and_back() -> None:
    assert ANA.secret_text == (
        "PORTO-SECRET-KEY-1QQQSYQCYQ5RQWZQFPG9SCRGWPUGPZYSNZS23V9CCRYDPK8QARC0SNY0LLC"
    )
    again = Identity.from_text(f"  {ANA.secret_text.lower()}\r\n")
    assert (again.secret, again.public, again.master) == (ANA.secret, ANA.public, ANA.master)


def test_a_public_key_is_short_and_back() -> None:
    assert len(ANA.public_text) == 64
    assert ANA.public_text.startswith("porto1")
    assert public_from_text(f" {ANA.public_text.upper()} ") == ANA.public


def test_the_secret_is_not_in_what_an_identity_prints() -> None:
    assert repr(ANA) == f"Identity({ANA.public_text})"


def test_two_identities_differ_and_their_secrets_too() -> None:
    assert Identity.new().secret != Identity.new().secret
    assert len({ANA.secret, ANA.master, ANA.public}) == 3


def test_a_mistyped_character_is_noticed() -> None:
    text = ANA.public_text
    for nth, letter in enumerate(text):
        mistyped = text[:nth] + ("q" if letter != "q" else "p") + text[nth + 1 :]
        with pytest.raises(IdentityError, match=r"is not a public key: one begins with porto1 and"):
            pytest.fail(f"{mistyped} is the key {public_from_text(mistyped)!r}")


@for_each("text", ["", "porto1", ANA.public_text, ANA.secret_text[:-1], "🂡"])
def test_an_invalid_secret_key_is_refused_without_repeating_it(text: str) -> None:
    with pytest.raises(IdentityError, match=r"This is not a secret key: one begins with") as caught:
        Identity.from_text(text)
    assert caught.value.exit_code == INVALID
    assert not text or text not in str(caught.value)


@for_each("raw", [NEUTRAL, SMALL, bytes(32), b"\xff" * 32, ANA.public[:31]])
def test_a_key_with_which_anything_is_signed_is_refused(raw: bytes) -> None:
    with pytest.raises(IdentityError):
        public_from_text(public_text(raw))
    assert not verify(raw, b"", bytes(64))


@pytest.mark.parametrize("size", [0, 16, 31, 33])
def test_a_secret_of_another_length_is_refused(size: int) -> None:
    with pytest.raises(IdentityError):
        Identity.from_text(sealed.to_bech32(steps.SECRET_PREFIX, bytes(size)))


def test_the_text_of_something_else_is_refused() -> None:
    """An address of money, say, or a secret in place of what is public."""
    with pytest.raises(IdentityError):
        public_from_text(sealed.to_bech32("bc", ANA.public))
    with pytest.raises(IdentityError):
        Identity.from_text(sealed.to_bech32("age-secret-key-", ANA.secret))


# -- signatures


def test_a_signature_holds_for_one_message_and_one_key() -> None:
    """The first test vector of RFC 8032 is libsodium's; what matters here is what is refused."""
    signature = ANA.sign(b"message")
    assert verify(ANA.public, b"message", signature)
    assert not verify(ANA.public, b"massage", signature)
    assert not verify(Identity(bytes(32)).public, b"message", signature)
    for nth in range(64):
        changed = bytearray(signature)
        changed[nth] ^= 1
        assert not verify(ANA.public, b"message", bytes(changed))
    assert not verify(ANA.public, b"message", signature[:63])
    assert not verify(ANA.public, b"message", signature + b"\0")


def test_a_second_form_of_a_signature_is_refused() -> None:
    """Its scalar plus the order of the group: valid for a careless program."""
    signature = ANA.sign(b"message")
    from porto_cli.sealed import GROUP_ORDER

    bigger = int.from_bytes(signature[32:], "little") + GROUP_ORDER
    assert not verify(ANA.public, b"message", signature[:32] + bigger.to_bytes(32, "little"))


# -- passphrases


def test_a_passphrase_opens_a_key_of_a_former_version() -> None:
    line = protected(ANA, "vinho do Porto, é")
    assert is_protected(line)
    assert not is_protected(ANA.secret_text)
    assert unprotect(f"{line}\r\n", "vinho do Porto, é").secret == ANA.secret
    assert unprotect(line, "vinho do Porto, e\u0301").secret == ANA.secret, (
        "typed on another system"
    )


def test_another_passphrase_is_refused() -> None:
    with pytest.raises(PassphraseError, match="This is not the passphrase of the key") as caught:
        unprotect(protected(ANA, "one"), "other")
    assert caught.value.exit_code == REFUSED


@for_each("nth", [1, 2, 3, 4, 5])
def test_a_protected_line_that_was_changed_is_refused(nth: int) -> None:
    words = protected(ANA, "same").split()
    words[nth] = "2" if nth in (2, 3) else words[nth][:-4] + "AAAA"
    with pytest.raises(IdentityError):
        unprotect(" ".join(words), "same")


@pytest.mark.parametrize(
    ("operations", "memory", "why"),
    [
        ("999", "1", "999 passes over 1 MiB"),
        ("7", "1", "7 passes over 1 MiB"),
        ("1", "513", "1 passes over 513 MiB"),
        ("3", "1024", "the limit is 6 passes over 512 MiB"),
        ("1", "99999999", "99999999 MiB"),
        ("-1", "1", "not a key with a passphrase as"),
        ("0", "1", "not a key with a passphrase as"),
        ("1", "²", "not a key with a passphrase as"),
        ("1", "9" * 5000, "not a key with a passphrase as"),
    ],
)
def test_a_line_cannot_ask_for_all_memory(
    operations: str, memory: str, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = protected(ANA, "same").split()
    words[2:4] = operations, memory
    monkeypatch.delattr("nacl.pwhash.argon2id.kdf")
    with pytest.raises(IdentityError, match=why):
        unprotect(" ".join(words), "same")


def test_a_line_may_ask_for_a_little_more_than_is_written() -> None:
    words = protected(ANA, "same").split()
    words[2:4] = "6", "512"
    read_protected(" ".join(words))


def test_too_little_memory_is_not_taken_for_a_wrong_passphrase(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    line = protected(ANA, "same")

    def fail(*_: object) -> bytes:
        raise CryptoRuntimeError("Memory allocation failure")

    monkeypatch.setattr("nacl.pwhash.argon2id.kdf", fail)
    with pytest.raises(IdentityError, match="There is not enough memory") as caught:
        unprotect(line, "same")
    assert not isinstance(caught.value, PassphraseError)


# --- the table code ---------------------------------------------------------------------------


@pytest.mark.long
def test_a_code_is_five_groups_of_three_digits() -> None:
    codes = {table_code(bytes([nth]) * 32) for nth in range(20)}
    assert len(codes) == 20
    assert all(re.fullmatch(r"\d{3}( \d{3}){4}", code) for code in codes)


def test_a_code_is_the_same_everywhere() -> None:
    assert table_code(bytes(32)) == table_code(bytes(32))
    assert 2**BITS < 10**15 < 2 ** (BITS + 1)
