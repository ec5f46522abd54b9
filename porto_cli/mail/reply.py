"""What an answer says: moves, and words for people.

The program wrote the answered mail and can write it again, so it knows what in an answer is quoted,
whatever language a mail program has for "Original message". A remaining line is a move if all of it
is one; all other lines are words. Words are not interpreted: anything more than a greeting, a name
or an addition of a mail program is shown to the user, who decides whether the move is meant.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import groupby
from pathlib import PurePath
from typing import NamedTuple

from porto_cli.core import InvalidMoveError
from porto_cli.games import GAMES
from porto_cli.mail.ids import attachment_name, read_references, reference, without_references
from porto_cli.mail.incoming import Incoming
from porto_cli.mail.letter import html_of, letter, text_of
from porto_cli.mail.mime import text_of_html
from porto_cli.match import seats_of
from porto_cli.match.record import SUFFIXES
from porto_cli.match.replay import Replay
from porto_cli.seam import UNDO

LONGEST_ANSWER = 200_000
"""Characters of a message that are searched for the writer's own lines."""
MOST_LINES = 300
"""Lines of the writer that are read; the user is told if there are more."""
MORE = "(more lines)"
_SHORTEST_SENT = 12
"""The fewest characters of a line of our mail that nobody is likely to write by chance."""
_MOST_MOVES = 12
_MOST_LINES_OF_A_MOVE = 3
"""Mail programs break lines."""
_LONGEST_SLIP = 4
"""The most words of a line that begins with a verb and may be a mistyped move."""
_MOST_WORDS = 300
"""Words that are searched for a move."""
_LONGEST_MOVE = 24
"""The most words of a move, like one that places many colonists."""
_MOST_SUGGESTED_FROM = 5000
"""Legal moves that are compared with the names in a sentence."""

_PLAIN = str.maketrans(
    {
        **dict.fromkeys("\xa0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009", " "),
        **dict.fromkeys("\u200a\u202f\u205f\u3000\t", " "),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"),
        **dict.fromkeys("\u201c\u201d\u201e\xab\xbb", '"'),
        **dict.fromkeys("\u2018\u2019\u201a\u2039\u203a", "'"),
        "\uff1a": ":",
    }
)
"""Plain characters for those that phones and word processors use instead."""
_MARKS = (">", "|")
_UNMARKED = re.compile(r"(?m)^[^\S\n]*[^>|\s]")
_SIGNATURE = "-- "
_RECORD = re.compile(r"""\# Porto game record|["']?porto["']?\s*:\s*["']?\d""")
_PAIR = re.compile(r"\W*[^\W\d](?:[\w .'()/-]{0,30}[\w)])?\s?:(?!//)\s*(?P<value>.*)")
"""A header of a quoted mail, in any language."""
_RULE = re.compile(r"[-_=*~\u2500]{3,}(?:.{0,60}?[-_=*~\u2500]{3,})?")
_CODE = re.compile(r"\[[0-9a-f]{8}\]|@")
"""An address or a table code, which hardly anything but a quoted header has."""
_ADDRESS = re.compile(r"[^\s<>()\[\]:;,\"]+@[^\s<>()\[\]:;,\"]+")
_WROTE = re.compile(r"(?i)on\s.*\bwrote:")
"""The attribution as a person types it."""
_A_DATE = re.compile(r"\b\d{4}\b|\d{1,2}[./-]\d{1,2}[./-]\d")
_A_TIME = re.compile(r"\d{1,2}[:.h]\d\d")

