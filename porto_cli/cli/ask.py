"""What is missing of a command: asked for on a terminal, named elsewhere (exit code 2)."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, NoReturn

import typer

from porto_cli.cli.common import refuse, usage
from porto_cli.core.errors import INTERRUPTED
from porto_cli.core.message import Sentence, say
from porto_cli.games.porto.engine.components import CARDS, HOUSES
from porto_cli.games.porto.engine.contracts import met_by, outcome
from porto_cli.games.porto.engine.moves import CLAIM_NONE, KEEPS, Build, Draw, Move, draw_of
from porto_cli.games.porto.engine.state import ACT, CONTRACTS, TIMER, Config
from porto_cli.games.porto.notation import TOKEN, parse_card, parse_house
from porto_cli.games.porto.suggest import builds_with_parts, suggestions
from porto_cli.games.porto.ui.next_step import command, commands
from porto_cli.match.match import Match

if TYPE_CHECKING:
    from porto_cli.core.chance import TypedChance
    from porto_cli.games.porto.move_list import Option
    from porto_cli.term.prompt import Asker


class Parts(NamedTuple):
    """The words of a build, as far as they were typed."""

    number: str | None
    color: str | None
    house: str | None
    token: str | None


def parts_of(words: Sequence[str]) -> Parts:
    """Return the parts of a build that may be incomplete: cards, house, ``token``, its roof."""

    def part(nth: int) -> str | None:
        return words[nth] if nth < len(words) else None

    return Parts(part(0), part(1), part(2), part(4) if _names_a_token(words) else None)


def _names_a_token(words: Sequence[str]) -> bool:
    return len(words) > 3 and words[3].lower() == TOKEN


def can_ask() -> bool:
    """Tell whether somebody sits there who reads and types."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def asker() -> Asker:
    """Return who asks: with menus where the terminal can move its cursor, else line by line."""
    from porto_cli.term.alt_screen import can_move_the_cursor

    if can_move_the_cursor():
        from porto_cli.term.menus import Menus

        return Menus()
    from porto_cli.term.lines import Lines

    return Lines()


def draw(match: Match, seat: int, words: Sequence[str]) -> list[str]:
    """Return the draw that is typed, or that a player chooses if nothing is."""
    if words:
        return [" ".join(["draw", *words])]
    if not can_ask():
        missing = say("Something is missing: the cards to draw, like: blue-1 red-2.")
        legal = suggestions(match.state, Draw(()), seat)
        _say_what_is_missing(match, seat, "draw", missing, legal)
    found = _options(match, seat, "draw")
    if not found:
        refuse(say("There is no card to draw."))
    from porto_cli.games.porto.ui import move_prompts

    with backing_out():
        return [move_prompts.draw(asker(), found)]


def build(match: Match, seat: int, words: Sequence[str], *, claim: bool) -> list[str]:
    """Return the build that is typed, or that a player chooses where something is missing.

    With ``claim`` a player is also asked for the public contracts that it could fulfill. A build
    that is typed in full is returned as it is, for the rules to judge, unless it leaves a choice
    open that the rules demand.
    """
    parts = parts_of(words)
    typed = " ".join(["build", *words])
    missing = _missing_of(parts, words)
    if missing:
        if not can_ask():
            legal = _builds_with(match, seat, parts)
            _say_what_is_missing(match, seat, "build", missing, legal)
    elif not can_ask() or _says_all(match, seat, typed, claim=claim):
        return [typed]
    from porto_cli.games.porto.ui import move_prompts
    from porto_cli.games.porto.ui.grouping import fitting

    found = fitting(
        _options(match, seat, "build"),
        number=parts.number and CARDS[parse_card(parts.number)],
        color=parts.color and CARDS[parse_card(parts.color)],
        house=parts.house and HOUSES[parse_house(parts.house)],
        token=parts.token and HOUSES[parse_house(parts.token)],
    )
    if not found and not missing:
        return [typed]
    if not found:
        refuse(
            say(
                "No build with {parts} is legal now.",
                parts=" ".join(part for part in parts if part) or say("this hand"),
            ),
            suggestions=commands(match.replay, _builds_with(match, seat, parts), seat),
        )
    with backing_out():
        return move_prompts.build(asker(), match.state, found, claim=claim)


