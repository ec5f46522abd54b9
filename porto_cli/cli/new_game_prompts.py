"""The questions that set up a game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from porto_cli.cli.keys_here import keys_here
from porto_cli.commands import commands_of
from porto_cli.core.errors import FileError, PortoError
from porto_cli.core.files import expanded, is_worth_a_look
from porto_cli.core.message import Sentence, say
from porto_cli.game import DEFAULT, GAMES, Config, GameMeta, game_of
from porto_cli.match.bots import titled
from porto_cli.match.levels import in_words, levels_among
from porto_cli.match.match import Match, load, new_game
from porto_cli.match.record import name_fault
from porto_cli.match.record_files import meant, records_of, with_suffix
from porto_cli.term.prompt import Asker, CancelledError, Choice, Notes
from porto_cli.term.spans import PLAIN, Line
from porto_cli.ui import ui_of

MOST_FILES = 30
"""So many files of a folder are looked into for running games."""


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
        """The game as far as it is known."""
        return game_of(self.game).new_config(self.players, **self.options)


Question = Callable[[Asker, Plan], Plan | None]
"""Asks, and returns the plan with the answer, or ``None`` if there is nothing to ask."""


def begin(asker: Asker, path: Path | None) -> Match:
    """Return the game of a record, or of a new one.

    Without a path it is one of the running games of this folder, or a new one. Raises
    CancelledError at the first question, InvalidFileError, FileError.
    """
    if path is not None:
        known = meant(path)
        if known.exists():
            return load(known, keys_here)
        path = with_suffix(path)
        fault = _folder_fault(path)
        if fault:
            raise FileError(fault)
        return set_up(asker, path)
    running = running_games(Path())
    if not running:
        return set_up(asker, None)
    choices: list[Choice[Match | None]] = [Choice(_running(match), match) for match in running]
    choices.append(Choice(_line(say("Start a new game")), None))
    while True:
        match = asker.choose(say("Which game do you play?"), choices)
        try:
            return match or set_up(asker, None)
        except CancelledError:
            continue


def running_games(folder: Path) -> list[Match]:
    """Return the games of a folder that are not over, the one that was played last first."""
    matches = []
    for path in islice(filter(is_worth_a_look, records_of(folder)), MOST_FILES):
        try:
            match = load(path, keys_here)
        except PortoError:
            continue
        if not match.over:
            matches.append(match)
    return matches


def _running(match: Match) -> Line:
    label = say(
        "{file}: {players}; round {round}",
        file=match.path,
        players=", ".join(match.players),
        round=match.state.round,
    )
    return _line(label)


def set_up(asker: Asker, path: Path | None) -> Match:
    """Ask what has to be known of a new game, write its record and return it.

    Raises CancelledError at the first question, FileError.
    """
    plan = _answers(asker, Plan(path=path or Path()), ask_path=path is None)
    asker.put_above(None)
    match = new_game(
        plan.players,
        game=plan.game,
        first=plan.first,
        setup=ui_of(plan.game).read_setup(plan.config, plan.setup) if plan.real else None,
        name=plan.path.name,
        bots=plan.bots,
        **plan.options,
    )
    match.save(plan.path)
    return load(plan.path)


def ask_players(asker: Asker, game: str, question: Sentence | None = None) -> tuple[str, ...]:
    """Ask how many play and what they are called."""
    while True:
        count = asker.choose(
            question or say("How many play?"), _counts(game), rules=_player_rules(game)
        )
        try:
            return _names(asker, count, GAMES[game])
        except CancelledError:
            continue


def _counts(game: str) -> list[Choice[int]]:
    ui = ui_of(game)
    return [Choice(_line(ui.player_count(count)), count) for count in GAMES[game].players]


def _player_rules(game: str) -> tuple[str, ...]:
    return commands_of(game).rules["players"]


def ask_people(
    asker: Asker, game: str, programs: int, taken: Sequence[str] = ()
) -> tuple[str, ...]:
    """Ask how many people play with so many programs, and what they are called.

    ``taken`` are names that programs have already.
    """
    meta = GAMES[game]
    most = meta.players.stop - 1 - programs
    people = [
        say("1 person"),
        *(say("{count} people", count=count) for count in range(2, most + 1)),
    ]
    while True:
        count = _how_many(asker, say("How many people play?"), people, game)
        try:
            return _names(asker, count, meta, taken)
        except CancelledError:
            if most <= 1:
                raise


def _how_many(asker: Asker, question: Sentence, labels: Sequence[Sentence], game: str) -> int:
    """Ask for a number from 1, each with its label; where only that is possible, nothing."""
    if len(labels) <= 1:
        return 1
    choices = [Choice(_line(label), count) for count, label in enumerate(labels, 1)]
    return asker.choose(question, choices, rules=_player_rules(game))


def _with_bots(asker: Asker, game: str) -> tuple[tuple[str, ...], dict[str, str]]:
    """Ask how many programs play, how well, and who plays with them; return all players, and which
    of them are programs.
    """
    meta = GAMES[game]
    most = meta.players.stop - 2
    programs = [
        say("1 program"),
        *(say("{count} programs", count=count) for count in range(2, most + 1)),
    ]
    while True:
        count = _how_many(asker, say("How many programs play?"), programs, game)
        try:
            level = asker.choose(say("How well do they play?"), _levels(meta))
            people = ask_people(asker, game, count)
        except CancelledError:
            if most <= 1:
                raise
            continue
        taken = list(people)
        for name in _BOT_NAMES:
            if len(taken) < len(people) + count and not name_fault(name, taken, meta):
                taken.append(name)
        bots = taken[len(people) :]
        return tuple(taken), dict.fromkeys(bots, level)


_BOT_NAMES = ("Rui", "Bea", "Tomás", "Marta", "Hugo", "Clara", "Vasco", "Lia", "Nuno")
"""What programs are called; more than can be needed, as people may be called so as well."""


def _levels(meta: GameMeta) -> list[Choice[str]]:
    """Return the levels of a game, the weakest first; where there are any, nothing else."""
    levels = levels_among(meta.bots)
    if not levels:
        return [Choice([(name, PLAIN)], name) for name in reversed(meta.bots)]
    told = {levels[0]: "{level}, the easiest", levels[-1]: "{level}, the best"}
    return [
        Choice(_line(say(told.get(name, "{level}"), level=in_words(name))), name) for name in levels
    ]


def _names(asker: Asker, count: int, meta: GameMeta, bots: Sequence[str] = ()) -> tuple[str, ...]:
    names: list[str] = []
    while len(names) < count:
        question = (
            say("What is your name?")
            if count == 1
            else say(
                "Name of player {number} of {count}, clockwise:", number=len(names) + 1, count=count
            )
        )
        try:
            names.append(
                asker.write(question, lambda name: _name_fault(name, [*names, *bots], meta))
            )
        except CancelledError:
            if not names:
                raise
            names.pop()
    return tuple(names)


def _name_fault(name: str, others: Sequence[str], meta: GameMeta) -> Sentence | None:
    if not name:
        return say("A player needs a name.")
    return name_fault(name, others, meta)


def _answers(asker: Asker, plan: Plan, *, ask_path: bool) -> Plan:
    """Ask one question after the other; backing out of one goes to the one before."""
    answered: list[tuple[int, Plan]] = []
    nth = 0
    while nth < len(questions := _questions(plan, ask_path)):
        which = None if questions[nth] is _game else plan.game
        asker.put_above(Notes((_welcome(which), *_so_far(plan))))
        try:
            answer = questions[nth](asker, plan)
        except CancelledError:
            if not answered:
                raise
            nth, plan = answered.pop()
            continue
        if answer is not None:
            answered.append((nth, plan))
            plan = answer
        nth += 1
    return plan


def _questions(plan: Plan, ask_path: bool) -> list[Question]:
    """Return all questions about a new game; which ones there are depends only on the game."""
    ui = ui_of(plan.game)
    return [
        *([_game] if len(GAMES) > 1 else []),
        _players,
        *(partial(_option, name) for name in ui.option_questions()),
        _real,
        _first,
        *(partial(_setup, name) for name in ui.setup_questions()),
        *([_path] if ask_path else []),
    ]


def _welcome(game: str | None) -> Sentence:
    keys = say(
        "The arrow keys move, Enter chooses, Esc goes back, a question mark explains the rules."
    )
    if game is None:
        return say("A new game. {keys}", keys=keys)
    return say("{game}: a new game. {keys}", game=GAMES[game].title, keys=keys)


def _so_far(plan: Plan) -> Iterator[Sentence]:
    """Say what has been answered."""
    if plan.players:
        players = [
            str(titled(player, plan.bots[player])) if player in plan.bots else player
            for player in plan.players
        ]
        yield say("Players: {players}.", players=", ".join(players))
        if plan.real:
            yield say("You play with the real cards and type what comes up.")
        if len(plan.players) > 1 and plan.first:
            yield say("{first} is the first player.", first=plan.first)


def _game(asker: Asker, plan: Plan) -> Plan | None:
    choices = [Choice([(meta.title, PLAIN)], game) for game, meta in GAMES.items()]
    return plan._replace(game=asker.choose(say("Which game?"), choices))


def _players(asker: Asker, plan: Plan) -> Plan | None:
    question = None
    if plan.path != Path():
        question = say("{file} will be a new game. How many play?", file=plan.path)
    programs = Choice(_line(say("Play against programs")), 0)
    choices = [*_counts(plan.game), programs]
    while True:
        count = asker.choose(
            question or say("How many play?"), choices, rules=_player_rules(plan.game)
        )
        try:
            if not count:
                players, bots = _with_bots(asker, plan.game)
                return plan._replace(players=players, bots=bots, options={})
            names = _names(asker, count, GAMES[plan.game])
            return plan._replace(players=names, bots={}, options={})
        except CancelledError:
            continue


def _option(name: str, asker: Asker, plan: Plan) -> Plan | None:
    value = ui_of(plan.game).option_questions()[name](asker, plan.players)
    return None if value is None else plan._replace(options={**plan.options, name: value})


def _real(asker: Asker, plan: Plan) -> Plan | None:
    choices = [
        Choice(_line(say("No, the program deals and shuffles")), False),
        Choice(_line(say("Yes, and we type what comes up")), True),
    ]
    if plan.bots:
        return None
    question = say("Do you play with the real cards, on a table?")
    return plan._replace(real=asker.choose(question, choices, rules=_rules(plan, "table")))


def _setup(name: str, asker: Asker, plan: Plan) -> Plan | None:
    option = next(one for one in commands_of(plan.game).setup if one.name == name)
    if not plan.real or not option.is_needed(plan.options):
        return None
    text = ui_of(plan.game).setup_questions()[name](asker, plan.config)
    return plan._replace(setup={**plan.setup, name: text})


def _first(asker: Asker, plan: Plan) -> Plan | None:
    if len(plan.players) == 1:
        return None
    choices: list[Choice[str | None]] = []
    if not plan.real:
        choices.append(Choice(_line(say("Chosen at random")), None))
    choices += [Choice([(name, PLAIN)], name) for name in plan.players]
    first = asker.choose(say("Who is the first player?"), choices, rules=_rules(plan, "first"))
    return plan._replace(first=first)


def _path(asker: Asker, plan: Plan) -> Plan | None:
    text = asker.write(
        say("In which file is the game kept?"), _path_fault, default=free_name(plan.players)
    )
    return plan._replace(path=_as_path(text))


def _rules(plan: Plan, about: str) -> tuple[str, ...]:
    return commands_of(plan.game).rules[about]


def _line(label: Sentence) -> Line:
    return [(str(label), PLAIN)]


def _as_path(text: str) -> Path:
    return with_suffix(expanded(Path(text)))


def _path_fault(text: str) -> Sentence | None:
    if not text or text == "-":
        return say("The game needs a file, like friday.yaml.")
    path = _as_path(text)
    if path.exists():
        return say("There is a file {file} already; choose another name.", file=path)
    return _folder_fault(path)


def _folder_fault(path: Path) -> Sentence | None:
    if path.parent.is_dir():
        return None
    return say("There is no folder {folder}.", folder=path.parent)


def free_name(players: Sequence[str], folder: Path | None = None) -> str:
    """Return the name of a file that does not exist yet, made of the players' names."""
    stem = "-".join(filter(None, map(_letters, players))) or "porto"
    folder = folder or Path()
    name, number = f"{stem}.yaml", 1
    while (folder / name).exists():
        number += 1
        name = f"{stem}-{number}.yaml"
    return name


def _letters(name: str) -> str:
    """Return a name in lower case without accents and without what shells treat specially."""
    from unicodedata import combining, normalize

    plain = "".join(letter for letter in normalize("NFKD", name) if not combining(letter))
    return "-".join("".join(c if c.isalnum() else " " for c in plain.casefold()).split())
