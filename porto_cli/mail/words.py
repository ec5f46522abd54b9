"""Moves and other words in an answer: a line that is a move is a move, the rest are words.

Words are not interpreted. Whatever is more than a greeting, a name or what mail programs add is
shown to the user, who decides whether the move beside it is meant.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from porto_cli.game import Game
from porto_cli.mail.quotations import lines_below_a_divider, written_lines
from porto_cli.mail.threads import read_references, reference, without_references
from porto_cli.match.record import SUFFIXES


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


_PARTS = re.compile(r"(?<=[.!?;])[\s\"')]+|;|,?\s+then\s+")
"""What divides the moves of a line from each other, and from a remark."""
_TRIM = " \t\"'()[]{}*_`.,:;!?"
_ITEM = re.compile(r"^(?:[-*\u2022\u2013]|\(?\d\d?[.)])\s+(?=\S)")
"""What an item of a list begins with."""
_SKIPPED = _set("and the a an with on in at of & + und please bitte card cards")
"""Words within a move that do not change it."""
_POLITE = _set(
    """hi hello hey dear all everybody good morning afternoon evening day night hallo moin servus
    liebe lieber guten tag abend gute olá ola oi bom boa dia tarde noite caro cara salut bonjour
    ciao hola hej thanks thank you many danke dir euch vielen dank obrigado obrigada merci gracias
    here is my move the mein zug ist hier a minha jogada best kind regards greetings cheers bye lg
    vg mfg grüße gruß gruss grüsse viele herzliche beste schöne mit freundlichen freundlichem
    abraço abraços beijinhos cumprimentos um love yours see soon bis bald até logo have nice day
    evening weekend luck fun viel spaß glück boa sorte"""
)
"""A line of nothing but these and names says nothing that matters to the game."""
_RETRACTING = _set("no not stop wait cancel undo never actually instead nein nicht halt doch não")
"""Words that count, even if somebody is called so."""
_SENT_WITH = re.compile(
    r"""(?ix)(?:sent\s(?:from|with|via)|gesendet\s(?:von|mit)|enviad[oa]\s(?:do|de|desde|a\spartir)
    |envoyé\s(?:de|depuis)|inviat[oa]\sda|get\soutlook|outlook\s(?:for|für|para|pour))
    (?:\s[^\W_][\w-]*){1,4}[.]?|von\smeinem(?:\s[^\W_][\w-]*){1,3}\sgesendet[.]?"""
)
"""What telephones add, in a few words."""
_FOOTER = re.compile(
    r"""(?ix)\brecipient|\bconfidential|\bprivileged|\be-?mail|\bunsubscribe|\bmailing\slist
    |\bvertraulich|empfänger|destinat[aá]ri|destinataire"""
)
"""What the first line of a paragraph has that companies and mailing lists add below a rule."""
_COMMAND = re.compile(r"(?i)^(?:[$%]\s*)?(?P<porto>porto\s+)?(?P<verb>[a-z]+)\s+(?P<words>\S.*)$")
"""A command as the mails of this program show it, or what the writer left of it."""
_QUOTES = "`\"'*_ "
_BESIDE_A_NAME = _TRIM + "-\u2013\u2014~/"
_HYPHENS = re.compile("[\u2010-\u2013\u2212]")
_IN_DOUBT = re.compile("[?\uff1f\U0001f44e\U0001f6ab\u274c\u270b\U0001f6d1\U0001f914]")
"""What makes words of anything: a question mark, and pictures that say no."""
_BETWEEN = re.compile(r"^[(\[{]|^(?![&+/]$)[\W_]+$|[<>=|~]")
"""What divides a move from words in its line, unless the line ends with it, as with a smile."""
_LIKE_A_NAME = re.compile(r"[A-Za-z]+\d|[A-Za-z]+[-+][A-Za-z+-]*\d?(?:@\d)?|\d-[A-Za-z-]+")
"""The form of names in games, also of mistyped ones."""
_LONGEST_SLIP = 4
"""The most words of a line that begins with a verb and may be a move that was mistyped."""
_MOST_MOVES = 12
_MOST_LINES_OF_A_MOVE = 3
"""Mail programs break lines."""


class Reply(NamedTuple):
    """What an answer says."""

    moves: tuple[str, ...] = ()
    """In the order in which they are to be played."""
    words: str = ""
    """What else it says; a reason to ask."""
    unclear: str = ""
    """If there are no moves: the first words that mention one."""
    by_number: bool = False
    """Whether a move is named by numbers that change from turn to turn."""
    is_hidden: bool = False
    """Whether the words may be about a choice that only the writer may know."""


@dataclass(frozen=True)
class Meaning:
    """What the words of an answer mean at the table that it is about."""

    is_a_move: Callable[[str], bool] = lambda text: False
    """Whether words are a move as they are, also if abbreviated."""
    is_meant: Callable[[str, str | None], bool] = lambda file, player: True
    """Whether a command's file is that of the game, and its ``--as``, if any, the writer."""
    people: frozenset[str] = frozenset()
    """What the players and the writer are called, in lower case; moves may be called alike."""