_PARTS = re.compile(r"(?<=[.!?;])[\s\"')]+|;|,?\s+then\s+")
"""What separates the moves of a line from each other, and from a remark."""
_AFTER_A_MOVE = re.compile(r"\s*,|\s+-\s")
"""The beginning of a courtesy after a move, in the same line."""
_TRIM = " \t\"'()[]{}*_`.,:;!?\u2026"
_ITEM = re.compile(r"^(?:[-*\u2022\u2013+]|\(?\d\d?[.)])\s+(?=\S)")
"""The beginning of a list item."""
_IN_DOUBT = re.compile("[?\uff1f\U0001f44e\U0001f6ab\u274c\u270b\U0001f6d1\U0001f914]")
"""What turns anything into words: a question mark, and emoji that say no."""
_BETWEEN = re.compile(r"^[(\[{]|^(?![&+/]$)[\W_]+$|[<>=|~]")
"""What separates a move from words in its line, unless it ends the line, like a smiley."""
_COMMAND = re.compile(r"(?i)^(?:[$%]\s*)?(?P<porto>porto\s+)?(?P<verb>[a-z]+)\s+(?P<words>\S.*)$")
"""A command as our mails show it, or what the writer left of it."""
_AS = re.compile(r"\0--as(?:[=\0]([^\0]*)|\Z)")
"""The option that names a command's player, in its words joined by NUL."""
_QUOTES = "`\"'*_ "


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


_SKIPPED = _set("and the a an with on in at of & + und please bitte card cards")
"""Words within a move that do not change it."""
_POLITE = _set(
    """hi hello hey dear all everybody good morning afternoon evening day night hallo moin servus
    liebe lieber guten tag abend gute olá ola oi bom boa dia tarde noite caro cara salut bonjour
    ciao hola hej hoi cześć ahoj привет 안녕 안녕하세요 こんにちは 你好 thanks thank you many danke
    dir euch vielen dank obrigado obrigada merci gracias grazie bedankt dzięki tack tak kiitos
    спасибо 감사합니다 ありがとう 谢谢 here is my move the mein zug ist hier a minha jogada best
    kind regards greetings cheers bye lg vg mfg grüße gruß gruss grüsse viele herzliche beste schöne
    mit freundlichen freundlichem abraço abraços beijinhos cumprimentos saludos saluti groeten
    um love yours see soon bis bald até logo have nice day evening weekend luck fun viel spaß glück
    boa sorte mr mrs ms dr herr frau sr sra senhor senhora señor señora monsieur madame san sama
    さん さま 様 くん 君 ちゃん 殿 님 씨 先生 小姐 女士"""
)
"""A line of nothing but these and names does not matter to the game."""
_TITLE = re.compile(r"(?<=.)(?:さん|さま|様|くん|君|ちゃん|殿|님|씨|先生|小姐|女士)$")
"""What directly follows the name of the person addressed."""
_RETRACTING = _set("no not stop wait cancel undo never actually instead nein nicht halt doch não")
"""Words that count even if they are somebody's name."""
_SENT_WITH = r"""(?ix)
    (?:sent\s(?:from|with|via)|gesendet\s(?:von|mit)|enviad[oa]\s(?:do|de|desde|a\spartir)
    |envoyé\s(?:de|depuis)|inviat[oa]\sda|verzonden\s(?:vanaf|met)|verstuurd\svanaf|skickat\sfrån
    |sendt\sfra|wysłan[eo]\sz|odesláno\sz|отправлено\s(?:с|из)|надіслано\s(?:з|із))
    (?:\s[^\W_][\w-]*){1,4}[.]?|von\smeinem(?:\s[^\W_][\w-]*){1,3}\sgesendet[.]?
    |(?:나의|내)\s[\w ]{2,40}(?:보냄|보냈습니다)[.]?|\w{3,20}から送信
    |发自(?:我的)?\s?(?:[^\W_]{2,8}\s?)?[a-z\d ]{0,20}
    |(?:[^\W_]+\s){0,3}outlook(?:\s[^\W_]+){0,2}\s(?:android|ios)(?:\s[^\W_]+)?[.]?
    |(?:android|ios)[^\W\da-z_]{1,3}\soutlook\s[^\W_]+[.]?"""
