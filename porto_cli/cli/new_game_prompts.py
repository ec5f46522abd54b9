"""The questions that set up a game."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from getpass import getuser
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from porto_cli import home
from porto_cli.cli.output import in_lines
from porto_cli.core import FileError, PortoError, cited, enumerated, files, plural
from porto_cli.core.characters import plain_words
from porto_cli.core.files import expanded, folder_fault, is_worth_a_look
from porto_cli.games import DEFAULT, GAMES, commands_of, game_of
from porto_cli.home import write_own
from porto_cli.installed import lessons_of
from porto_cli.mail import notes
from porto_cli.mail.ids import game_named
from porto_cli.match import alike, name_fault
from porto_cli.match.match import Match, load, new_game, play_again
from porto_cli.match.record import with_suffix
from porto_cli.match.seats import added_players, in_words, is_a_bot, levels_among, shortest
from porto_cli.seam import Config, GameMeta, with_level
from porto_cli.term.prompt import Asker, CancelledError, Choice, Told, labeled
from porto_cli.user import me, own_seat

V = TypeVar("V")


class Plan(NamedTuple):
    """What was answered about a new game."""

    path: Path = Path()
    game: str = DEFAULT
    players: tuple[str, ...] = ()
    bots: Mapping[str, str] = {}
    """The players among them that are programs, and which."""
    options: Mapping[str, Any] = {}
    """What the game asks besides."""
    first: str | None = None
    real: bool = False
    """Played with the real box: what lies on the table, and what comes up, is typed."""
    setup: Mapping[str, str] = {}
    """What lies on a real table."""

    @property
    def config(self) -> Config:
        """What is known about the game so far."""
        return game_of(self.game).new_config(self.players, **self.options)


class Dialog:
    """Questions about a new game, one after the other; backing out goes to the one before."""

    def __init__(self, asker: Asker) -> None:
        self.asker = asker
        self._answers = list[Any]()
        self._nth = 0
        self._told: Plan | None = None

    def run(self, questions: Callable[[Dialog], Plan]) -> Plan:
        """Return the plan that is made of all answers. To go back, the questions run again, and
        take the answers that stand. Raises CancelledError at the first question.
        """
        while True:
            self._nth = 0
            try:
                return questions(self)
            except CancelledError:
                # Where there was nothing to ask there is nothing to go back to.
                while self._answers and self._answers[-1] is None:
                    self._answers.pop()
                if not self._answers:
                    raise
                self._answers.pop()

    def ask(self, plan: Plan, question: Callable[[], V]) -> V:
        """Return the answer to a question, which is below what has been answered; ``None`` means
        that there was nothing to ask.
        """
        if self._nth == len(self._answers):
            if plan != self._told:
                # What is read aloud is not said again.
                self.asker.put_above(Told([*_so_far(plan, self.asker.keys)]))
                self._told = plan
            self._answers.append(question())
        self._nth += 1
        answer: V = self._answers[self._nth - 1]
        return answer

    def choose(self, plan: Plan, question: str, choices: Sequence[Choice[V]], kind: str) -> V:
        """Return the choice that is made; a single one is made without a question. What helps is
        what is said about the ``kind`` of question, and the game's rulings about it.
        """
        if len(choices) == 1:
            return choices[0].value
        rules = (kind, *commands_of(plan.game).rules_about(kind))
        return self.ask(plan, partial(self.asker.choose, question, choices, rules=rules))


def set_up(asker: Asker, path: Path | None, game: str) -> Match:
    """Ask what has to be known of a new game, write its record and return it.

    Raises CancelledError at the first question.
    """
    plan = Plan(path=path or Path(), game=game)
    plan = Dialog(asker).run(partial(_planned, plan, path is None))
    asker.put_above(None)
    return begun(asker, plan)


def begun(asker: Asker, plan: Plan, seed: str | None = None) -> Match:
    """Write the record of a new game, and return it."""
    deal = game_of(plan.game).setting_up.read_setup(plan.config, plan.setup) if plan.real else None
    make = partial(
        new_game, plan.players, game=plan.game, seed=seed, bots=plan.bots, **plan.options
    )
    if not seed and not plan.real:
        _remember(make(first=plan.players[0], name=LAST))
    new = partial(make, first=plan.first, setup=deal)
    match = _saved(asker, plan.path, plan.players, lambda name: new(name=name))
    asker.opening = _opening(match, is_drawn=plan.first is None)
    if warnings := (*alike(plan.players), *files.warned()):
        asker.show(in_lines(warnings))
    return match


def begun_again(asker: Asker, match: Match, path: Path) -> Match:
    """Write the record of a new game like another one, and return it: if all people of that played
    at this computer, they do again. Raises ValueError.
    """
    found = _saved(asker, path, match.players, partial(play_again, match))
    asker.opening = _opening(found, is_drawn=True)
    if all_play_here(match):
        remember_all_play_here(found)
    return found


def _opening(match: Match, *, is_drawn: bool) -> list[str]:
    """Say of a new game who goes first, and why it is that player; and how to change the name of
    who is called like the user of this computer, where no other one is set.
    """
    said = list[str]()
    if is_drawn and len(match.players) > 1:
        said.append(f"{match.players[0]} goes first; that was chosen at random.")
    with suppress(PortoError, OSError, KeyError, ImportError):
        if not me().source and (name := _account()) in match.players:
            another = "for another name next time, press . and type: porto me NAME"
            said.append(f"You play as {name}; {another}")
    return said


def _saved(asker: Asker, path: Path, players: Sequence[str], make: Callable[[str], Match]) -> Match:
    """Return a new game once its record is written; where that fails, ask for another file."""
    path = Path(free_name(players)) if path == Path() else path
    while True:
        try:
            make(path.name).save(path)
            return load(path)
        except FileError as error:
            asker.put_above(Told([error.sentence]))
            path = _asked_path(asker, players, Path("~"))


# -- Whether all people of a game play at this keyboard, or only the user

HERE = "played-here.txt"
"""The file in the user's own folder with the games of which all people play at this computer, as
:func:`~porto_cli.mail.game_named` names them, and with ``asked:`` those of which that was asked.
"""


def ask_who_sits_here(asker: Asker, match: Match) -> None:
    """Ask of a game in which nobody has moved whether all people play at this keyboard, where
    otherwise only the user would. It is asked once, and remembered for later.
    """
    alone = own_seat(match.players) not in match.people or len(match.people) == 1
    is_known = bool(match.steps) or match.sealed is not None or all_play_here(match)
    asked = f"asked:{game_named(match.record)}"
    if alone or is_known or notes.is_noted(HERE, asked):
        return
    if asker.plain and match.game.has_secrets(match.state):
        return
    choices = [
        labeled("Yes, the keyboard is handed over", True, "y"),
        labeled("No, they get the file and play elsewhere", False, "n"),
    ]
    people = enumerated([match.players[seat] for seat in match.people])
    question = f"Do {people} play at this keyboard?"
    if asker.choose(question, choices, rules=("here",), back=False):
        remember_all_play_here(match)
    notes.is_first(HERE, asked)


def remember_all_play_here(match: Match) -> None:
    """Remember that all people of a game play at this computer, if that can be done."""
    notes.is_first(HERE, game_named(match.record))


def all_play_here(match: Match) -> bool:
    """Return whether it is remembered that all people of a game play at this computer."""
    return notes.is_noted(HERE, game_named(match.record))


# -- The game before: the next one can be like it.

LAST = "last-game.yaml"
"""The record in the user's own folder of the game that was set up last, before its first move."""


