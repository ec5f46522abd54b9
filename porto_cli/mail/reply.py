"""Moves that somebody has written into an answer: ``draw blue-3`` above the quoted message.

What belongs to no move is told apart by form alone: quotations, greetings, signatures, and
sentences in which something else stands than a move. The words of moves are the games' own; so
whoever reads the sentences here decides nothing, and what is found is shown before it is played.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from typing import NamedTuple

from porto_cli.match.record_files import SUFFIXES

_SIGNATURE = re.compile(r"^(?:--|__+|==+|\*\*+)\s*$")
_ATTRIBUTIONS = re.compile(
    r"""(?ix)
    ^(?:on\s.*\bwrote | am\s.*\bschrieb\b.* | le\s.*\ba\s[ée]crit | el\s.*\bescribi[óo]
    | em\s.*\bescreveu | il\s.*\bha\s+scritto | op\s.*\bschreef\b.* | den\s.*\bskrev\b.*
    | .*(?:wrote|schrieb|escreveu))\s*:\s*$"""
)
_BEGINS_ATTRIBUTION = re.compile(r"(?i)^(?:on|am|le|el|em|il|op|den)\s.*\d{2,4}.*")
_HEAD_OF_A_QUOTATION = re.compile(
    r"(?i)^\W*(?:from|von|de|da|van|fra|gesendet|sent|enviado|envoy[ée]|date|datum|data)\s*:\s*\S"
)
_RULES = re.compile(
    r"""(?ix)^[-_\s]*(?:
    original\s+message|urspr(?:ü|ue)ngliche\s+nachricht|mensagem\s+original|message\s+d'origine
    |forwarded\s+message|weitergeleitete\s+nachricht|mensagem\s+encaminhada
    |original\s+appointment|begin\s+forwarded\s+message:?)[-_\s:]*$|^_{8,}\s*$"""
)
_RECORD = re.compile(r"""^(?:\#\sPorto\sgame\srecord|["']?porto["']?\s*:\s*["']?\d)""", re.X)
_SENTENCE_END = re.compile(r"(?<=[.!?;])[\s\"')]+|[;]")
_TRIM = " \t\"'()[]{}*_`.,:;!?"
_LEADING = frozenset(
    {
        *("i", "i'll", "i’ll", "i'd", "i’d", "ill", "will", "would", "like", "to", "want", "am"),
        *("going", "gonna", "let", "me", "let's", "my", "the", "move", "turn", "is", "for", "and"),
        *("then", "now", "just", "ok", "okay", "please", "so", "well", "here", "comes", "porto"),
        *("next", "we", "ich", "mein", "zug", "ist", "und", "dann", "bitte", "eu", "minha"),
        *("jogada", "vou", "e", "also"),
    }
)
"""Words before the verb that change nothing."""
_BETWEEN = frozenset(
    {"and", "the", "a", "an", "with", "on", "in", "at", "my", "of", "&", "+", "und"}
)
"""Words among those of a move that change nothing."""
_DOUBTS = frozenset(
    {
        *("or", "not", "if", "unless", "but", "maybe", "perhaps", "instead", "don't", "don’t"),
        *("cannot", "can't", "can’t", "oder", "nicht", "ou", "não", "wait", "rather"),
    }
)
_GREETING = re.compile(
    r"""(?ix)^(?:hi|hello|hey|dear|good\s(?:morning|afternoon|evening|day)|hallo|moin|servus
    |liebe[rs]?|guten\s(?:morgen|tag|abend)|ol[áa]|oi|car[oa]|bo[ma]\s(?:dia|tarde|noite)|hola
    |salut|bonjour|ciao|hoi|hej)
    (?:\s+[^\W\d_]+){0,3}\s*[,!]\s*"""
)
"""A greeting that the sentence of a move begins with, maybe with names."""
_COMMAND = re.compile(r"(?i)^(?:[$%]\s*)?(?P<porto>porto\s+)?(?P<verb>[a-z]+)\s+(?P<words>\S.*)$")
"""A command as the mails of this program show it, or what somebody has left of it."""
_QUOTES = "`\"'*_ "
_HYPHENS = re.compile("[\u2010-\u2013\u2212]")
_BLANKS = re.compile("[\xa0\u2000-\u200a\u202f\u205f\u3000]")
_LIKE_A_NAME = re.compile(r"[A-Za-z]+\d|[A-Za-z]+[-+][A-Za-z+-]*\d?(?:@\d)?|\d-[A-Za-z-]+")
"""What names in games look like; a mistyped one is answered with those that there are."""
_LONGEST_SLIP = 4
_MOST_LINES = 60
_MOST_CHARACTERS = 8000
_MOST_MOVES = 12


class Reply(NamedTuple):
    """What an answer says that is meant as moves."""

    moves: tuple[str, ...] = ()
    """In the order in which they are to be played."""
    unclear: tuple[str, ...] = ()
    """Sentences that speak of a move, and cannot be taken for one."""


def written_lines(body: str) -> list[str]:
    """Return the lines of an answer that its sender has written: no quotation, no signature."""
    lines: list[str] = []
    found = body[:_MOST_CHARACTERS].replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for nth, raw in enumerate(found):
        line = _BLANKS.sub(" ", raw).strip()
        if _SIGNATURE.match(line) or _RULES.match(line) or _RECORD.match(line):
            break
        if _ATTRIBUTIONS.match(line) or _is_broken_attribution(found[nth : nth + 3]):
            # Some answer below what they quote.
            continue
        if _HEAD_OF_A_QUOTATION.match(line) and _is_a_head(found[nth : nth + 5]):
            break
        if line.startswith((">", "|")):
            continue
        lines.append(line)
    return lines[:_MOST_LINES]


def _is_broken_attribution(lines: list[str]) -> bool:
    """Tell whether a line begins ``On Sunday, …``, and one below ends it with ``wrote:``."""
    words = [_BLANKS.sub(" ", line).strip() for line in lines]
    if not words or not _BEGINS_ATTRIBUTION.match(words[0]):
        return False
    return any(_ATTRIBUTIONS.match(" ".join(words[:size])) for size in (2, 3))


def _is_a_head(lines: list[str]) -> bool:
    return sum(bool(_HEAD_OF_A_QUOTATION.match(_BLANKS.sub(" ", line))) for line in lines) > 1


def read_reply(
    body: str,
    subject: str,
    verbs: tuple[str, ...],
    is_a_word: Callable[[str], bool],
    is_a_move: Callable[[str], bool],
    is_meant: Callable[[str, str | None], bool] = lambda file, player: True,
) -> Reply:
    """Return the moves in an answer, else those in its subject.

    ``is_a_word`` tells of the game whether something belongs into a move (numbers do anyway),
    ``is_a_move`` whether words make one as they are, however they are cut short. ``is_meant`` tells
    of a command whether its file is that of the game, and its ``--as`` (if it has one) who writes.
    """
    reader = _Moves(verbs, is_a_word, is_a_move, is_meant)
    for line in written_lines(body):
        reader.read(line)
    if not reader.moves and not reader.unclear:
        for part in re.split(r"(?i)\b(?:re|aw|fwd?|sv|wg|res|enc)\s*:|\[[^\]]*\]", subject):
            reader.read(part)
        reader.unclear.clear()
    if not reader.moves and not reader.unclear:
        reader.unclear += reader.begun
    return Reply(tuple(reader.moves[:_MOST_MOVES]), tuple(reader.unclear[:_MOST_MOVES]))


class _Moves:
    def __init__(
        self,
        verbs: tuple[str, ...],
        is_a_word: Callable[[str], bool],
        is_a_move: Callable[[str], bool],
        is_meant: Callable[[str, str | None], bool],
    ) -> None:
        self.verbs = frozenset(verbs)
        self.is_a_move = is_a_move
        self.is_a_word = is_a_word
        self.is_meant = is_meant
        self.moves: list[str] = []
        self.unclear: list[str] = []
        self.begun: list[str] = []
        """Short sentences that begin like a move, and go on with words of no game."""

    def read(self, line: str) -> None:
        """Read a line: a command as it can be typed, else sentence by sentence."""
        command = _COMMAND.match(line.strip(_QUOTES))
        if command and command["verb"].lower() in self.verbs and self._command(command):
            return
        for sentence in _SENTENCE_END.split(line):
            if sentence and sentence.strip():
                self._sentence(_HYPHENS.sub("-", sentence.strip()))

    def _command(self, command: re.Match[str]) -> bool:
        """Read a line as a command; return False if it is none."""
        file, player, words = _typed(command["words"])
        if not self.is_meant(file, player):
            if command["porto"]:
                self.unclear.append(command[0][:200])
            return bool(command["porto"])
        is_command = bool(command["porto"]) or file.lower().endswith(SUFFIXES)
        if is_command:
            self._sentence(" ".join([command["verb"], *words]))
        return is_command

    def _sentence(self, sentence: str) -> None:
        doubt = sentence.endswith("?") or any(word.lower() in _DOUBTS for word in _words(sentence))
        words = _words(_GREETING.sub("", sentence))
        start = next((nth for nth, word in enumerate(words) if word.lower() in self.verbs), None)
        if start is None:
            return
        lead, rest = words[:start], words[start:]
        about_a_move = any(self._belongs(word) for word in rest[1:])
        if not doubt and all(word.lower() in _LEADING for word in lead):
            moves = self._split(rest)
            if moves is None and self.is_a_move(whole := " ".join([rest[0].lower(), *rest[1:]])):
                moves = [whole]
            if moves is not None:
                self.moves += moves
                return
        if about_a_move:
            self.unclear.append(sentence[:200])
        elif not lead and 1 < len(rest) <= _LONGEST_SLIP:
            self.begun.append(sentence[:200])

    def _split(self, words: list[str]) -> list[str] | None:
        """Return the moves of a sentence that begins with a verb, or None if it is none."""
        moves: list[list[str]] = []
        for nth, word in enumerate(words):
            lower = word.lower()
            if lower in self.verbs and not (moves and self._follows(moves[-1], words[nth:])):
                moves.append([lower])
            elif self._belongs(word):
                moves[-1].append(word)
            elif lower in _BETWEEN or lower in ("then", "i", "dann", "please", "bitte"):
                continue
            elif len(moves[-1]) > 1 and not any(self._means(each) for each in words[nth:]):
                break
            else:
                return None
        return [" ".join(move) for move in moves]

    def _follows(self, move: list[str], words: list[str]) -> bool:
        """Tell whether a verb is only a word of the move before it."""
        return len(move) > 1 and self.is_a_word(words[0].lower()) and len(words) == 1

    def _belongs(self, word: str) -> bool:
        named = self.is_a_word(word) or self.is_a_word(word.lower())
        return named or word.isdigit() or bool(_LIKE_A_NAME.fullmatch(word))

    def _means(self, word: str) -> bool:
        return word.lower() in self.verbs or self._belongs(word)


def _words(sentence: str) -> list[str]:
    return [word for word in map(_trimmed, re.split(r"[\s,]+", sentence)) if word]


def _trimmed(word: str) -> str:
    return word.strip(_TRIM)


def _typed(text: str) -> tuple[str, str | None, list[str]]:
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