def contract(match: Match, seat: int, words: Sequence[str]) -> list[str]:
    """Return the claim that is typed, or that a player chooses if nothing is."""
    if words:
        return [" ".join(["contract", *words])]
    if not can_ask():
        missing = say("Something is missing: the public contracts to fulfill, or none.")
        legal = suggestions(match.state, CLAIM_NONE, seat)
        _say_what_is_missing(match, seat, "contract", missing, legal)
    found = _options(match, seat, "contract")
    from porto_cli.games.porto.ui import move_prompts

    with backing_out():
        return [
            move_prompts.contracts(asker(), max((option.contracts for option in found), key=len))
        ]


def keep(match: Match, seat: int, words: Sequence[str]) -> list[str]:
    """Return what is typed to be kept, or which private contracts a player chooses to keep."""
    if words:
        return [" ".join(["keep", *words])]
    if not can_ask():
        missing = (
            say("Something is missing: the three private contracts to keep, like: 1 2 5.")
            if match.state.dealt
            else say(
                "Something is missing: the names of the three private contracts to keep, like: "
                "palette side ends-blue."
            )
        )
        legal = suggestions(match.state, KEEPS[0], seat)
        _say_what_is_missing(match, seat, "keep", missing, legal)
    _demand_the_time(match, seat, "keep")
    from porto_cli.games.porto.ui import move_prompts

    with backing_out():
        return [move_prompts.keep(asker(), match.state, seat)]


def who_keeps(able: Sequence[str], path: str, words: Sequence[str]) -> str:
    """Return the player who is going to keep private contracts, of those who still can."""
    move = " ".join(["keep", *(words or ("1", "2", "3"))])
    return _who(
        able,
        say(
            "Who keeps these contracts? Say it with --as; these players still can: {players}.",
            players=", ".join(able),
        ),
        [command(move, path, name) for name in able],
    )


def who_takes_back(players: Sequence[str], path: str) -> str:
    """Return the player who takes back a choice of private contracts."""
    return _who(
        players,
        say(
            "The last choice was one of private contracts. Say with --as who takes it back; the "
            "players are {players}.",
            players=", ".join(players),
        ),
        [command("undo", path, name) for name in players],
    )


def _who(able: Sequence[str], otherwise: Sentence, suggestions: Sequence[str]) -> str:
    """Ask who somebody is; without a terminal end with exit code 2."""
    if not can_ask():
        usage(otherwise, suggestions=suggestions)
    from porto_cli.term.prompt import Choice

    with backing_out():
        return asker().choose(
            say("Who are you?"), [Choice([(name, "")], name) for name in able], rules=("P-SETUP-5",)
        )


def record_or_player(
    word: str, others: list[str], *, named: Path, made: Path
) -> tuple[Path, list[str]]:
    """Return the record and the players of a new game whose first word could be either."""
    from porto_cli.term.prompt import Choice

    is_a_player = say(
        "{players} play; the record is {file}", players=", ".join([word, *others]), file=made
    )
    if not others:
        is_a_player = say(
            "{player} plays the solo game; the record is {file}", player=word, file=made
        )
        is_the_record = say("{file} is the record; who plays comes next", file=named)
    elif len(others) == 1:
        is_the_record = say(
            "{player} plays the solo game; the record is {file}", player=others[0], file=named
        )
    else:
        is_the_record = say(
            "{players} play; the record is {file}", players=", ".join(others), file=named
        )
    choices = [
        Choice([(str(is_a_player), "")], (made, [word, *others])),
        Choice([(str(is_the_record), "")], (named, others)),
    ]
    with backing_out():
        return asker().choose(
            say("Is {word!r} a player, or the record?", word=word), choices, rules=("P-SETUP-1",)
        )


def players() -> list[str]:
    """Return who plays a new game."""
    if not can_ask():
        usage(say("Who plays? Name one to four players behind the file."))
    from porto_cli.games.porto.ui.new_game_prompts import ask_players

    with backing_out():
        return list(ask_players(asker()))