"""The few words that phones add. Compiled only when needed."""
_FOOTER = re.compile(
    r"""(?ix)\bintended\srecipient|\baddressee|\bconfidential|\bprivileged|\bunsubscribe
    |\bmailing\slist|\bgooglegroups|\bprint\sthis\se-?mail|\bvertraulich|empfänger
    |destinat[aá]ri|destinataire"""
)
"""Words in the first line of paragraphs that companies and mailing lists add."""
_FEWEST_WORDS_OF_A_FOOTER = 4
_LONGEST_RETRACTION = 12
"""The most words of a paragraph that may take a move back; footers with such a word are longer."""


class Reply(NamedTuple):
    """What an answer says.

    ``moves``      in the order of play
    ``words``      what else it says; a reason to ask
    ``likely``     if there are no moves: those that its words name, never played without asking
    ``unclear``    the first words that begin like a move but are none; if there are no moves, the
                   first that mention one
    ``fault``      why that is not a move, if it begins like one
    ``by_number``  whether a move is named by numbers that change from turn to turn
    ``is_hidden``  whether the words may be about a choice that only the writer may know
    ``below``      the paragraphs of words below the moves, like a footer
    ``in_text``    the moves that the plain text of the message has, where its HTML has others
    ``fits``       whether the first move is legal at the table that the writer saw
    """

    moves: tuple[str, ...] = ()
    words: str = ""
    likely: tuple[str, ...] = ()
    unclear: str = ""
    fault: str = ""
    by_number: bool = False
    is_hidden: bool = False
    below: tuple[str, ...] = ()
    in_text: tuple[str, ...] = ()
    fits: bool = False


IsFooter = Callable[[str], bool]
"""Returns whether a paragraph is known from below the writer's mails."""


def read_reply(message: Incoming, seen: Replay, seat: int, is_footer: IsFooter) -> Reply:
    """Read an answer by a seat to the table at the end of ``seen``.

    Its text and its HTML, if it has both, should say the same. Words of only one of them count, and
    moves that differ are only likely. If neither has a move, the subject may have one.
    """
    reader, sent = _LineReader(seen, seat, message.sender_name, is_footer), _lines_sent(seen, seat)
    text = _read(message.body, message.subject, sent, reader)
    if not message.html:
        return text
    return _combined(text, _read(message.html, message.subject, sent, reader))


def _combined(text: Reply, html: Reply) -> Reply:
    """Combine the readings of a message's text and its HTML."""
    here, there = (
        {*_letters(each.words.lower()), *_IN_DOUBT.findall(each.words)} for each in (text, html)
    )
    words = ["" if here < there else text.words, "" if there <= here else html.words]
    said = text if text.moves == html.moves and (text.likely or not html.likely) else html
    said = said._replace(
        words=" ".join(filter(None, words)), below=tuple(dict.fromkeys((*text.below, *html.below)))
    )
    if text.moves and text.moves != html.moves:
        meant = html if html.moves else text
        return said._replace(moves=(), likely=meant.moves, in_text=text.moves, fits=meant.fits)
    return said


def _read(body: str, subject: str, sent: Collection[str], reader: _LineReader) -> Reply:
    """Read one text of an answer, or else its subject."""
    seen, seat = reader.seen, reader.seat
    lines = own_lines(body, sent, reader)
    moves, words, below = reader.read(lines)
    named = set(read_references("\n".join(lines)))
    if len(named) > 1:
        words += map(reference, sorted(named))
    moves = moves or reader.moves_of(spelled(_without_prefixes(subject))) or []
    hidden = any(map(seen.game.is_secret, seen.game.legal_moves(seen.state, seat, 1)))
    said = Reply(words=" ".join(words), is_hidden=hidden, below=tuple(below))
    if len(moves) > _MOST_MOVES or (moves and len(named) > 1):
        unclear = words[-1] if len(named) > 1 else "; ".join(moves)
        return said._replace(unclear=unclear[:200])
    likely = [] if moves and reader.is_legal(moves[0]) else reader.suggested(words)
    first = next(iter((*likely, *moves)), UNDO)
    said = said._replace(fits=first != UNDO and reader.is_legal(first))
    if likely:
        # The moves may be further lines of the same turn.
        return said._replace(likely=tuple(map(reader.by_name, (*likely, *moves))))
    if moves:
        by_name = tuple(map(reader.by_name, moves))
        slip = next(filter(reader.is_a_slip, words), "")
        return said._replace(moves=by_name, unclear=slip, by_number=by_name != tuple(moves))
    unclear = next(filter(reader.mentions_a_move, words), "")[:200]
    return said._replace(unclear=unclear, fault=reader.what_is_wrong(unclear))


