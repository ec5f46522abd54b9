"""The questions that set up a game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from porto_cli.core.errors import FileError
from porto_cli.core.files import expanded, is_worth_a_look
from porto_cli.core.message import Sentence, say
from porto_cli.core.yaml import InvalidFileError
from porto_cli.games.porto.editions import DEFAULT, shipped
from porto_cli.games.porto.engine.state import MOST_PLAYERS, TIMERS, Config
from porto_cli.games.porto.ui.setup_prompts import ask_cards, ask_contracts, ask_tokens, deal_of
from porto_cli.match.match import Match, load, new_game
from porto_cli.match.record import name_fault
from porto_cli.match.record_files import meant, records_of, with_suffix
from porto_cli.term.prompt import Asker, CancelledError, Choice, Notes
from porto_cli.term.spans import PLAIN, Line

MOST_FILES = 30
"""So many files of a folder are looked into for running games."""
WELCOME = say(
    "Porto: a new game. The arrow keys move, Enter chooses, Esc goes back, a question mark "
    "explains the rules."
)
SETUP_RULES = ("P-SETUP-1", "P-SETUP-4", "P-SOLO-1")


class Plan(NamedTuple):
    """What was answered about a new game."""

    players: tuple[str, ...] = ()
    timer: int = TIMERS[0]
    first: str | None = None
    private_contracts: bool = True
    real: bool = False
    """Played with the real box: what lies on the table, and what comes up, is typed."""
    tokens: str = ""
    cards: str = ""
    contracts: str = ""
    path: Path = Path()

    @property
    def config(self) -> Config:
        """The game as far as it is known: who plays, with what is in the box."""
        return Config(shipped(DEFAULT), self.players)


def begin(asker: Asker, path: Path | None) -> Match:
    """Return the game of a record, or of a new one.

    Without a path it is one of the running games of this folder, or a new one. Raises
    CancelledError at the first question, InvalidFileError, FileError.
    """
    if path is not None:
        known = meant(path)
        if known.exists():
            return load(known)
        path = with_suffix(path)
        fault = _folder_fault(path)
        if fault:
            raise FileError(fault)
        return found(asker, path)
    running = running_games(Path())
    if not running:
        return found(asker, None)
    choices: list[Choice[Match | None]] = [Choice(_running(match), match) for match in running]
    choices.append(Choice([(str(say("Start a new game")), PLAIN)], None))
    while True:
        match = asker.choose(say("Which game do you play?"), choices)
        try:
            return match or found(asker, None)
        except CancelledError:
            continue


def running_games(folder: Path) -> list[Match]:
    """Return the games of a folder that are not over, the one that was played last first."""
    matches = []
    for path in islice(filter(is_worth_a_look, records_of(folder)), MOST_FILES):
        try:
            match = load(path)
        except (InvalidFileError, FileError):
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
    return [(str(label), PLAIN)]


def found(asker: Asker, path: Path | None) -> Match:
    """Ask what has to be known of a new game, write its record and return it.

    Raises CancelledError at the first question, FileError.
    """
    plan = _answers(asker, Plan(path=path or Path()), ask_path=path is None)
    asker.put_above(None)
    match = new_game(
        plan.players,
        timer=plan.timer,
        first=plan.first,
        private_contracts=plan.private_contracts,
        setup=deal_of(plan.tokens, plan.cards, plan.contracts) if plan.real else None,
        name=plan.path.name,
    )
    match.save(plan.path)
    return load(plan.path)


def ask_players(asker: Asker, question: Sentence | None = None) -> tuple[str, ...]:
    """Ask how many play and what they are called."""
    while True:
        choices = [Choice([(str(say("1 player: the solo game against the timer")), PLAIN)], 1)]
        choices += [
            Choice([(str(say("{count} players", count=count)), PLAIN)], count)
            for count in range(2, MOST_PLAYERS + 1)
        ]
        count = asker.choose(question or say("How many play?"), choices, rules=SETUP_RULES)
        try:
            return _names(asker, count)
        except CancelledError:
            continue


def _names(asker: Asker, count: int) -> tuple[str, ...]:
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
            names.append(asker.write(question, lambda name: _name_fault(name, names)))
        except CancelledError:
            if not names:
                raise
            names.pop()
    return tuple(names)


def _name_fault(name: str, others: Sequence[str]) -> Sentence | None:
    if not name:
        return say("A player needs a name.")
    return name_fault(name, others)


def _answers(asker: Asker, plan: Plan, *, ask_path: bool) -> Plan:
    """Ask one question after the other; backing out of one goes to the one before."""
    questions: list[Callable[[Asker, Plan], Plan | None]] = [
        _players,
        _timer,
        _variant,
        _real,
        _first,
        _tokens,
        _cards,
        _contracts,
    ]
    if ask_path:
        questions.append(_path)
    answered: list[tuple[int, Plan]] = []
    nth = 0
    while nth < len(questions):
        asker.put_above(Notes((WELCOME, *_so_far(plan))))
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


def _so_far(plan: Plan) -> Iterator[Sentence]:
    """Say what has been answered."""
    if plan.players:
        yield say("Players: {players}.", players=", ".join(plan.players))
        if plan.real:
            yield say("You play with the real cards and type what comes up.")
        if len(plan.players) > 1 and plan.first:
            yield say("{first} is the first player.", first=plan.first)


def _players(asker: Asker, plan: Plan) -> Plan | None:
    if plan.path == Path():
        return plan._replace(players=ask_players(asker))
    question = say("{file} will be a new game. How many play?", file=plan.path)
    return plan._replace(players=ask_players(asker, question))


def _timer(asker: Asker, plan: Plan) -> Plan | None:
    if len(plan.players) > 1:
        return None
    names = (
        say("28 timer cards, 14 turns"),
        say("26 timer cards, 13 turns: harder"),
        say("24 timer cards, 12 turns: hardest"),
    )
    choices = [
        Choice([(str(name), PLAIN)], timer) for name, timer in zip(names, TIMERS, strict=True)
    ]
    timer = asker.choose(
        say("How long does the game last?"), choices, rules=("P-SOLO-1", "P-SOLO-6")
    )
    return plan._replace(timer=timer)


def _variant(asker: Asker, plan: Plan) -> Plan | None:
    choices = [
        Choice([(str(say("With private contracts")), PLAIN)], True),
        Choice([(str(say("Without them: the first game variant")), PLAIN)], False),
    ]
    chosen = asker.choose(say("With private contracts?"), choices, rules=("P-SETUP-5", "P-SETUP-6"))
    return plan._replace(private_contracts=chosen)


def _real(asker: Asker, plan: Plan) -> Plan | None:
    choices = [
        Choice([(str(say("No, the program deals and shuffles")), PLAIN)], False),
        Choice([(str(say("Yes, and we type what comes up")), PLAIN)], True),
    ]
    question = say("Do you play with the real cards, on a table?")
    return plan._replace(real=asker.choose(question, choices, rules=("P-SETUP-2", "P-SETUP-3")))


def _tokens(asker: Asker, plan: Plan) -> Plan | None:
    return plan._replace(tokens=ask_tokens(asker, plan.config)) if plan.real else None


def _cards(asker: Asker, plan: Plan) -> Plan | None:
    return plan._replace(cards=ask_cards(asker, plan.config)) if plan.real else None


def _contracts(asker: Asker, plan: Plan) -> Plan | None:
    return plan._replace(contracts=ask_contracts(asker, plan.config)) if plan.real else None


def _first(asker: Asker, plan: Plan) -> Plan | None:
    if len(plan.players) == 1:
        return None
    choices: list[Choice[str | None]] = []
    if not plan.real:
        choices.append(Choice([(str(say("Chosen at random")), PLAIN)], None))
    choices += [Choice([(name, PLAIN)], name) for name in plan.players]
    first = asker.choose(say("Who is the first player?"), choices, rules=("P-SETUP-4",))
    return plan._replace(first=first)


def _path(asker: Asker, plan: Plan) -> Plan | None:
    text = asker.write(
        say("In which file is the game kept?"), _path_fault, default=free_name(plan.players)
    )
    return plan._replace(path=_as_path(text))


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