def deal(
    config: Config, tokens: str | None, cards: str | None, contracts: str | None
) -> tuple[str, str, str]:
    """Return the VP tokens, cards and public contracts that lie on a real table.

    What is given is kept. All three are texts as the flags take them.
    """
    from porto_cli.games.porto.ui import setup_prompts

    with backing_out():
        someone = asker()
        return (
            tokens if tokens is not None else setup_prompts.ask_tokens(someone, config),
            cards if cards is not None else setup_prompts.ask_cards(someone, config),
            contracts if contracts is not None else setup_prompts.ask_contracts(someone, config),
        )


def coming_up(match: Match, typed: TypedChance | None) -> TypedChance | None:
    """Return a chance that asks what came up on a real table, if somebody can be asked."""
    if match.record.seed or not can_ask():
        return typed
    from porto_cli.games.porto.ui.chance_prompts import AskedChance

    return AskedChance(asker(), typed)


@contextmanager
def backing_out() -> Iterator[None]:
    """End the command with 130 if the player backs out of its first question."""
    try:
        yield
    except Exception as error:
        # Imported when there is something to judge: a plain move asks nobody.
        from porto_cli.term.prompt import CancelledError

        if isinstance(error, CancelledError | EOFError):
            print(say("Nothing was done."), file=sys.stderr)
            raise typer.Exit(INTERRUPTED) from None
        raise


def _say_what_is_missing(
    match: Match, seat: int, kind: str, sentence: Sentence, legal: Sequence[Move]
) -> NoReturn:
    """End with exit code 2, or with 1 if it is not the time for any move of this kind."""
    _demand_the_time(match, seat, kind)
    usage(sentence, suggestions=commands(match.replay, legal, seat))


def _missing_of(parts: Parts, words: Sequence[str]) -> Sentence | None:
    """Say what a build lacks that has to be said."""
    if not parts.number:
        return say(
            "Something is missing: the card for the number of floors, the card for their color "
            "and the house, like: red-3 blue-1 L4."
        )
    if not parts.color:
        return say("Something is missing: the card for their color and the house, like: blue-1 L4.")
    if not parts.house:
        return say("Something is missing: the house, like: L4.")
    if _names_a_token(words) and not parts.token:
        return say("Something is missing: the house whose roof receives the token, like: L6.")
    return None


def _builds_with(match: Match, seat: int, parts: Parts) -> list[Move]:
    """Return a few legal builds with these parts. Raises InvalidMoveError."""
    return builds_with_parts(
        match.state,
        seat,
        number=parse_card(parts.number) if parts.number else None,
        color=parse_card(parts.color) if parts.color else None,
        house=parse_house(parts.house) if parts.house else None,
        token=parse_house(parts.token) if parts.token else None,
    )


def _says_all(match: Match, seat: int, typed: str, *, claim: bool) -> bool:
    """Tell whether a build that is typed in full leaves nothing to choose."""
    state = match.state
    move = match.move(typed, match.players[seat])
    if not isinstance(move, Build) or match.check(move, match.players[seat]):
        return False
    meets = state.phase == ACT and bool(met_by(outcome(state, move), state.contracts))
    return not (claim and meets)


def _options(match: Match, seat: int, kind: str) -> list[Option]:
    """Return the legal moves of a kind; exits with 1 if it is not the time for any of them."""
    from porto_cli.games.porto.move_list import options

    _demand_the_time(match, seat, kind)
    return [option for option in options(match.state, seat) if option.kind == kind]


def _demand_the_time(match: Match, seat: int, kind: str) -> None:
    """Refuse what no move of this kind could be legal for, whatever it says (exit code 1)."""
    state = match.state
    example, phases = _WHEN[kind]
    if kind == "keep":
        refused = bool(state.dealt) and bool(match.check(example, match.players[seat]))
    else:
        refused = seat != state.seat or state.phase not in phases
    if refused:
        refuse(
            *match.check(example, match.players[seat]),
            suggestions=commands(match.replay, suggestions(state, example, seat), seat),
        )


_WHEN: dict[str, tuple[Move, tuple[str, ...]]] = {
    "draw": (draw_of((0,)), (ACT,)),
    "build": (Build(0, 0, 0), (ACT, TIMER)),
    "contract": (CLAIM_NONE, (CONTRACTS,)),
    "keep": (KEEPS[0], ()),
}
"""A move of each kind, and the phases in which one of its kind can be legal."""