def spelled(line: str) -> str:
    """Return a line with plain blanks, hyphens, quotation marks and colons."""
    return " ".join(line.translate(_PLAIN).split())


def _lines_sent(seen: Replay, seat: int) -> frozenset[str]:
    """Return the lines of the mail that a player got, with or without the program, as text and as
    HTML, except those that a person might write.
    """
    texts = []
    for commands in (True, False):
        written = letter(seen, (seat,), "", private=not commands, commands=commands)
        texts += [text_of(written), text_of(written, every_move=True)]
        texts.append(text_of_html(html_of(written)))
    lines = (spelled(line) for text in texts for line in text.splitlines())
    return frozenset(line for line in lines if len(line) >= _SHORTEST_SENT and " " in line)


def _without_prefixes(subject: str) -> str:
    """Return a subject without its code and the prefixes of mail programs."""
    own = re.sub(r"(?i)\(was:.*|\[[^\]]*\]", "", subject).strip()
    return re.sub(r"(?i)^(?:(?:re|aw|fwd?|sv|wg|res|enc|antw|odp|rif)\s*:\s*)+", "", own)


def begins_like_a_move(message: Incoming) -> bool:
    """Return whether an answer about an unknown game has a line that begins like a move."""
    verbs = {verb for meta in GAMES.values() for verb in meta.verbs}
    bodies = (text[:LONGEST_ANSWER] for text in (message.body, message.html))
    for raw in (*"\n".join(bodies).split("\n"), _without_prefixes(message.subject)):
        line = spelled(raw)
        if _RECORD.match(line):
            return False
        words = _plain_words(_ITEM.sub("", line))
        if len(words) > 1 and words[0].lower() in verbs and not line.startswith(_MARKS):
            return True
    return False


def passed_on(body: str) -> tuple[str, str]:
    """Return the address in the headers of a mail that a text forwards, and the text below them;
    nothing if there are none.
    """
    lines = body[:LONGEST_ANSWER].split("\n")
    head = ""
    for index, line in enumerate(lines):
        if _PAIR.fullmatch(spelled(line)):
            head += f"{line}\n"
        elif head.count("\n") > 1 and (found := _ADDRESS.search(head)):
            return found[0], "\n".join(lines[index:])
        else:
            head = ""
    return "", ""


# -- Which lines the writer wrote


def own_lines(body: str, sent: Collection[str], reader: _LineReader) -> list[str]:
    """Return the lines above, between and below what is quoted, without signatures.

    Unmarked quotations begin with the first line of our mail (``sent``). A line that begins like a
    move is never one.
    """
    kept: list[str] = []
    in_signature = was_marked = is_head = False
    lines = body[:LONGEST_ANSWER].split("\n")
    for index, raw in enumerate(lines):
        line = spelled(raw)
        is_marked = line.startswith(_MARKS)
        if is_marked:
            kept = kept if was_marked else _without_frame(kept, reader)
            in_signature = False
        elif (
            reader.is_ours(line, sent)
            or _RECORD.match(line)
            or (is_head := _is_a_head(lines[index : index + 2], reader))
        ):
            while is_head and kept and _PAIR.fullmatch(kept[-1]):
                kept.pop()
            return _limited(_without_frame(kept, reader))
        elif raw == _SIGNATURE:
            in_signature = True
        elif not in_signature and (line or kept[-1:] != [""]):
            kept.append(line)
        was_marked = is_marked
    more = [MORE] if _UNMARKED.search(body[LONGEST_ANSWER:].partition("\n")[2]) else []
    return _limited([*_without_attribution(kept, reader), *more])


