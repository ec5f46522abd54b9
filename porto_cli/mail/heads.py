"""The lines of a message's head: text as ASCII that goes over the wire, and back.

What is written here is never parsed on its way: the email package of the standard library decodes
encoded words in whatever a header is set to, so that a title or a name could end a line and begin
another one. Reading is bounded, in length and in the charsets that are decoded.
"""

from __future__ import annotations

import binascii
import codecs
import re
from base64 import b64encode
from collections.abc import Iterator, Sequence
from email.headerregistry import Address
from email.policy import Policy
from email.utils import getaddresses
from string import ascii_letters, digits

_WIDTH = 78
"""Characters of a line, as RFC 5322 recommends."""
_LONGEST_WORD = 60
"""Characters of a word, encoded or not, so that it fits behind any name of a header."""
_ATOM = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+")
_QUOTABLE = re.compile(r"[ -~]+")
_FILE_NAME = re.compile(r"[A-Za-z0-9 !#$&'()+,./;=@^_{}~-]+")
_BEGINS_A_WORD = "=?"
_ENCODED = re.compile(r"=\?([^?\s]{1,60})\?([bq])\?([^?\s]*)\?=", re.IGNORECASE)
_NO_BASE64 = bytes(set(range(256)) - set(f"{ascii_letters}{digits}+/".encode()))
_CHARSET_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:+-]{0,39}")
_CHARSETS = frozenset(
    {
        *("ascii", "utf-8", "utf-8-sig", "utf-7", "utf-16", "utf-16-le", "utf-16-be"),
        *("utf-32", "utf-32-le", "utf-32-be"),
        *(f"iso8859-{part}" for part in range(1, 17)),
        *(f"cp{page}" for page in (*range(1250, 1259), 437, 850, 852, 855, 858, 866, 874)),
        *("cp932", "cp949", "cp950", "koi8-r", "koi8-u", "mac-roman", "mac-cyrillic", "tis-620"),
        *("gb2312", "gbk", "gb18030", "hz", "big5", "big5hkscs", "euc_kr", "johab", "iso2022_kr"),
        *("euc_jp", "euc_jis_2004", "euc_jisx0213", "shift_jis", "shift_jis_2004"),
        *("iso2022_jp", "iso2022_jp_1", "iso2022_jp_2", "iso2022_jp_2004", "iso2022_jp_3"),
        "iso2022_jp_ext",
    }
)
"""What codecs calls the charsets that mail is written in. Others of its codecs are no charsets, or
take a time that grows with the square of the text (punycode)."""


class Field(str):
    """A line of a head whose text is written as it is meant, whatever it looks like.

    It is the text; :meth:`fold` is what the email package asks for what goes over the wire. A value
    that has a name is stored by the package's policies as it is.
    """

    name: str
    addresses: tuple[Address, ...] = ()
    content_disposition: str | None = None
    """What the email package asks of a header that says whether a part is an attachment."""
    file: str = ""
    """What an attachment is called."""
    defects: tuple[Exception, ...] = ()
    _pieces: Sequence[str]

    @classmethod
    def of_text(cls, name: str, text: str) -> Field:
        """Return a header of text, like the subject, in one line."""
        text = one_line(text)
        return cls._made(name, text, list(_pieces_of(text)))

    @classmethod
    def of_addresses(cls, name: str, addresses: Sequence[Address]) -> Field:
        """Return a header of people, like To. Their names are in one line."""
        pieces: list[str] = []
        for nth, one in enumerate(addresses, start=1):
            end = "," if nth < len(addresses) else ""
            pieces += _phrase(one.display_name)
            spec = f"<{one.addr_spec}>" if one.display_name else one.addr_spec
            pieces.append(f"{spec}{end}")
        field = cls._made(name, ", ".join(map(str, addresses)), pieces)
        field.addresses = tuple(addresses)
        return field

    @classmethod
    def of_ids(cls, name: str, ids: Sequence[str]) -> Field:
        """Return a header of Message-IDs."""
        return cls._made(name, " ".join(ids), ids)

    @classmethod
    def of_attachment(cls, file: str) -> Field:
        """Return the header of a part that is saved as a file of this name."""
        file = one_line(file)
        pieces = ["attachment;", *_file_name(file)]
        field = cls._made("Content-Disposition", " ".join(pieces), pieces)
        field.content_disposition = "attachment"
        field.file = file
        return field

    @classmethod
    def _made(cls, name: str, text: str, pieces: Sequence[str]) -> Field:
        field = cls(text)
        field.name = name
        field._pieces = pieces
        return field

    def fold(self, *, policy: Policy) -> str:
        """Return the header as it goes over the wire, in lines."""
        lines = [f"{self.name}:"]
        for piece in self._pieces:
            if len(lines[-1]) + 1 + len(piece) > _WIDTH and lines[-1] != f"{self.name}:":
                lines.append("")
            lines[-1] += f" {piece}"
        return policy.linesep.join([*lines, ""])


def one_line(text: str) -> str:
    """Return a text in one line, without what steers a screen."""
    return "".join(letter if letter.isprintable() else " " for letter in text).strip()


def _is_plain(word: str) -> bool:
    return word.isascii() and len(word) <= _LONGEST_WORD and _BEGINS_A_WORD not in word