def _remember(match: Match) -> None:
    """Write down what the next game can be like. That this cannot be done stops no game."""
    with suppress(PortoError, OSError):
        path = home.folder() / LAST
        if path.is_file() or not path.exists():
            write_own(path, match.record.text)


def last_game() -> Match | None:
    """Return what was set up last, if a game like it can be set up now."""
    with suppress(PortoError, OSError):
        path = home.folder() / LAST
        if is_worth_a_look(path):
            match = load(path)
            known = (is_a_bot(bot, match.game.meta) for bot in match.bots.values())
            return match if all(known) else None
    return None


def again(match: Match) -> str:
    """Say which game would be like the one before."""
    return f"Same as last time: {match.game.meta.title}, {with_levels(match.players, match.bots)}"


def with_levels(players: Iterable[str], bots: Mapping[str, str]) -> str:
    """Return the players, with what the bots among them are."""
    return ", ".join(with_level(one, bots.get(one)) for one in players)


def ask_people(asker: Asker, game: str, bots: Sequence[str]) -> tuple[str, ...]:
    """Ask how many people play besides some bots, and what they are called; return their names."""
    start = Plan(game=game, bots=dict.fromkeys(bots, ""))

    def planned(dialog: Dialog) -> Plan:
        who = dialog.choose(start, _HOW_MANY, _counts(start, len(bots)), "players")
        return _named(start, who.people[0], dialog)

    return Dialog(asker).run(planned).players


BOT_NAMES = ("Rui", "Bea", "Tomás", "Marta", "Hugo", "Clara", "Vasco", "Lia", "Nuno")
"""What programs are called; more than can be needed, as people may be called so as well."""