def _is_a_head(lines: Sequence[str], reader: _LineReader) -> bool:
    """Return whether lines begin with a mail's headers: two like ``From: Ana``, one of which has an
    address, nothing but names, or a table code.
    """
    pairs = [_PAIR.fullmatch(spelled(line)) for line in lines]
    values = [pair["value"] for pair in pairs if pair]
    if len(values) < 2 or any(map(reader.begins, values)):
        return False
    return any(_CODE.search(value) or reader.is_named(value) for value in values)


def _limited(lines: list[str]) -> list[str]:
    return [*lines[:MOST_LINES], MORE] if len(lines) > MOST_LINES else lines


def _without_frame(lines: list[str], reader: _LineReader) -> list[str]:
    """Return lines without those that introduce the quotation below them: a rule, or ``On Sunday
    Ana wrote:``.
    """
    kept = list(lines)
    while kept and (not kept[-1] or _RULE.fullmatch(kept[-1])):
        kept.pop()
    return _without_attribution(kept, reader)


def _without_attribution(lines: list[str], reader: _LineReader) -> list[str]:
    """Return lines without a last one like ``On 25 Nov 2026 at 8:30, Ana <ana@example.org>
    wrote:``, which may be wrapped.
    """
    kept = list(lines)
    while kept and not kept[-1]:
        kept.pop()
    last = kept[-1] if kept else ""
    if not last.endswith(":") or reader.begins(last):
        return kept
    for size in range(1, _MOST_LINES_OF_A_MOVE + 1):
        some = kept[-size:]
        line = " ".join(some)
        if len(some) < size or not all(some) or any(map(reader.begins, some)):
            break
        is_known = "@" in line or bool(_A_TIME.search(line)) or reader.names_somebody(line)
        if is_known and _A_DATE.search(line):
            return kept[:-size]
    is_known = "@" in last or reader.is_attribution(last) or bool(_WROTE.fullmatch(last))
    return kept[:-1] if is_known else kept


# -- What the lines say