def read_reply(body: str, subject: str, game: Game, meaning: Meaning | None = None) -> Reply:
    """Return the moves in an answer to a mail of a game, else those in its subject, and what else
    it says.
    """
    reader = _LineReader(game, meaning or Meaning())
    lines = written_lines(body)
    moves, words = reader.read(lines)
    if moves:
        words += filter(reader.matters, _without_footers(lines_below_a_divider(body)))
    named = set(read_references("\n".join(lines)))
    if len(named) > 1:
        words += map(reference, sorted(named))
    if not moves:
        moves = reader.moves_of(_without_prefixes(subject)) or []
    if len(moves) > _MOST_MOVES or (moves and len(named) > 1):
        return Reply(unclear=words[-1] if len(named) > 1 else "; ".join(moves)[:200])
    unclear = "" if moves else next(filter(reader.mentions_a_move, words), "")
    return Reply(tuple(moves), " ".join(words), unclear[:200])


def _without_footers(lines: list[str]) -> list[str]:
    """Return lines without the paragraphs that companies and mailing lists add."""
    paragraphs = [list(each) for has_text, each in groupby(lines, bool) if has_text]
    return [line for each in paragraphs if not _FOOTER.search(each[0]) for line in each]


def _without_prefixes(subject: str) -> str:
    """Return a subject without its code, and without what mail programs put before it."""
    own = re.sub(r"(?i)\(was:.*|\[[^\]]*\]", "", subject).strip()
    return re.sub(r"(?i)^(?:(?:re|aw|fwd?|sv|wg|res|enc)\s*:\s*)+", "", own)