def _pieces_of(text: str) -> Iterator[str]:
    """Return the words of a text, those encoded that cannot go as they are (RFC 2047)."""
    words = text.split(" ")
    if "" in words:
        # Blanks are kept in an encoded word only.
        yield from _encoded_words(text)
        return
    run: list[str] = []
    for word in words:
        if not _is_plain(word):
            run.append(word)
            continue
        yield from _encoded_words(" ".join(run))
        run.clear()
        yield word
    yield from _encoded_words(" ".join(run))


def _encoded_words(text: str) -> Iterator[str]:
    """Return a text in encoded words, between which no blank counts."""
    quoted = sum(map(len, map(_quoted_letter, text)))
    use_base64 = quoted > 2 * len(text.encode())
    piece, size = "", 0.0
    for letter in text:
        more = len(letter.encode()) * 4 / 3 if use_base64 else len(_quoted_letter(letter))
        if size + more > _LONGEST_WORD - len("=?utf-8?b?==?="):
            yield _encoded_word(piece, use_base64=use_base64)
            piece, size = "", 0.0
        piece += letter
        size += more
    if piece:
        yield _encoded_word(piece, use_base64=use_base64)


def _encoded_word(text: str, *, use_base64: bool) -> str:
    if use_base64:
        return f"=?utf-8?b?{b64encode(text.encode()).decode()}?="
    return f"=?utf-8?q?{''.join(map(_quoted_letter, text))}?="


def _quoted_letter(letter: str) -> str:
    """Return a letter in the Q encoding, so that it can stand in a name as well."""
    if letter == " ":
        return "_"
    if letter.isascii() and letter.isalnum():
        return letter
    return "".join(f"={byte:02X}" for byte in letter.encode())


def _phrase(name: str) -> Iterator[str]:
    """Return a name that stands before an address."""
    if not name:
        return
    if not _QUOTABLE.fullmatch(name) or _BEGINS_A_WORD in name or len(name) > _LONGEST_WORD:
        yield from _encoded_words(name)
    elif all(map(_ATOM.fullmatch, name.split(" "))):
        yield from name.split(" ")
    else:
        yield _quoted(name)


def _quoted(text: str) -> str:
    return '"{}"'.format(text.replace("\\", "\\\\").replace('"', '\\"'))


def _file_name(name: str) -> Iterator[str]:
    if _FILE_NAME.fullmatch(name) and _BEGINS_A_WORD not in name and len(name) <= _LONGEST_WORD:
        yield f'filename="{name}"'
        return
    # RFC 2231, in sections if it is long.
    bytes_ = [
        chr(byte) if chr(byte).isascii() and chr(byte).isalnum() else f"%{byte:02X}"
        for byte in name.encode()
    ]
    size = 16
    sections = ["".join(bytes_[nth : nth + size]) for nth in range(0, len(bytes_), size)]
    if len(sections) == 1:
        yield f"filename*=utf-8''{sections[0]}"
        return
    for nth, section in enumerate(sections):
        charset, end = "" if nth else "utf-8''", "" if nth == len(sections) - 1 else ";"
        yield f"filename*{nth}*={charset}{section}{end}"


# -- Reading


def charset_of(name: str) -> str:
    """Return what codecs calls a charset that mail is written in; empty for any other name."""
    if not _CHARSET_NAME.fullmatch(name):
        return ""
    try:
        found = codecs.lookup(name).name
    except LookupError:
        return ""
    return found if found in _CHARSETS else ""


def decoded(data: bytes, charset: str) -> str | None:
    """Return what bytes say in a charset; None if they say nothing, or it is not one of mail."""
    known = charset_of(charset)
    if not known:
        return None
    try:
        return data.decode(known)
    except ValueError:
        return None


def decoded_words(text: str) -> str:
    """Return a text with its encoded words decoded (RFC 2047); what is none stays as it is."""
    pieces: list[str] = []
    end = 0
    waiting, charset = b"", ""

    def decode() -> None:
        if waiting:
            pieces.append(decoded(waiting, charset) or waiting.decode("latin-1"))

    for found in _ENCODED.finditer(text):
        between = text[end : found.start()]
        name = found[1].partition("*")[0].lower()
        if waiting and (between.strip(" \t\r\n") or name != charset):
            decode()
            waiting = b""
        if between.strip(" \t\r\n") or not end:
            pieces.append(between)
        # Some programs divide a letter of several bytes between two words.
        waiting, charset = waiting + _bytes_of_word(found[2], found[3]), name
        end = found.end()
    decode()
    return "".join([*pieces, text[end:]])


def _bytes_of_word(how: str, text: str) -> bytes:
    data = text.encode("utf-8", "replace")
    if how in "qQ":
        return binascii.a2b_qp(data, header=True)
    return bytes_of_base64(data)


def bytes_of_base64(data: bytes) -> bytes:
    """Return what Base64 says, as far as it is any."""
    try:
        return binascii.a2b_base64(data + b"===")
    except binascii.Error:
        # One letter too many, as where a line was lost.
        letters = data.translate(None, _NO_BASE64)
        return binascii.a2b_base64(letters[: len(letters) // 4 * 4])


def read_addresses(text: str) -> list[tuple[str, str]]:
    """Return the names, decoded, and the addresses that stand in a header."""
    try:
        found = getaddresses([text])
    except (ValueError, IndexError, TypeError, RecursionError):
        return []
    return [(decoded_words(name), address) for name, address in found if address]