class _LineReader:
    """Separates moves from words in lines."""

    def __init__(self, seen: Replay, seat: int, called: str, is_footer: IsFooter) -> None:
        self.seen, self.seat, self.is_footer = seen, seat, is_footer
        self.game, self.language = seen.game, seen.game.words
        self.verbs = frozenset(self.game.meta.verbs)
        names = [*seen.config.players, *seen.holders, called]
        whole = {" ".join(name.lower().split()) for name in names} - {""}
        self.people = whole | {word for name in whole for word in name.split()}
        """Names of the players and the writer; moves may look like them."""
        self.names = frozenset(word for name in whole for word in _letters(name))
        files = (attachment_name(seen.record), seen.record.file)
        self.files = {PurePath(file).stem for file in files}

    def is_ours(self, line: str, sent: Collection[str]) -> bool:
        """Return whether a line is one of our mail."""
        if line in sent:
            return not self.begins(line)
        opening = re.match(r"(.{1,200}?), (?:it is your turn[.,;]|this is the state of the)", line)
        return bool(opening and self.names_somebody(opening[1]))

    def names_somebody(self, line: str) -> bool:
        """Return whether a line has the name of a player or of the writer."""
        return not self.names.isdisjoint(_letters(line.lower()))

    def is_named(self, text: str) -> bool:
        """Return whether a text is nothing but names of players or of the writer."""
        words = _lower(text)
        return bool(words) and words <= self.names

    def is_attribution(self, line: str) -> bool:
        """Return whether a line is a name and one word, such as ``Ana wrote:``."""
        *name, verb = _letters(line.lower()) or [""]
        return self.is_named(" ".join(name)) and verb not in self.names | _RETRACTING

    def begins(self, line: str) -> bool:
        """Return whether a line begins like a move."""
        words = _ITEM.sub("", line).strip(_QUOTES).lower().split()
        words = words[1:] if words[:1] == ["porto"] else words
        return bool(words) and words[0].strip(_TRIM) in self.verbs

    def read(self, lines: Sequence[str]) -> tuple[list[str], list[str], list[str]]:
        """Return the moves in lines, the words, and the paragraphs of words below the moves."""
        lines = without_references("\n".join(lines)).split("\n")
        left = [_ITEM.sub("", line.strip()) for line in lines]
        is_item = [bool(_ITEM.match(line)) for line in lines]
        begins = next((index for index, line in enumerate(left) if line), 0)
        for index, line in enumerate(left):
            if self._is_a_name(line) and not (index == begins and line.lower() in self.verbs):
                # A line of its own, as a signature: only a button has a move like "pass" at the
                # top, whatever somebody at the table is called.
                left[index] = ""
        moves: list[str] = []
        said: list[str | None] = []
        """Words, and None where a paragraph ends."""
        index = last = 0
        while index < len(left):
            for size in range(_MOST_LINES_OF_A_MOVE, 1, -1):
                some = left[index : index + size]
                is_one = len(some) == size and not any(is_item[index + 1 : index + size])
                is_one = is_one and all(map(_letters, some))
                if is_one and (found := self.moves_of(" ".join(some))):
                    moves += found
                    said.append(None)
                    last = len(said)
                    index += size
                    break
            else:
                found, words = self._read_line(left[index])
                moves += found
                ends = found or not left[index] or _RULE.fullmatch(left[index])
                said += [None, *words] if ends else words
                last = len(said) if found else last
                index += 1
        return moves, *self._without_footers(said[:last], said[last:], has_moves=bool(moves))

    def _without_footers(
        self, above: Iterable[str | None], below: Iterable[str | None], *, has_moves: bool
    ) -> tuple[list[str], list[str]]:
        """Return the words without footers of companies and mailing lists, and the paragraphs below
        the moves that are left.
        """
        words, others = [*filter(None, above)], []
        paragraphs = (filter(None, each) for has_text, each in groupby(below, bool) if has_text)
        for paragraph in map(list, paragraphs):
            if not (self._is_a_footer(paragraph) or (has_moves and self._is_known(paragraph))):
                words += paragraph
                others.append(" ".join(paragraph))
        return words, others

    def _is_known(self, paragraph: Sequence[str]) -> bool:
        """Return whether a paragraph was below a move before and cannot take one back: a player may
        take back two moves in the same words.
        """
        text = " ".join(paragraph)
        words = [word.lower() for word in _letters(text)]
        takes_back = len(words) < _LONGEST_RETRACTION and not _RETRACTING.isdisjoint(words)
        about_a_move = takes_back or any(map(self.mentions_a_move, paragraph))
        return not about_a_move and self.is_footer(text)

    def _is_a_footer(self, paragraph: Sequence[str]) -> bool:
        """Return whether a paragraph is a kind of footer of companies and mailing lists."""
        text = " ".join(paragraph)
        is_one = bool(_FOOTER.search(paragraph[0]))
        is_one = is_one and len(_letters(text)) >= _FEWEST_WORDS_OF_A_FOOTER
        return is_one and not any(map(self.mentions_a_move, paragraph))

    def _read_line(self, line: str) -> tuple[list[str], list[str]]:
        """Return the moves and the words of a line."""
        if found := self.moves_of(line):
            return found, []
        moves: list[str] = []
        words: list[str] = []
        for part in filter(None, _PARTS.split(line)):
            found = None if self.is_a_command(line) else self.moves_of(part)
            moves += found or ()
            if not found and _letters(part) + _IN_DOUBT.findall(part):
                words.append(part)
        if not moves:
            is_added = re.fullmatch(_SENT_WITH, line.strip()) and _RETRACTING.isdisjoint(
                _lower(line)
            )
            return [], [line] if words and self._says_more(line) and not is_added else []
        return moves, [one for one in words if self._says_more(one)]

    def moves_of(self, text: str) -> list[str] | None:
        """Return a text as moves; None if it has anything else."""
        if _IN_DOUBT.search(text):
            return None
        parts = [part for part in _PARTS.split(text) if any(map(str.isalnum, part))]
        if typed := self._typed(text):
            move = self._move(typed) if len(parts) == 1 else None
            return [move] if move else None
        moves = [self._move(part) for part in parts]
        whole = [move for move in moves if move]
        return whole if len(whole) == len(moves) else None

    def is_a_command(self, line: str) -> bool:
        """Return whether a line is a porto command, for any game."""
        command = _COMMAND.match(line.strip(_QUOTES))
        return bool(command and command["porto"])

    def _typed(self, line: str) -> str | None:
        """Return the move in a command for this game and player; None if it is not one."""
        command = _COMMAND.match(line.strip(_QUOTES))
        if not command or command["verb"].lower() not in self.verbs:
            return None
        file, player, words = read_command(command["words"])
        is_mine = player is None or seats_of(self.seen.holders, player) == [self.seat]
        is_of_this = PurePath(file).stem in self.files
        is_typed = command["porto"] or file.lower().endswith(SUFFIXES)
        return " ".join([command["verb"], *words]) if is_mine and is_of_this and is_typed else None

    def _move(self, text: str) -> str | None:
        """Return a text as a move, or None if it is anything else."""
        move = self._spelled(text)
        return move if move and not self._fault(move) else None

    def _spelled(self, text: str) -> str | None:
        """Return a text that begins with a verb, spelled like a move; a courtesy may follow a comma
        or a dash. None if anything in it separates a move from words.
        """
        text = text.strip(_TRIM)
        for mark in reversed([*_AFTER_A_MOVE.finditer(text)]):
            after = text[mark.end() :]
            # Digits are places on the table, even if somebody is called "Player 2".
            is_courtesy = _letters(after) and not any(map(str.isdigit, after))
            if not is_courtesy or self._says_more(after) or self._is_about(after):
                break
            text = text[: mark.start()]
        *before, last = text.replace(",", " ").split() or [""]
        if any(map(_BETWEEN.search, [*before, last if _letters(last) else ""])):
            return None
        words = [
            word.strip(_TRIM)
            for word in (*before, last)
            if _letters(word) and word.strip(_TRIM).lower() not in _SKIPPED
        ]
        if not words or words[0].lower() not in self.verbs:
            return None
        return " ".join([words[0].lower(), *self.language.joined(words[1:])])

    def _fault(self, move: str) -> InvalidMoveError | None:
        """Return why a text spelled like a move is not one; None if it is."""
        try:
            if move != UNDO:
                self.game.parse_move(self.by_name(move), self.seen.state, self.seat)
        except InvalidMoveError as error:
            return error
        return None

    def what_is_wrong(self, text: str) -> str:
        """Return why a text is not a move; nothing if it does not begin like one."""
        move = self._spelled(text)
        error = self._fault(move) if move else None
        return " ".join(error.sentences) if error else ""

    def is_legal(self, text: str) -> bool:
        """Return whether a move is legal for the writer at the table."""
        if text == UNDO:
            return True
        state, seat = self.seen.state, self.seat
        move = self.game.parse_move(self.by_name(text), state, seat)
        return not self.game.violations(state, move, seat)

    def by_name(self, move: str) -> str:
        """Return a move with names in place of numbers on the table."""
        return " ".join(self.language.by_name(move.split(), self.seen.state))

    def suggested(self, lines: Sequence[str]) -> list[str]:
        """Return the moves that words may mean: questioned ones, or the one legal move that they
        name, with or without its verb.
        """
        state, seat = self.seen.state, self.seat
        if seat not in self.game.to_move(state):
            return []
        if moves := self.read([_IN_DOUBT.sub("", line) for line in lines])[0]:
            return moves
        words = _plain_words(" ".join(lines))[:_MOST_WORDS]
        if moves := self._legal_among(words):
            return moves
        said = [word.lower() for word in self.language.joined(words)]
        verbs, things = {*said} & self.verbs, [*filter(self._names, said)]
        if not things:
            return []
        found: dict[str, list[str]] = {}
        for move in self.game.legal_moves(state, seat, _MOST_SUGGESTED_FROM):
            text = self.game.format_move(move, state)
            verb, *rest = text.lower().split()
            if sorted(rest) == sorted(things) and verb in (verbs or {verb}):
                found[text] = rest
        as_said = [text for text, rest in found.items() if rest == things] or [*found]
        return as_said if len(as_said) == 1 else []

    def _legal_among(self, words: Sequence[str]) -> list[str]:
        """Return the only legal move among words, verb first; nothing if there are several."""
        state, seat = self.seen.state, self.seat
        found = {}
        for start, word in enumerate(words):
            if word.lower() not in self.verbs or word.lower() == UNDO:
                continue
            for end in range(min(len(words), start + _LONGEST_MOVE), start, -1):
                text = self._move(" ".join(words[start:end]))
                if text:
                    _, written, faults = self.game.read_move(self.by_name(text), state, seat)
                    if not faults:
                        found[written] = text
                    break
        return [*found.values()] if len(found) == 1 else []

    def is_a_slip(self, text: str) -> bool:
        """Return whether words may be a mistyped move."""
        return self.begins(text) and 1 < len(_plain_words(text)) <= _LONGEST_SLIP

    def mentions_a_move(self, text: str) -> bool:
        """Return whether words may be about a move."""
        return (
            self.is_a_slip(text)
            or self.is_a_command(text)
            or bool(read_references(text))
            or self._is_about(text)
        )

    def _is_about(self, text: str) -> bool:
        """Return whether a text names anything that moves of the game are about."""
        return any(map(self._names, self.language.joined(_plain_words(text))))

    def _says_more(self, line: str) -> bool:
        """Return whether a text is more than a greeting, which is polite words and names, maybe
        with a title that a language adds to them.
        """
        polite = _POLITE | (self.names - _RETRACTING)
        words = (_TITLE.sub("", word) or word for word in _lower(line) - polite)
        return bool(_IN_DOUBT.search(line)) or not polite.issuperset(words)

    def _is_a_name(self, line: str) -> bool:
        """Return whether a line is only the name of somebody at the table."""
        words = (each.strip(_TRIM + "-~/") for each in line.split())
        name = " ".join(filter(None, words)).lower()
        return name in self.people and name not in _RETRACTING

    def _names(self, word: str) -> bool:
        """Return whether a word names something that moves of the game are about."""
        return word.lower() in self.language.names or self.language.is_a_word(word)


def _letters(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text)


def _lower(text: str) -> set[str]:
    return {*_letters(text.lower())}


def _plain_words(text: str) -> list[str]:
    return [word for each in re.split(r"[\s,]+", text) if (word := each.strip(_TRIM))]


def read_command(text: str) -> tuple[str, str | None, list[str]]:
    """Return the file of a command, the player of its ``--as`` (empty if that names none, None
    without it), and its other words.
    """
    try:
        words = shlex.split(text)
    except ValueError:
        words = text.split()
    line = "\0".join(words)
    file, *rest = _AS.sub("", line).split("\0")
    return file, next(reversed(_AS.findall(line)), None), rest
