"""What a question is; and questions as numbered lines, for screen readers and terminals that
cannot move a cursor. Those that can have :mod:`porto_cli.term.menus`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from functools import partial, reduce
from itertools import count
from operator import add
from types import MappingProxyType
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from porto_cli.core import InvalidMoveError, cited, whole_number
from porto_cli.core.files import raise_if_hung_up
from porto_cli.term import PLAIN, Line, Screen, Stage, folded, plain, screen_of, show, wrapped
from porto_cli.term import CancelledError as CancelledError

# -- What a question is. Who asks it, and how, is the business of an ``Asker``

T = TypeVar("T")
V = TypeVar("V")


class StaleError(Exception):
    """The question on the screen has changed: it is asked again from its first part."""


class HintedError(StaleError):
    """A hint has come for the question on the screen: it is asked again."""


class Choice(NamedTuple, Generic[T]):
    """Something to choose: how it is shown, and its value."""

    label: Line
    value: T
    also: str = ""
    """What it can be found by besides its name; numbers among it choose it as its key does."""
    key: str = ""
    """What points at it in a menu, and chooses it line by line, as the table shows it; a sign
    chooses at once. Other choices may have digits."""
    note: str = ""
    """What it does, in a line: behind the label where that fits, else while it is pointed at."""
    moves: Sequence[str] = ()
    """The moves that it leads to, the best first: that one is shown on the table. One that goes on
    with another is on a line below it."""
    hidden: bool = False
    """It is listed only once it is typed: few players want it, or it says why it is illegal."""
    enter: str = ""
    """What Enter does, where it does more than take what the label says."""
    brings: str = ""
    """What it brings in detail, in front of the note: in its row where that fits."""
    name: str = ""
    """What it is, where its label says more: words are looked for in this alone."""
    short: Sequence[str] = ()
    """What stands behind the labels of a menu instead of the note, which is then below: the first
    that fits."""

    @property
    def about(self) -> Sequence[str]:
        """What is said of it besides the label, in full and in short."""
        return "  ".join(filter(None, [self.brings, self.note])), self.brings

    @property
    def keys(self) -> list[str]:
        """Its key, and the numbers that mean the same."""
        return [self.key, *filter(str.isdigit, self.also.split())]

    def is_key(self, typed: str) -> bool:
        """Return whether what was typed is a whole key of it."""
        return typed.casefold() in (key.casefold() for key in self.keys)

    @property
    def is_sign(self) -> bool:
        """Its key is no letter or digit, so that it is the same on all screens."""
        return bool(self.key) and not self.key.isalnum()


def labeled(label: str, value: T, key: str = "", also: str = "") -> Choice[T]:
    """Return a choice whose label is a plain text."""
    return Choice([(label, PLAIN)], value, also, key)


def signs_of(choices: Iterable[Choice[T]]) -> list[Choice[T]]:
    """Return the choices whose keys are signs."""
    return [one for one in choices if one.is_sign]


def is_named(choice: Choice[T]) -> bool:
    """Return whether the label of a choice begins with its key, as a word."""
    return bool(choice.key) and choice.key == re.split(r"[ :]", plain(choice.label).lstrip("("))[0]


def sign_in_brief(choice: Choice[T]) -> str:
    """Return a sign with a word about what it does, like ``! hint``."""
    return f"{choice.key} {re.split('[ :]', plain(choice.label))[0].lower()}"


BACK_KEY, HELP_KEY, QUIT = "b", "?", "Quit"
"""Keys, and the line in place of the way back where there is none but out."""
HINT_KEY = "h"
"""Takes the hint that was asked for, in whatever question."""
TABLE_KEY = "Ctrl-O"
"""Shows the whole table, wherever a part of it stands above a question."""


_FEW = 2
"""Letters that may only be a key."""


def found_by(choices: Sequence[Choice[T]], typed: str) -> list[int]:
    """Return the places of the choices that have words which begin as each of those typed, whatever
    their order and case: in what they are, else in their keys, else in a move that they lead to.
    Of what is no move, lines that begin so come first.

    Where there are moves, the others, like one that cannot be made, are found only by a word of
    three letters or more that no move has; what has a sign is found only where nothing else is, and
    by one or two letters only if its line begins with them. Where there are none, one or two
    letters find what begins so, with a sign or without, before words within a line.
    """
    begins = [re.compile(rf"(?<!\w){re.escape(word)}", re.IGNORECASE) for word in typed.split()]
    # Keys like n2 and g3y2L3 are letters and numbers in turn.
    before = r"\d" if typed.strip()[:1].isdigit() else r"[^\W\d]"
    in_key = re.compile(f"(?<!{before}){re.escape(typed.strip())}", re.IGNORECASE)
    in_line = re.compile(rf"\s*{re.escape(typed.strip())}", re.IGNORECASE)

    def has(text: str) -> bool:
        return all(begin.search(text) for begin in begins)

    ways: Sequence[Callable[[Choice[T]], object]] = (
        # A saved game has the name of its file, which may be like anything.
        lambda one: not one.moves and in_line.match(plain(one.label)),
        lambda one: has(f"{one.name or plain(one.label)} {one.also}"),
        lambda one: in_key.search(one.key),
        # A single letter is meant for a key: it would begin a word of nearly every move.
        lambda one: min(map(len, typed.split())) > 1 and any(map(has, one.moves)),
    )
    signs = [nth for nth, one in enumerate(choices) if one.is_sign]
    all_of_them = [nth for nth in range(len(choices)) if nth not in signs]
    moves = [nth for nth in all_of_them if choices[nth].moves]
    is_long = len(typed.strip()) > _FEW
    found = (
        [nth for nth in places if fits(choices[nth])]
        for places in ([moves, all_of_them] if is_long or not moves else [moves])
        for fits in ways
    )
    by_sign = [nth for nth in signs if has(_sign_words(choices[nth], first=not is_long))]
    begun = [nth for nth in all_of_them if in_line.match(plain(choices[nth].label))]
    short = [] if is_long or moves else [*begun, *by_sign]
    return (short or next(filter(None, found), []) or by_sign) if begins else []


def _sign_words(choice: Choice[T], *, first: bool) -> str:
    """Return the words that find a sign: those of its line up to a parenthesis, which may hold a
    move, or the ``first`` one; and what it is found by besides.
    """
    name = plain(choice.label).partition(" (")[0]
    return f"{name.split()[0] if first else name} {choice.also}"


Fault = Callable[[str], str | None]
"""Returns what is wrong with a text that was typed, or None."""


def any_text(_: str) -> None:
    """Find nothing wrong with a text, see ``Fault``."""


class Share(NamedTuple):
    """A row of a sheet: what it is called, its number at the start, and the largest it can have."""

    label: Line
    number: int
    most: int


class Sheet(NamedTuple):
    """Numbers that are to be distributed over some rows."""

    shares: Sequence[Share]
    total: int
    """What all numbers together can be at most."""
    standing: Callable[[Sequence[int]], str]
    """Describes the result of these numbers: what is left, what they bring."""
    fault: Callable[[Sequence[int]], str | None]
    """Returns why these numbers are not allowed, or None."""
    spent: str
    """Says that nothing is left for another row."""
    move: Callable[[Sequence[int]], str] = lambda numbers: ""
    """Returns the move that these numbers are, allowed or not: the table shows it."""
    read: Callable[[str], Sequence[int]] | None = None
    """Returns the numbers that words of the move say. Raises InvalidMoveError."""
    hinted: Sequence[int] = ()
    """The numbers of the hint that was asked for, or of a lesson; they are there at the start."""
    hinted_by: str = "hinted"
    """What they are as, in words."""

    def says(self, numbers: Sequence[int]) -> str:
        """Describe the result of these numbers, and how they and the hint go together."""
        is_so = [*numbers] == [*self.hinted]
        hint = f"Filled in as {self.hinted_by}." if is_so else f"{HINT_KEY}: as {self.hinted_by}."
        return f"{self.standing(numbers)} {hint}" if self.hinted else self.standing(numbers)

    def is_hint(self, typed: str) -> bool:
        """Return whether this takes the hint, as in all other questions."""
        return bool(self.hinted) and typed.casefold() == HINT_KEY


Rules = Sequence[str]
"""What helps with a question: the kind of question that it is for the game, or sentences about it,
and the ids of the rulings behind it.
"""


Text = Callable[[Screen], Sequence[Line]]
"""Something to read, set for a screen."""


NOTHING: Mapping[str, Text] = MappingProxyType({})
"""No more to read."""
Advice = Callable[[Rules, int], tuple[Sequence[Line], Sequence[Line], Sequence[Line]]]
"""Returns the help with a question, but for the keys, set to a width: what it is about in a few
sentences, what the signs on the screen mean, and the rulings behind it.
"""


class Above(Protocol):
    """What the players look at while a question is asked. It draws itself. Where it ``turns``, as
    it has drawn the boards of one player alone, ``turn()`` goes on to the next. With ``fills`` it
    also has the rows that a question keeps and does not need.
    """

    def lines(self, screen: Screen, rows: int, move: str = "", wanted: int = 0) -> list[Line]:
        """Draw it in at most so many rows, with what a move would change; in fewer, where that many
        more are ``wanted`` for the question.
        """

    def sentences(self) -> Iterable[str]:
        """Return what is new, and the table in brief."""


class Told(NamedTuple):
    """Sentences about a question, each on a line of its own, and what is above them."""

    notes: Sequence[str]
    above: Above | None = None

    def lines(self, screen: Screen, rows: int, move: str = "", wanted: int = 0) -> list[Line]:
        """See :class:`Above`. Where there is little room, the notes come first."""
        lines = [[(f" {note}", PLAIN)] for note in self.notes]
        notes = [part for line in lines for part in folded(line, screen.width - 1, 1)][:rows]
        room = rows - len(notes) - bool(notes)
        if self.above is None or room < 1:
            return notes
        return [*self.above.lines(screen, room, move), *([Line()] * bool(notes)), *notes]

    def sentences(self) -> Iterable[str]:
        """See :class:`Above`."""
        return (*self.notes, *(self.above.sentences() if self.above else ()))


class Asker(Protocol):
    """Asks questions. Every question knows what helps with it.

    ``help_with``: what helps with a question. ``stage``: the screen, if it can be wiped. ``plain``:
    texts are shown as whole sentences, without tables or drawings. ``keys``: how a menu is
    answered, in a sentence. ``signs``: choices before this question whose signs work in a menu or a
    form as well, where there is a way back: their values are called, and the question goes on.
    ``hinted``: the move of a hint or of a lesson, to which what is offered first leads;
    ``hinted_by``: which of them, in words. ``taught``: the player learns how to answer, so Enter
    without a word chooses no move. ``typed``: what was typed in a menu, and chose nothing there,
    when a sign ended it. ``opening``: what is said until somebody has moved in the game that was
    set up last.
    """

    help_with: Advice
    stage: Stage | None
    plain: bool = False
    keys: str = ""
    signs: Mapping[str, Choice[Any]] = MappingProxyType({})
    hinted: str = ""
    hinted_by: str = "hinted"
    taught: bool = False
    typed: str = ""
    opening: Sequence[str] = ()

    def which_player(self, names: Iterable[str], rules: Rules) -> str:
        """Ask which of some players the user is. Raises what :meth:`choose` raises."""
        return self.choose("Who are you?", [labeled(name, name) for name in names], rules=rules)

    def put_above(self, above: Above | None, table: Text | None = None) -> None:
        """Show this above the questions that follow; who asks for it sees all of the ``table``."""

    def notify(self, sentence: str) -> None:
        """Show this at once, until the next question."""

    def thinking(self) -> AbstractContextManager[list[Any]]:
        """Keep what is typed meanwhile for the next question, up to what would answer it. Ctrl-C
        interrupts it, and where keys are read one by one, Esc: then they are in a list, as long as
        nobody takes them out.
        """
        return nullcontext([])

    def clear(self) -> None:
        """Leave nothing on the screen: another player is going to look at it."""

    def choose(
        self,
        question: str,
        choices: Sequence[Choice[T]],
        *,
        rules: Rules = (),
        back: bool = True,
        search: bool = False,
        most: int = 1,
    ) -> T:
        """Return the value of the choice that is made; the default is the first one.

        What is typed narrows the choices; with ``search`` they have no digits. Who types lines can
        make up to ``most`` choices in one, and their values are added. Raises CancelledError and
        what signs raise (if ``back``), KeyboardInterrupt.
        """

    def beside(self, keys: Iterable[str]) -> list[Choice[Any]]:
        """Return the choices before this question that its own ``keys`` leave alone."""
        return [
            one for sign, one in self.signs.items() if not any(key.startswith(sign) for key in keys)
        ]

    def choose_several(
        self, question: str, choices: Sequence[Choice[T]], count: int, *, rules: Rules = ()
    ) -> list[T]:
        """Return the values of ``count`` choices in their order. They are asked for one after the
        other; backing out takes back the last one, or those of the last line. Raises what
        :meth:`choose` raises.
        """
        # The keys of those that are left stay the same.
        each = [
            Choice(one.label, [nth], one.also, one.key or str(nth + 1), one.note, short=one.short)
            for nth, one in enumerate(choices)
        ]

        def more(before: Sequence[int], some: Sequence[int]) -> Sequence[int]:
            taken, most = [*before, *some], count - len(before) - len(some)
            if not most:
                return taken
            named = ", ".join(plain(choices[nth].label).strip() for nth in taken)
            told = f"{question} So far: {named}." if taken else question
            left, then = [one for one in each if one.value[0] not in taken], partial(more, taken)
            return asked(self, told, left, then, rules=rules, search=True, most=most)

        return [choices[nth].value for nth in sorted(more((), ()))]

    def distribute(self, question: str, sheet: Sheet, *, rules: Rules = ()) -> list[int]:
        """Return numbers for the rows of a sheet, which are right; Enter alone takes those that
        it begins with. Raises CancelledError, what signs raise, KeyboardInterrupt.
        """

    def write(
        self, question: str, fault: Fault, default: str = "", *, rules: Rules = (), does: str = ""
    ) -> str:
        """Return a text without ``fault``, blanks around it removed. ``does`` says what Enter does
        with it; where it is given, Enter without a text goes back.

        Raises CancelledError, KeyboardInterrupt.
        """

    def confirm(self, question: str, *, rules: Rules = (), sign: str = "") -> bool:
        """Return whether the player agrees, for which the ``sign`` that asked this can be pressed
        again; Enter alone means no. Raises what :meth:`choose` raises where there is a way back.
        """
        sure = [labeled("No", False, "n"), labeled("Yes", True, "y")]
        sure += [labeled("Yes", True, sign)._replace(hidden=True)] * bool(sign)
        # Nothing else is done meanwhile: it would take the question away.
        signs, self.signs = self.signs, {}
        try:
            return self.choose(question, sure, rules=rules or ("sure",), search=True)
        finally:
            self.signs = signs

    def show(self, text: Text, at_end: bool = False, more: Mapping[str, Text] = NOTHING) -> None:
        """Show something to read, and return when it has been read; ``more``, by what it is about,
        is shown in turn to who asks for it. What is too long for the screen is shown from its
        beginning, or ``at_end``, where it is newest.
        """


def asked(
    asker: Asker,
    question: str,
    choices: Sequence[Choice[T]],
    then: Callable[[T], V],
    *,
    rules: Rules = (),
    search: bool = False,
    most: int = 1,
    put: Callable[[], object] = bool,
) -> V:
    """Ask, and return what ``then`` makes of the answer; backing out of that asks again. Each time
    ``put`` shows what is above the question. A single choice is taken without a question. Raises
    what the asker and ``then`` raise.
    """
    if len(choices) == 1:
        return then(choices[0].value)
    while True:
        put()
        chosen = asker.choose(question, choices, rules=rules, search=search, most=most)
        with suppress(CancelledError):
            return then(chosen)


# -- Questions as numbered lines: for screen readers, and terminals that cannot move a cursor

_Others = Mapping[str, Choice[Any]]
"""Choices of the menu before, by what is typed for them."""
_Put = Callable[[], object]
"""Puts a question."""

KEYS = (
    "Type what is in front of a choice, or words that no other choice has, and Enter; words that "
    "several have list these. Enter alone takes the first one. b goes back if the last line says "
    "so; a question mark explains a question. Ctrl-C leaves at any time: every turn is saved when "
    "it is played."
)
TO_TYPE = (
    "Type what the lesson asks for: what is in front of a choice, then Enter. ! points at it, and "
    "then Enter alone takes it."
)
_INDENT = 5
"""Columns before a choice."""
MANY = 20
"""Maximum number of choices listed, as porto-play(1) says; those of longer lists are found by
their words."""


class Lines(Asker):
    """Asks line by line on standard output, and reads lines from standard input.

    The stage, if there is one, is only there to be wiped.
    """

    def __init__(self, advice: Advice, stage: Stage | None = None) -> None:
        self.help_with = advice
        self.stage = stage
        self.plain = True
        self.keys = "Type what is in front of a choice, and Enter; b goes back; ? explains."

    def put_above(self, above: Above | None, table: Text | None = None) -> None:
        """See :class:`porto_cli.term.prompt.Asker`. The whole table is described on demand only."""
        if above:
            print()
            for sentence in above.sentences():
                _tell(sentence)

    def notify(self, sentence: str) -> None:
        """See :class:`porto_cli.term.prompt.Asker`. Here it stays."""
        _tell(sentence)

    def clear(self) -> None:
        """See :class:`porto_cli.term.prompt.Asker`."""
        if self.stage:
            self.stage.clear()

    def choose(
        self,
        question: str,
        choices: Sequence[Choice[T]],
        *,
        rules: Rules = (),
        back: bool = True,
        search: bool = False,
        most: int = 1,
    ) -> T:
        """See :class:`porto_cli.term.prompt.Asker`. Enter alone takes the default."""
        numbers = count(1)
        # Each has a letter of its own, or a number.
        marked = [one if one.key else one._replace(key=str(next(numbers))) for one in choices]
        others = self._others([one.key for one in marked]) if back else {}
        put = partial(self._list, question, marked)
        put()
        asks = "Your choice" if most == 1 else f"Up to {most} choices in a line"
        hint = f"{asks} (? help, b back): " if back else f"{asks} (? help): "
        while True:
            text = self._read(hint, rules, others, put, back=back)
            if not text and self.taught and any(one.moves for one in choices):
                _tell(TO_TYPE)
                continue
            if not text:
                return choices[0].value
            keys = [text] if most == 1 else text.replace(",", " ").split()
            chosen = [one for key in keys for one in marked if one.is_key(key)]
            if 0 < len(keys) == len({*map(id, chosen)}) <= most:
                return reduce(add, [one.value for one in chosen])
            # What has no letter is meant for the marks: a sign may stand in the name of a file.
            words = text if any(map(str.isalpha, text)) else ""
            found = [marked[nth] for nth in found_by(marked, words)]
            # Here a word acts at once: two letters are too few to end or undo something.
            if len(words.strip()) <= _FEW:
                found = [one for one in found if not one.is_sign]
            if len(found) == 1:
                return found[0].value
            where = "in several" if found else "in none"
            some = "one" if most == 1 else f"up to {most}"
            _tell(f"{cited(text)} is {where} of these. Type what is in front of {some} of them.")
            self._print(found)

    def distribute(self, question: str, sheet: Sheet, *, rules: Rules = ()) -> list[int]:
        """See :class:`porto_cli.term.prompt.Asker`. Changes are shown before they are accepted."""
        numbers = [share.number for share in sheet.shares]
        hint = "Changes like 2=1, or names; Enter alone accepts (? help, b back): "
        others = self._others()

        def put() -> None:
            _begin(question)
            self._list_shares(sheet, numbers)

        put()
        while True:
            text = self._read(hint, rules, others, put)
            try:
                if not text and (wrong := sheet.fault(numbers)):
                    raise InvalidMoveError(wrong)
                if not text:
                    return numbers
                numbers = _changed(text, sheet, numbers)
                self._list_shares(sheet, numbers)
            except InvalidMoveError as error:
                _tell(error.sentence)

    def _list_shares(self, sheet: Sheet, numbers: Sequence[int]) -> None:
        for nth, (share, number) in enumerate(zip(sheet.shares, numbers, strict=True), start=1):
            print(f"{nth:3}  {plain(share.label)}: {number} of {share.most}")
        _tell(sheet.says(numbers))

    def write(
        self, question: str, fault: Fault, default: str = "", *, rules: Rules = (), does: str = ""
    ) -> str:
        """See :class:`porto_cli.term.prompt.Asker`. Enter alone takes the default."""
        _begin(question)
        keys = [f"Enter alone: {default};"] * bool(default) + ["? help,"] * bool(rules)
        hint = f"Text ({' '.join([*keys, 'b back'])}): "
        while True:
            text = self._read(hint, rules, {}, bool) or default
            wrong = fault(text)
            if wrong is None:
                return text
            _tell(wrong)

    def show(self, text: Text, at_end: bool = False, more: Mapping[str, Text] = NOTHING) -> None:
        """See :class:`porto_cli.term.prompt.Asker`. Here it ends above the next question."""
        screen = screen_of()
        show(text(screen._replace(width=screen.width - 1)), Screen())

    def _list(self, question: str, marked: Sequence[Choice[T]]) -> None:
        _begin(question)
        listed = [one for one in marked if not one.hidden]
        rest = [one for one in listed if not one.is_sign][MANY:]
        self._print(one for one in listed if one not in rest)
        if rest:
            _tell(f"… and {len(rest)} more; type some words of one to see those with them.")

    def _print(self, marked: Iterable[Choice[T]]) -> None:
        for choice in marked:
            label = "  ".join(filter(None, [plain(choice.label), choice.brings]))
            text = f"{label}. {choice.note}" if choice.note else label
            # A key that is the name of what it chooses is said once.
            text = text if is_named(choice) else f"{choice.key:>3}  {text}"
            show(folded([(text, PLAIN)], screen_of().width - 1, _INDENT), Screen())

    def _others(self, marks: Sequence[str] = ()) -> _Others:
        """Return the choices of the menu before that can be made here as well."""
        return {one.key: one for one in self.beside(marks)}

    def _read(
        self, hint: str, rules: Rules, others: _Others, put: _Put, *, back: bool = True
    ) -> str:
        """Return a line that is no longer about help, nor one of the ``others``: what these say is
        done, and the question ``put`` again.

        Raises CancelledError, what the others raise.
        """
        while (text := _typed(hint)).startswith(HELP_KEY) or text in others:
            if text.startswith(HELP_KEY):
                self.show(partial(self._help, rules, others, text != HELP_KEY))
            else:
                others[text].value()
                put()
        if back and text.casefold() == BACK_KEY:
            raise CancelledError
        return text

    def _help(self, rules: Rules, others: _Others, in_full: bool, screen: Screen) -> Sequence[Line]:
        """Return what a question is about and the keys; or (``in_full``) the rulings about it."""
        brief, signs, rulings = self.help_with(rules, screen.width)
        more = "?? shows what the signs mean, and the rulings behind the question."
        keys = ", ".join(map(sign_in_brief, others.values()))
        also = f"Here you can also type: {keys}." if keys else ""
        full = [*signs, *[Line()] * bool(signs), *rulings]
        return full if in_full else [*brief, *wrapped(f"{KEYS} {more} {also}", screen.width)]


def _changed(text: str, sheet: Sheet, numbers: Sequence[int]) -> list[int]:
    """Return the numbers after a change that was typed. Raises InvalidMoveError."""
    if sheet.is_hint(text):
        return [*sheet.hinted]
    words = text.replace(",", " ").split()
    if sheet.read and any("=" not in word for word in words):
        return [*sheet.read(text)]
    changed = list(numbers)
    for word in words:
        row, _, number = (part.strip() for part in word.partition("="))
        nth = whole_number(row) - 1
        if not 0 <= nth < len(changed):
            raise InvalidMoveError(f"{cited(word)} is not a row; the rows are 1 to {len(changed)}.")
        most = sheet.shares[nth].most
        if not 0 <= whole_number(number) <= most:
            raise InvalidMoveError(f"{cited(word)} does not fit; it can be 0 to {most}.")
        changed[nth] = whole_number(number)
    return changed


def _typed(hint: str) -> str:
    """Return a line without blanks around it. Raises EOFError, TerminatedError."""
    try:
        return input(hint).strip()
    except EOFError:
        raise_if_hung_up()
        raise


def _begin(question: str) -> None:
    """Put a question, apart from what was before."""
    print()
    _tell(question)


def _tell(sentence: str) -> None:
    show(wrapped(sentence, screen_of().width - 1), Screen())