def bot_names(people: Sequence[str], count: int, meta: GameMeta) -> list[str]:
    """Return names for so many programs who play with these people."""
    free = (name for name in BOT_NAMES if not name_fault(name, people, meta))
    return [*islice(free, count)]


def _levels(meta: GameMeta) -> list[Choice[str]]:
    """Return the levels of a game: that of its lesson, which a first game is played against, then
    the others, the weakest first, each with its number as key; without levels, its other players.
    Those of other packages and of the user's own follow.
    """
    own = [labeled(name, name) for name in sorted(added_players(meta.id))]
    levels = levels_among(meta.bots)
    if not levels:
        return [*(labeled(name, name) for name in reversed(meta.bots)), *own]
    # Who has just learned a game begins with the level of its lesson, who knows it in the middle.
    first, *_ = lessons_of(meta.id).get("lesson", {}).get("bots") or levels
    more = {levels[0]: ", the weakest", first: ", for a first game", levels[-1]: ", the best"}
    more.setdefault(levels[len(levels) // 2], ", if you know the game")
    found = [
        labeled(f"{in_words(name)}{more.get(name, '')}", name, shortest(name)) for name in levels
    ]
    found.sort(key=lambda choice: choice.value != first)
    return [*found, *own]


def own_name(meta: GameMeta, taken: Sequence[str]) -> str:
    """Return the name that is proposed to who sits here: that of the settings, else of the game
    before, else of the user of this computer; empty if none of them can be a player.
    """
    try:
        known, last = me(), last_game()
        people = [last.players[seat] for seat in last.people] if last else []
        names = known.names if known.source else (*people, _account())
        name = next(iter(names), "")
    except (PortoError, OSError, KeyError, ImportError):
        return ""
    return "" if _name_fault(name, taken, meta) else name


def _account() -> str:
    """Return the user of this computer as a name. Raises OSError, KeyError, ImportError."""
    return getuser().capitalize()


def _name_question(number: int, count: int, proposed: str) -> str:
    """Ask for a name, of several or of the only player; one may be proposed."""
    if count == 1:
        return f"What is your name?{f' Press Enter for {proposed}.' if proposed else ''}"
    place = f"Name of player {number} of {count}, clockwise"
    return f"{place}; press Enter for {proposed}" if proposed else f"{place}:"


def _name_fault(typed: str, others: Sequence[str], meta: GameMeta, own: str = "") -> str | None:
    """Return why a name cannot be used; ``own`` is the one of who types none."""
    name = typed or own
    if name[:1] == ":" or name.isdigit():
        return f"{cited(name)} looks like a move. Type a name, like Ann."
    return name_fault(name, others, meta) if name else "A player needs a name."


def _so_far(plan: Plan, keys: str) -> Iterator[str]:
    """Yield what is asked about, and what has been answered."""
    yield f"{GAMES[plan.game].title}: a new game. {keys}"
    if plan.players:
        yield f"Players: {with_levels(plan.players, plan.bots)}."
        if plan.real:
            yield "You play with the real cards and type what comes up."
        if len(plan.players) > 1 and plan.first:
            yield f"{plan.first} is the first player."


_HOW_MANY = "How many people are playing?"


class _Who(NamedTuple):
    """An answer to who plays: how many ``people`` it can be, and whether ``against_bots``."""

    people: Sequence[int]
    against_bots: bool = False


_ALL = _Who(())
"""The answer that all questions are to be asked."""


def _planned(plan: Plan, asks_path: bool, dialog: Dialog) -> Plan:
    """Ask who plays what, or on request for all there is about the game; return the plan."""
    asker, own = dialog.asker, game_of(plan.game).setting_up
    meta, levels, choices = GAMES[plan.game], _levels(GAMES[plan.game]), _counts(plan, 0)
    people = range(1, meta.players.stop - 1 if levels else 1)
    against = {"Alone against bots": people[:1], "With friends, against bots": people[1:]}
    programs = [
        labeled(line, _Who(some, True), line[0].lower()) for line, some in against.items() if some
    ]
    # Who sits here alone plays the solo game, or where there is none, against programs.
    choices = [*choices, *programs] if 1 in meta.players else [*programs, *choices]
    question = _HOW_MANY
    if plan.path != Path():
        question = f"{plan.path} will be a new game. {question}"
    more = labeled("More choices: a real table, variants, first player, file", _ALL, "m")
    who = dialog.choose(plan, question, [*choices, more], "players")
    if is_all := who == _ALL:
        question = f"{question} The other choices come after the names."
        who = dialog.choose(plan, question, choices, "players")
    several = [labeled(f"{count} people", count, str(count)) for count in who.people]
    count = dialog.choose(plan, "How many of you play?", several, "players")
    bots, level = 0, ""
    if who.against_bots:
        counts = [one for one in people if one + count in meta.players]
        numbers = [labeled(plural(one, "bot"), one) for one in counts]
        bots = dialog.choose(plan, "How many computer opponents?", numbers, "bots")
        each = [labeled("Each at a level of its own", "", "e")] * (bots > 1 and len(levels) > 1)
        level = dialog.choose(plan, "How strong?", [*levels, *each], "level")
    plan = _named(plan, count, dialog)
    names = bot_names(plan.players, bots, meta)
    for name in names:
        of_this = level or dialog.choose(plan, f"How strong is {name}?", levels, "level")
        plan = plan._replace(players=(*plan.players, name), bots={**plan.bots, name: of_this})
    if not is_all:
        return plan
    for name, option in own.option_questions().items():
        value = dialog.ask(plan, partial(option, asker, plan.players))
        if value is not None:
            plan = plan._replace(options={**plan.options, name: value})
    if not plan.bots:
        real = [
            labeled("No, the program deals and shuffles", False),
            labeled("Yes, and we type what comes up", True),
        ]
        question = "Do you play with the real cards, on a table?"
        plan = plan._replace(real=dialog.choose(plan, question, real, "table"))
    if len(plan.players) > 1:
        first = [labeled("Chosen at random", "")] * (not plan.real)
        first += [labeled(name, name) for name in plan.players]
        question = "Who is the first player?"
        chosen = dialog.choose(plan, question, first, "first")
        plan = plan._replace(first=chosen or None)
    needed = {one.name for one in commands_of(plan.game).setup if one.is_needed(plan.options)}
    for name, lies in own.setup_questions().items():
        if plan.real and name in needed:
            text = dialog.ask(plan, partial(lies, asker, plan.config))
            plan = plan._replace(setup={**plan.setup, name: text})
    if asks_path:
        path = dialog.ask(plan, partial(_asked_path, asker, plan.players))
        plan = plan._replace(path=path)
    return plan


def _counts(plan: Plan, bots: int) -> list[Choice[_Who]]:
    """Return how many people can play besides some bots."""
    players, own = GAMES[plan.game].players, game_of(plan.game).setting_up
    counts = [count for count in range(1, players.stop) if count + bots in players]
    said = own.player_count if not bots else lambda n: "1 person" if n == 1 else f"{n} people"
    # The number itself is typed, in every game.
    return [labeled(said(count), _Who([count]), str(count)) for count in counts]


def _named(plan: Plan, count: int, dialog: Dialog) -> Plan:
    """Ask for the names of so many people."""
    meta = GAMES[plan.game]
    for nth in range(count):
        others = [*plan.players, *plan.bots]
        own = "" if nth else own_name(meta, others)
        fault = partial(_name_fault, own=own, others=others, meta=meta)
        question = _name_question(nth + 1, count, own)
        write = partial(dialog.asker.write, question, fault, rules=("name",))
        plan = plan._replace(players=(*plan.players, dialog.ask(plan, write) or own))
    return plan


def _asked_path(asker: Asker, players: Sequence[str], folder: Path = Path()) -> Path:
    default = str(folder / free_name(players, expanded(folder)))
    question = "Which file should the game be saved in?"
    return _as_path(asker.write(question, _path_fault, default, rules=("file",)))


def _as_path(text: str) -> Path:
    return with_suffix(expanded(Path(text)))


def _path_fault(text: str) -> str | None:
    if not text or text == "-":
        return "The game needs a file, like friday.yaml."
    if text.endswith(("/", os.sep)):
        return f"{text} names a folder; name the file of the record in it."
    path = _as_path(text)
    if path.exists():
        return f"There is a file {path} already; choose another name."
    return folder_fault(path)


def free_name(players: Sequence[str], folder: Path | None = None) -> str:
    """Return the name of a file that does not exist yet, made of the players' names, without what
    shells treat specially.
    """
    words = chain.from_iterable(map(plain_words, players))
    return free_file("-".join(words) or "porto", folder or Path())


def next_file(path: Path) -> Path:
    """Return a file that does not exist yet for the game after the one of a file: ``friday-2.yaml``
    after ``friday.yaml``, ``friday-3.yaml`` after that.
    """
    stem, _, number = path.stem.rpartition("-")
    # Longer numbers are part of a name, like a year.
    stem = stem if stem and number.isdigit() and len(number) <= 2 else path.stem
    return path.with_name(free_file(stem, path.parent))


def free_file(stem: str, folder: Path) -> str:
    """Return the name of a file that a folder does not have: ``ann.yaml``, or ``ann-2.yaml``."""
    name, number = f"{stem}.yaml", 1
    while (folder / name).exists():
        number += 1
        name = f"{stem}-{number}.yaml"
    return name
