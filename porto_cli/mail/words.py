"""Moves in the words of an answer: ``draw blue-3``, ``Hi Ana, I'll take the red 3``.

Nothing is guessed. What may mean anything else than one move, such as a question, a condition, a
choice or a second thought, is unclear; then nothing of the answer is played.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from porto_cli.mail.quotations import lines_below_a_divider, written_lines
from porto_cli.mail.threads import read_references, reference, without_references
from porto_cli.match.record_files import SUFFIXES
from porto_cli.ui import Ui


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


_SENTENCE_END = re.compile(r"(?<=[.!?;])(?<!e\.g\.)[\s\"')]+|[;]")
_TRIM = " \t\"'()[]{}*_`.,:;!?"
_ITEM = re.compile(r"^(?:[-*\u2022\u2013]|\d\d?[.)])\s+(?=\S)")
"""What an item of a list begins with."""
_LEADING = _set(
    """i i'll i’ll i'd i’d i'm i’m im ill will would like to want am going gonna let me let's my the
    move turn is for and then now just ok okay please so well here comes porto next we play sorry
    mean meant thanks today ich mein zug ist und dann bitte eu minha jogada vou e also"""
)
"""Words before the verb that do not change the meaning."""
_BETWEEN = _set("and the a an with on in at my of & + und")
"""Words within a move that do not change the meaning."""
_WITHIN = _BETWEEN | {"", "then", "i", "dann", "please", "bitte"}
_JOINING = _set("and & + with und plus")
_AFTER = _set("because since so please thanks thank cheers bitte sorry greetings")
"""Words with which a remark on the move begins; else there is a comma or the like before it."""
_BEFORE_A_TITLE = _set("my the dear mein lieber meu")
_NOUNS = _set("card cards role tile plantation building")
_CHOOSING = _NOUNS | _set("take have pick choose go be get")
"""Words before the names of what a player wants, where the move is only that."""
_BESIDE_NAMES = (_LEADING | _BETWEEN | _CHOOSING) - _set("in on at thanks sorry mean meant")
_STATING = _set("like have be is my here comes")
"""Those with which a player may as well say what there is, unless one of these is beside them."""
_WANTING = _set("i'll i’ll i'd i’d would will going gonna move turn jogada zug")
_WISHING = _set("would i'd i’d")
"""Without one of these nobody who likes to do something does it now."""
_DOUBTS = _set(
    """or not if unless but maybe perhaps instead don't don’t cannot can't can’t oder nicht ou não
    wait rather never won't won’t wouldn't wouldn’t might could should wish when once until after
    before later soon someday tomorrow wenn falls se nor neither without except either else
    otherwise nie kein keine assuming provided providing what why how who whether said says
    illegal joke joking kidding idea"""
)
_IN_DOUBT = re.compile(
    r"""(?ix) \bnext\s+(?:turn|time|round|week)\b(?!\s*:) | \bas\s+long\s+as\b | \bin\s+case\b
    | \b(?:am|are|do|shall|were|will|would)\s+(?:i|we)\b | ^\W*is\s+(?:it|my|that|this)\b
    | (?:\bwould|\bi['’]d)\s+(?!like\s) | ,\s*(?:is|was)\s | \bsubject\s+to\s
    | \bto\s+be\s+confirmed\b"""
)
"""The same in more than one word: another time, a condition, a question, what would be done."""
_RETRACTS = re.compile(
    r"""(?ix)^\W*(?:no|nope|nah|not|or|wait|stop|actually|oops|ups|scratch|forget|ignore|cancel|undo
    |never\s?mind|unless|(?:only\s+)?if|wenn|falls|but\s+(?:only|not)|instead|rather|on\s+second|correction
    |nein|doch|oder|não|(?:i\s+)?take\s+(?:that|it)\s+back|i(?:['’]ve|\s+have)?\s+changed?\s+my\s+mind
    |please\s+(?:do\s+not|don['’]t)|(?:do\s+not|don['’]t)\s+play|hold\s+(?:on|off|it)|do\s+nothing
    |(?:just\s+|only\s+)?(?:kidding|joking|a\s+joke)|(?:sorry\W+)?i\s+mean|i(?:['’]m|\s+am)\s+(?:just\s+
    |only\s+|still\s+)?(?:kidding|joking|thinking|not\s+sure|unsure)
    |let\s+me\s+(?:\w+\s+)?(?:know|think|see|check)|what\s+do\s+you\s+(?:think|say)|is\s+(?:that|this)
    |(?:ok|okay|right|yes|agreed|correct|legal|allowed)(?=\s*\?))\b(?!\s+(?:problem|worries|hurry|rush))"""
)
"""The beginning of a sentence that takes back what is written above it."""
_FOOTER = re.compile(
    r"""(?ix)^\W*(?:if|unless|please|not|wenn|falls|oder)\b.*(?:\brecipient|\bconfidential|\bprivileged
    |\be-?mail|\bmessage|\bunsubscribe|\bvertraulich|empfänger|\bnachricht)"""
)
"""A sentence that firms and lists put below every mail, and that begins like a second thought."""
_GREETING = re.compile(
    r"""(?ix)^(?:hi|hello|hey|dear|good\s(?:morning|afternoon|evening|day)|hallo|moin|servus
    |liebe[rs]?|guten\s(?:morgen|tag|abend)|ol[áa]|oi|car[oa]|bo[ma]\s(?:dia|tarde|noite)|hola
    |salut|bonjour|ciao|hoi|hej)
    (?:\s+[^\W\d_]+){0,3}\s*[,!]\s*"""
)
"""A greeting at the beginning of a sentence with a move, maybe with names."""
_COMMAND = re.compile(r"(?i)^(?:[$%]\s*)?(?P<porto>porto\s+)?(?P<verb>[a-z]+)\s+(?P<words>\S.*)$")
"""A command as the mails of this program show it, or what the writer left of it."""
_TYPED = re.compile(r"(?i)[$%`\"'*_ ]*porto\s")
_QUOTES = "`\"'*_ "
_BESIDE_A_SIGNATURE = _TRIM + "-\u2013\u2014~/"
_HYPHENS = re.compile("[\u2010-\u2013\u2212]")
_LIKE_A_NAME = re.compile(r"[A-Za-z]+\d|[A-Za-z]+[-+][A-Za-z+-]*\d?(?:@\d)?|\d-[A-Za-z-]+")
"""The form of names in games, also of mistyped ones."""
_LONGEST_SLIP = 4
_MOST_MOVES = 12
_WRAPPED_AT = 60
"""Mail programs break lines here or further to the right."""


class Reply(NamedTuple):
    """The moves in an answer."""

    moves: tuple[str, ...] = ()
    """In the order in which they are to be played."""
    unclear: tuple[str, ...] = ()
    """Sentences that mention a move, but cannot be read as one."""
    by_number: bool = False
    """Whether a move is named by numbers that change from turn to turn."""


@dataclass(frozen=True)
class Meaning:
    """What the words of an answer mean at the table that it is about."""

    is_a_move: Callable[[str], bool] = lambda text: False
    """Whether words are a move as they are, also if abbreviated."""
    is_meant: Callable[[str, str | None], bool] = lambda file, player: True
    """Whether a command's file is that of the game, and its ``--as``, if any, the writer."""
    only_move: Callable[[list[str]], str | None] = lambda names: None
    """The only legal move that consists of a verb and these words."""
    people: frozenset[str] = frozenset()
    """What the players and the writer are called, in lower case; moves may be called alike."""


def read_reply(body: str, subject: str, ui: Ui, meaning: Meaning | None = None) -> Reply:
    """Return the moves in an answer to a mail of a game, else those in its subject."""
    reader = _Moves(ui, meaning or Meaning())
    lines = written_lines(body)
    for line in reader.wrapped(lines):
        reader.read(line)
    reader.choose()
    if reader.moves:
        reader.unclear += reader.second_thoughts(lines_below_a_divider(body))
    if reader.moves and len(named := set(read_references("\n".join(lines)))) > 1:
        reader.unclear += map(reference, sorted(named))
    if not reader.moves and not reader.unclear:
        begun, reader.begun = reader.begun, []
        for part in re.split(r"(?i)\b(?:re|aw|fwd?|sv|wg|res|enc)\s*:|\[[^\]]*\]", subject):
            reader.read(part)
        reader.unclear = begun if not reader.moves else []
    moves = () if reader.unclear else tuple(reader.moves[:_MOST_MOVES])
    return Reply(moves, tuple(reader.unclear[:_MOST_MOVES]))


@dataclass
class _Moves:
    """Collects the moves in sentences."""

    ui: Ui
    meaning: Meaning
    moves: list[str] = field(default_factory=list)
    unclear: list[str] = field(default_factory=list)
    named: list[str] = field(default_factory=list)
    """Sentences that name what moves are about, but have no verb of a move."""
    begun: list[str] = field(default_factory=list)
    """Short sentences that begin like a move, and go on with words of no game."""

    def __post_init__(self) -> None:
        names, synonyms = self.ui.names, self.ui.game.commands.synonyms
        self.own = frozenset(self.ui.game.meta.verbs)
        self.verbs = {word: synonyms[word] for word in synonyms if word not in names}
        self.verbs |= {verb: verb for verb in self.own}
        for word, verb in tuple(self.verbs.items()):
            for stem in (word, word.removesuffix("e"), word + word[-1]):
                self.verbs.setdefault(f"{stem}ing", verb)
        self.first_parts = {re.split("[-+]", name)[0] for name in names}
        half_names = {part for part in self.first_parts - names if part.isalpha()}
        needing = {word for word, verb in self.verbs.items() if self._needs_words(verb)}
        self.open_ends = half_names | needing | _JOINING | {"card", "cards"}

    def wrapped(self, lines: list[str]) -> Iterator[str]:
        """Return the lines of an answer; sentences that go on in the next line are one."""
        whole, has_begun = "", False
        for line in lines:
            text = without_references(line)
            if self._is_a_name(text) and (has_begun or text.lower() not in self.own):
                # A line of its own, as a signature: only a button has a move like "pass" at the
                # top, whatever somebody at the table is called.
                text = ""
            has_begun = has_begun or bool(text)
            if self._goes_on(whole, text):
                whole += f" {text}"
            else:
                yield whole
                whole = _ITEM.sub("", text)
        yield whole

    def _goes_on(self, line: str, after: str) -> bool:
        """Return whether a sentence goes on in the next line."""
        is_long = len(line) + 1 + len(after.partition(" ")[0]) > _WRAPPED_AT
        words, next_words = _words(_SENTENCE_END.split(line)[-1] or ""), _words(after)
        if not words or not next_words or line[-1] in ".!?;":
            return False
        first = next_words[0]
        here, there = (any(map(self._matters, each)) for each in (words, next_words))
        if _has_doubts([*words, *next_words]) or words[-1].lower() in self.open_ends:
            return True
        is_typed = bool(_TYPED.match(line)) and (not here or bool(_TYPED.match(after)))
        if is_typed or _ITEM.match(after) or _is_a_salutation(line):
            return False
        if here:
            is_a_thing = first.isdigit() or self._names(first) or first.lower() in self.first_parts
            is_new = not is_a_thing and (not first.islower() or bool(self._verb(first)))
        else:
            is_new = not there and not first.islower() and not first.startswith("I")
        return not is_new or is_long

    def read(self, line: str) -> None:
        """Read a line: a command as it can be typed, else sentence by sentence."""
        command = self._is_command(line)
        if command and self._command(command):
            return
        self._sentences(line)

    def _sentences(self, text: str) -> None:
        sentences = [each.strip() for each in _SENTENCE_END.split(text) if each and each.strip()]
        for sentence in sentences:
            if not (sentences[1:] and self._is_a_name(sentence)):
                self._sentence(_HYPHENS.sub("-", sentence))

    def second_thoughts(self, lines: list[str]) -> list[str]:
        """Return what takes back the moves of an answer, or plays others, in lines below it."""
        found = []
        for line in lines:
            for sentence in filter(None, _SENTENCE_END.split(line)):
                below = _Moves(self.ui, self.meaning)
                below.read(sentence)
                if below.moves or (_RETRACTS.match(sentence) and not _FOOTER.match(line)):
                    found.append(sentence[:200])
        return found

    def _is_a_name(self, text: str) -> bool:
        """Return whether a text is only the name of somebody at the table, maybe greeted."""
        words = (each.strip(_BESIDE_A_SIGNATURE) for each in _GREETING.sub("", text).split())
        name = " ".join(filter(None, words)).lower()
        return name in self.meaning.people and not _RETRACTS.match(name)

    def _may_address(self, sentence: str, words: list[str]) -> bool:
        """Return whether a sentence may only call somebody by what is a word of moves as well, as
        in ``Good morning, captain.`` or ``Captain!``.
        """
        *before, last = list(filter(None, words)) or [""]
        is_called = bool(_GREETING.match(sentence)) or (not before and sentence[-1] in ",!")
        is_a_title = last.isalpha() and self._names(last) and not self._verb(last)
        return is_called and is_a_title and {word.lower() for word in before} <= _BEFORE_A_TITLE

    def _is_command(self, line: str) -> re.Match[str] | None:
        command = _COMMAND.match(line.strip(_QUOTES))
        return command if command and command["verb"].lower() in self.own else None

    def _command(self, command: re.Match[str]) -> bool:
        """Read a line as a command; return False if it is none."""
        file, player, words = _typed(command["words"])
        if not self.meaning.is_meant(file, player):
            if command["porto"]:
                self.unclear.append(command[0][:200])
            return bool(command["porto"])
        is_command = bool(command["porto"]) or file.lower().endswith(SUFFIXES)
        if is_command:
            self._sentences(" ".join([command["verb"], *words]))
        return is_command

    def _sentence(self, sentence: str) -> None:
        words = self._read_words(sentence)
        start = next((nth for nth, word in enumerate(words) if self._verb(word)), len(words))
        lead, rest = words[:start], words[start:]
        moves = None if _is_doubtful(sentence) else self._moves_in(lead, rest)
        retracts = bool(self.moves or self.named) and bool(_RETRACTS.match(sentence))
        if retracts or self._may_address(sentence, words):
            self.unclear.append(sentence[:200])
        elif moves:
            self.moves += moves
        elif any(map(self._belongs, rest[1:])):
            self.unclear.append(sentence[:200])
        elif any(map(self._names, lead)):
            (self.unclear if rest or self.moves else self.named).append(sentence[:200])
        elif not any(lead) and 1 < len(rest) <= _LONGEST_SLIP and rest[0].lower() in self.own:
            self.begun.append(sentence[:200])

    def _moves_in(self, lead: list[str], rest: list[str]) -> list[str] | None:
        """Return the moves of a sentence from its first verb on, or None if it has none, or
        anything else.
        """
        before = {word.lower() for word in lead if word}
        is_only_liked = "like" in before and not before & _WISHING
        if not rest or is_only_liked or not before <= _LEADING:
            return None
        rest = [self._verb(rest[0]), *rest[1:]]
        moves = self._split(rest)
        if moves is None and self.meaning.is_a_move(whole := " ".join(filter(None, rest))):
            moves = [whole]
        if moves is not None and all(map(self.meaning.is_a_move, moves)):
            return moves
        names = self._only_names([*lead, *rest])
        chosen = self.meaning.only_move(names) if names else None
        return [chosen] if chosen else moves

    def choose(self) -> None:
        """Take the one sentence that only names something for a move, if just one is legal; beside
        a move it would be another one.
        """
        for sentence in self.named:
            names = self._only_names(self._read_words(sentence))
            is_alone = names and not self.named[1:] and not _is_doubtful(sentence)
            if not is_alone or self.moves or not (chosen := self.meaning.only_move(names)):
                self.unclear += [sentence] if names or not self.moves else []
            else:
                self.moves.append(chosen)
                return

    def _only_names(self, words: list[str]) -> list[str]:
        """Return the names and numbers that a sentence wants, if it says nothing else."""
        start = next((nth for nth, word in enumerate(words) if self._names(word)), len(words))
        lead = {word.lower() for word in words[:start] if word and not word.isdigit()}
        names = [word for word in words if self._names(word) or word.isdigit()]
        rest = {word.lower() for word in words[start:]} - _WITHIN - _AFTER - _NOUNS
        is_wanted = lead <= _BESIDE_NAMES and (lead & _WANTING or not lead & _STATING)
        is_all = rest <= {name.lower() for name in names}
        return names if is_wanted and is_all and start < len(words) else []

    def _split(self, words: list[str]) -> list[str] | None:
        """Return the moves of a sentence from a verb on, or None if it has anything else."""
        moves: list[list[str]] = []
        for nth, word in enumerate(words):
            lower = word.lower()
            is_bare = bool(moves) and len(moves[-1]) == 1
            if lower in self.own and not (moves and self._follows(moves[-1], words[nth:])):
                moves.append([lower])
            elif self._belongs(word):
                moves[-1].append(word)
            elif lower in _WITHIN or (lower in ("card", "cards") and is_bare):
                continue
            elif self._is_a_remark(words, nth) and (not is_bare or lower in _AFTER):
                break
            else:
                return None
        is_whole = all(move[1:] or not self._needs_words(move[0]) for move in moves)
        return [" ".join(move) for move in moves] if is_whole else None

    def _is_a_remark(self, words: list[str], nth: int) -> bool:
        """Return whether the words from one on say nothing more about the move."""
        before = words[nth - 1]
        if any(map(self._means, words[nth:])) or before.lower() in _JOINING:
            return False
        return not before or words[nth].lower() in _AFTER

    def _follows(self, move: list[str], words: list[str]) -> bool:
        """Return whether a verb is only a word of the move before it."""
        return len(move) > 1 and self.ui.is_a_word(words[0].lower()) and len(words) == 1

    def _needs_words(self, verb: str) -> bool:
        return bool(self.ui.game.commands.verbs[verb].words)

    def _verb(self, word: str) -> str:
        return self.verbs.get(word.lower(), "")

    def _names(self, word: str) -> bool:
        """Return whether a word names what moves of the game are about."""
        known = bool(_LIKE_A_NAME.fullmatch(word)) and self.ui.is_a_word(word)
        return known or word.lower() in self.ui.names

    def _belongs(self, word: str) -> bool:
        """Return whether a word can be one of a move, maybe mistyped."""
        named = self.ui.is_a_word(word) or self.ui.is_a_word(word.lower())
        return bool(word) and (named or word.isdigit() or bool(_LIKE_A_NAME.fullmatch(word)))

    def _matters(self, word: str) -> bool:
        return bool(self._verb(word)) or self._names(word)

    def _means(self, word: str) -> bool:
        in_a_move = self._belongs(word) or word.lower() in self.first_parts
        return in_a_move or bool(self._verb(word))

    def _read_words(self, sentence: str) -> list[str]:
        """Return the words of a sentence, names in one piece; an empty one where there is a comma,
        a dash or the like.
        """
        words: list[str] = []
        for raw in re.split(r"\s+|(?<=,)", _GREETING.sub("", sentence)):
            word = raw.strip(_TRIM)
            if not re.search(r"[^\W_]|[&+<>=|~]", word):
                words.append("")
                continue
            words += ["", word] if raw[0] in "([" else [word]
            if raw[-1] in ",:;)]":
                words.append("")
        return self.ui.joined(words)


def _words(sentence: str) -> list[str]:
    return [word for each in re.split(r"[\s,]+", sentence) if (word := each.strip(_TRIM))]


def _is_doubtful(sentence: str) -> bool:
    return "?" in sentence or bool(_IN_DOUBT.search(sentence)) or _has_doubts(_words(sentence))


def _is_a_salutation(line: str) -> bool:
    after_greeting = _GREETING.sub("", f"{line},", count=1)
    return after_greeting in ("", ",") or bool(re.fullmatch(r"\w+,", line))


def _has_doubts(words: list[str]) -> bool:
    return any(word.lower() in _DOUBTS for word in words)


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
