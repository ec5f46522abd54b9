"""``porto rules``: the card of a game, the things in its box, and its rulings; and the help with
questions, which includes rulings.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from difflib import get_close_matches
from itertools import chain
from types import MappingProxyType
from typing import NamedTuple, NoReturn

from porto_cli.cli import Format, GameOption, arg, opt
from porto_cli.cli.output import explain, write_json
from porto_cli.core import cited, flowing, usage
from porto_cli.core.shell import quoted
from porto_cli.core.values import document
from porto_cli.games import DEFAULT, GAMES, UnusableGameError, game_of
from porto_cli.installed import (
    Ruling,
    Rulings,
    game_of_ruling,
    lessons_of,
    questions_of,
    ruling,
    rulings_of,
)
from porto_cli.match.items import IllegalMoveError
from porto_cli.pages import card_rows, row, ruling_rows
from porto_cli.paper import Gap, Heading, Node, Paragraph, put
from porto_cli.seam import Thing
from porto_cli.term import BOLD, Line, Screen, wrapped
from porto_cli.term.prompt import Advice, Rules

ALL = "all"
"""The word that lists all rulings."""
_IN_FULL = 2
"""The most rulings of a thing that are shown in full; otherwise their titles are listed."""
_ALIKE = 0.7
"""The least similarity of a word to a suggested name, from 0 to 1."""


def _completed(incomplete: str) -> list[tuple[str, str]]:
    known = {one.id: one.title for game_id in GAMES for one in rulings_of(game_id).all()}
    found = [one for one in known.items() if one[0].startswith(incomplete.upper())]
    things = [one for game_id in GAMES for one in things_of(game_id).items()] if incomplete else []
    named = ((name, thing.facts[0]) for name, thing in things)
    return found + [one for one in named if one[0].startswith(incomplete.lower())]


def rules(
    about: list[str] | None = arg(
        None,
        "[ID|WORD]…",
        "Ids of rulings, such as P-BUILD-2, or P-BUILD for all of them; a building, good "
        "or role, such as hospice; or words, to find the rulings that contain all of them.",
        autocompletion=_completed,
    ),
    game: GameOption = None,
    format: Format = opt(  # noqa: A002 - the name of the option
        Format.text, "--format", "The form of the output; JSON has no reference card."
    ),
) -> None:
    """Show the rules on a card, a contract, building, role or ruling.

    Without an argument you see the rules of Porto on one card; for those of Puerto Rico, add --game
    puerto-rico. The word all lists all rulings. The name of a contract, a building, a good or a
    role, such as hospice, shows what it does, what it costs or pays, and its rulings.

    Every refused move names the rulings that it breaks. Words can be in any order, and the terms of
    the printed rulebooks are understood as well: adjacent, roof tile, winner. 'porto help porto'
    and 'porto help puerto-rico' show the card and all rulings of a game.

    Examples:
      porto rules P-BUILD-5
      porto rules roof space
    """
    words = about or []
    game_id = game or next(filter(None, map(game_of_ruling, words)), DEFAULT)
    rulings = rulings_of(game_id)
    if words in ([], [ALL]):
        found = [_Found(game_id, list(rulings.all()), [])]
    else:
        found = _look_up(words, game_id, game)
    if format is Format.json:
        listed = (ruling for one in found for ruling in (*one.found, *one.mentions))
        write_json(document(rulings=[ruling._asdict() for ruling in listed]))
    elif not words:
        explain(_card(rulings, game_id))
    elif words == [ALL]:
        explain(_titles(rulings.all(), rulings))
    else:
        explain(node for one in found for node in _found_rows(one, titled=len(found) > 1))


class _Found(NamedTuple):
    """What is shown of a game: rulings, others that mention the words, and the thing they name."""

    game: str
    found: list[Ruling]
    mentions: list[Ruling]
    name: str = ""
    thing: Thing | None = None


def things_of(game_id: str) -> dict[str, Thing]:
    """Return the things of a game to look up; none of one that cannot be used."""
    try:
        return game_of(game_id).shown.things()
    except UnusableGameError:
        return {}


def _name(words: list[str]) -> str:
    """Return a typed name as the notation spells it, without capitals and blanks."""
    return "-".join(" ".join(words).casefold().split())


def _look_up(words: list[str], game_id: str, game: str | None) -> list[_Found]:
    """Return the rulings of ids; or the thing of that name in the game, or else in any game, with
    its rulings; or rulings about the words, in the game or else in any game.

    A game without such a thing, but with a ruling about the same words, is shown as well.
    """
    with suppress(KeyError):
        return [_Found(game_id, [ruling(word) for word in words], [])]
    # Listing all games looks for those of other packages, which takes a while.
    games = [game] if game else list(GAMES)
    found, name = dict[str, _Found](), _name(words)
    for other in games:
        rulings = rulings_of(other)
        thing = things_of(other).get(name)
        about, mentions = rulings.search(" ".join(words))
        if thing:
            own = [rulings[rule] for rule in thing.rules]
            about, mentions = own, [one for one in (*about, *mentions) if one not in own]
        found[other] = _Found(other, about, mentions, name, thing)
    if any(one.thing for one in found.values()):
        return [one for one in found.values() if one.found]
    telling = [one for one in found.values() if one.found or one.mentions]
    here = [one for one in telling if one.game == game_id]
    # An id that there is not belongs to its game all the same.
    elsewhere = [] if any(map(game_of_ruling, words)) else telling
    return here or elsewhere or _found_nothing(words, game_id, games)


def _found_nothing(about: list[str], game_id: str, games: list[str]) -> NoReturn:
    """Suggest what words that no ruling mentions may mean (exit code 2)."""
    words = " ".join(about)
    known = {
        one.casefold(): one
        for other in games
        for one in (*rulings_of(other).by_id, *things_of(other))
    }
    typed = dict.fromkeys([_name(about), *map(str.casefold, about)])
    alike = (get_close_matches(one, known, cutoff=_ALIKE) for one in typed)
    near = [known[one] for one in dict.fromkeys(chain.from_iterable(alike))]
    if near:
        usage(
            f"Nothing is called {cited(words)} here; did you mean {', '.join(near)}?",
            suggestions=[f"porto rules {quoted(one)}" for one in near],
        )
    command = f"{_command(game_id)} {ALL}"
    usage(
        f"No ruling mentions {cited(words)}; {cited(command)} lists all rulings.",
        suggestions=[
            f"{_command(other)} {' '.join(map(quoted, about))}"
            for other in GAMES
            if other != game_id and any(rulings_of(other).search(words))
        ],
    )


def _command(game_id: str) -> str:
    """Return the command that shows the rules of a game."""
    return "porto rules" if game_id == DEFAULT else f"porto rules --game {game_id}"


def _card(rulings: Rulings, game_id: str) -> Iterator[Node]:
    """Yield the reference card of a game, and how to read more."""
    yield from card_rows((*rulings.card(), *game_of(game_id).shown.in_brief()))
    rule_id, two_words = rulings.examples
    command = _command(game_id)
    ending = (
        f"'porto rules {rule_id}' shows a ruling, '{command} {two_words}' finds those with "
        f"both words, and '{command} {ALL}' lists all of them."
    )
    yield from (Gap(), Paragraph([ending]), Paragraph([f"To turn pages: porto help {game_id}"]))


def _titles(found: Iterable[Ruling], rulings: Rulings) -> Iterator[Node]:
    column = max(len(one.id) for one in rulings.all()) + 2
    yield from (row(f"  {one.id:{column}}", one.title) for one in found)


def _found_rows(shown: _Found, *, titled: bool) -> Iterator[Node]:
    """Yield the thing that a word names, and the rulings that are about it or mention it."""
    rulings = rulings_of(shown.game)
    if titled:
        yield from (Heading(GAMES[shown.game].title), Gap())
    if shown.thing:
        first, *others = shown.thing.facts
        yield row(f"{shown.name}  ", first)
        yield from (row("  ", fact) for fact in others)
    if shown.thing and len(shown.found) > _IN_FULL:
        yield from (Heading("Rulings"), *_titles(shown.found, rulings))
    else:
        for index, one in enumerate(shown.found):
            yield from (*[Gap()] * bool(index or shown.thing), *ruling_rows(one))
    if shown.mentions:
        yield Heading("Mentioned in" if shown.found else "Mentioned only in")
        yield from _titles(shown.mentions, rulings)


# -- Help with a question: a few sentences, and the rulings about it in full

ANY_QUESTION = (
    "Choose what to do next. Only a move changes the game, and every finished turn is saved."
)


def with_labels(texts: Mapping[str, str], width: int) -> list[Line]:
    """Return texts, each after its label, set to a width."""
    return [
        line
        for label, text in texts.items()
        for line in wrapped(flowing(text), width, first=[(f"{label}  ", BOLD)], indent=2)
    ]


def advice(
    rules: Rules,
    width: int,
    questions: Mapping[str, str] = MappingProxyType({}),
    signs: Sequence[Line] = (),
) -> tuple[list[Line], Sequence[Line], list[Line]]:
    """Return the help with a question, set to a width: the sentences of its kind (``questions``) or
    its own; what the ``signs`` on the screen mean; and its rulings.
    """
    kinds = [flowing(questions[rule]) for rule in rules if rule in questions]
    own = [rule for rule in rules if " " in rule]
    about = [*kinds[:1], *own] or [ANY_QUESTION]
    brief = [line for text in about for line in wrapped(text, width, indent=2 * (len(own) > 1))]
    return brief, signs, _rulings(rules, width)


def _rulings(rules: Rules, width: int) -> list[Line]:
    """Return the rulings in the help with a question, set to a width."""
    ids = (rule for rule in dict.fromkeys(rules) if " " not in rule and not rule.islower())
    rows = (node for one in map(ruling, ids) for node in (*ruling_rows(one), Gap()))
    return put(rows, Screen(width))


def explained(error: IllegalMoveError, screen: Screen) -> list[Line]:
    """Return the rules that a move breaks, and their text, set to a screen."""
    width, faults = screen.width, error.violations
    lines = [line for one in faults for line in wrapped(str(one), width, style=BOLD)]
    return [*lines, [], *_rulings([one.rule for one in faults], width)]


def advice_of(game: str, hints: str | None = None) -> Advice:
    """Return a function for the help with a game's questions; ``hints`` says how to get hints, None
    while there is no table yet.
    """

    def help_with(rules: Rules, width: int) -> tuple[list[Line], Sequence[Line], list[Line]]:
        taught = lessons_of(game)
        signs = with_labels(taught.get("signs", {}), width)
        signs = [] if hints is None else [*signs, [], *wrapped(hints, width)]
        return advice(rules, width, questions_of(game), signs)

    return help_with