class _LineReader:
    """Tells the moves in lines from words."""

    def __init__(self, game: Game, meaning: Meaning) -> None:
        self.game, self.meaning = game, meaning
        self.verbs = frozenset(game.meta.verbs)
        self.names = frozenset(word for name in meaning.people for word in _letters(name))

    def read(self, lines: Sequence[str]) -> tuple[list[str], list[str]]:
        """Return the moves in lines, and those that are words."""
        lines = without_references("\n".join(lines)).split("\n")
        left = [_ITEM.sub("", line) for line in lines]
        is_item = [bool(_ITEM.match(line)) for line in lines]
        begins = next((nth for nth, line in enumerate(left) if line), 0)
        for nth, line in enumerate(left):
            if self._is_a_name(line) and not (nth == begins and line.lower() in self.verbs):
                # A line of its own, as a signature: only a button has a move like "pass" at the
                # top, whatever somebody at the table is called.
                left[nth] = ""
        moves: list[str] = []
        words: list[str] = []
        nth = 0
        while nth < len(left):
            for size in range(_MOST_LINES_OF_A_MOVE, 1, -1):
                some = left[nth : nth + size]
                is_one = len(some) == size and not any(is_item[nth + 1 : nth + size])
                is_one = is_one and all(map(_letters, some))
                if is_one and (found := self.moves_of(" ".join(some))):
                    moves += found
                    nth += size
                    break
            else:
                self._read_line(left[nth], moves, words)
                nth += 1
        return moves, words

    def _read_line(self, line: str, moves: list[str], words: list[str]) -> None:
        """Add what a line says to the moves and the words."""
        found = self.moves_of(line)
        if found:
            moves += found
        if found or not self.matters(line):
            return
        for part in filter(None, _PARTS.split(line)):
            found = None if self.is_a_command(line) else self.moves_of(part)
            if found:
                moves += found
            elif self._says_more(part):
                words.append(part)

    def moves_of(self, text: str) -> list[str] | None:
        """Return the moves that a whole text is, or None if it is anything else."""
        if _IN_DOUBT.search(text):
            return None
        parts = [part for part in _PARTS.split(text) if any(map(str.isalnum, part))]
        typed = self._typed(text)
        if typed:
            move = self._move(typed) if len(parts) == 1 else None
            return [move] if move else None
        moves = list(map(self._move, parts))
        whole = [move for move in moves if move]
        return whole if len(whole) == len(moves) else None

    def is_a_command(self, line: str) -> re.Match[str] | None:
        """Return whether a line is a command of a move, for whatever game."""
        command = _COMMAND.match(line.strip(_QUOTES))
        return command if command and command["porto"] else None

    def _typed(self, line: str) -> str | None:
        """Return the move of a command for this game and player, without the file; None if it is
        none.
        """
        command = _COMMAND.match(line.strip(_QUOTES))
        if not command or command["verb"].lower() not in self.verbs:
            return None
        file, player, words = _read_command(command["words"])
        if not self.meaning.is_meant(file, player):
            return None
        if not command["porto"] and not file.lower().endswith(SUFFIXES):
            return None
        return " ".join([command["verb"], *words])

    def _move(self, text: str) -> str | None:
        """Return the move that a text is: a verb, and then words of the game."""
        *before, last = _HYPHENS.sub("-", text).strip(_TRIM).replace(",", " ").split() or [""]
        if any(map(_BETWEEN.search, [*before, last if _letters(last) else ""])):
            return None
        words = [
            word.strip(_TRIM)
            for word in (*before, last)
            if _letters(word) and word.strip(_TRIM).lower() not in _SKIPPED
        ]
        if not words or words[0].lower() not in self.verbs:
            return None
        verb, *rest = [words[0].lower(), *self.game.words.joined(words[1:])]
        move = " ".join([verb, *rest])
        is_whole = bool(rest) or not self.game.commands.verbs[verb].words
        is_one = len(rest) < 2 or not any(word.lower() in self.verbs for word in rest)
        is_known = is_whole and is_one and all(map(self._belongs, rest))
        return move if is_known or self.meaning.is_a_move(move) else None

    def mentions_a_move(self, text: str) -> bool:
        """Return whether words may be about a move."""
        words = self.game.words.joined(_plain_words(_HYPHENS.sub("-", text)))
        verbs = [nth for nth, word in enumerate(words) if word.lower() in self.verbs]
        if self.is_a_command(text) or read_references(text) or any(map(self._names, words)):
            return True
        is_a_slip = verbs[:1] == [0] and 1 < len(words) <= _LONGEST_SLIP
        return is_a_slip or bool(verbs and any(map(self._belongs, words[verbs[0] + 1 :])))

    def matters(self, line: str) -> bool:
        """Return whether a line says more than a greeting, a name, or what telephones add."""
        return self._says_more(line) and not _SENT_WITH.fullmatch(line.strip())

    def _says_more(self, line: str) -> bool:
        words = {word.lower() for word in _letters(line)}
        return bool(_IN_DOUBT.search(line)) or not words <= _POLITE | (self.names - _RETRACTING)

    def _is_a_name(self, line: str) -> bool:
        """Return whether a line is only the name of somebody at the table."""
        words = (each.strip(_BESIDE_A_NAME) for each in line.split())
        name = " ".join(filter(None, words)).lower()
        return name in self.meaning.people and name not in _RETRACTING

    def _names(self, word: str) -> bool:
        """Return whether a word names what moves of the game are about."""
        known = bool(_LIKE_A_NAME.fullmatch(word)) and self.game.words.is_a_word(word)
        return known or word.lower() in self.game.words.names

    def _belongs(self, word: str) -> bool:
        """Return whether a word can be one of a move, maybe mistyped."""
        named = self.game.words.is_a_word(word) or self.game.words.is_a_word(word.lower())
        return named or word.isdigit() or bool(_LIKE_A_NAME.fullmatch(word))


def _letters(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text)


def _plain_words(text: str) -> list[str]:
    return [word for each in re.split(r"[\s,]+", text) if (word := each.strip(_TRIM))]


def _read_command(text: str) -> tuple[str, str | None, list[str]]:
    """Return the file of a command, the player of its ``--as``, and its other words."""
    try:
        file, *words = shlex.split(text)
    except ValueError:
        file, *words = text.split()
    player, rest = None, []
    while words:
        word = words.pop(0)
        flag, equals, value = word.partition("=")
        if flag != "--as":
            rest.append(word)
        elif equals or words:
            player = value if equals else words.pop(0)
    return file, player, rest
