"""What is missing of a command: asked for on a terminal, named elsewhere (exit code 2)."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

import typer

from porto_cli.api import Match
from porto_cli.cli.common import refuse, usage
from porto_cli.errors import INTERRUPTED
from porto_cli.notation import parse_card, parse_house
from porto_cli.rules.components import CARDS, HOUSES
from porto_cli.rules.contracts import met_by, outcome
from porto_cli.rules.moves import CLAIM_NONE, KEEPS, Build, Move, draw_of
from porto_cli.rules.sentence import say
from porto_cli.rules.state import ACT, CONTRACTS, TIMER, Game

if TYPE_CHECKING:
    from porto_cli.chance import TypedChance
    from porto_cli.play.prompt import Asker
    from porto_cli.view.options import Option


class Parts(NamedTuple):
    """The words of a build, as far as they were typed."""

    number: str | None
    color: str | None
    house: str | None
    token: str | None

    @property
    def text(self) -> str:
        """The build in the notation; nothing but the token may be missing."""
        token = f" token {self.token}" if self.token else ""
        return f"build {self.number} {self.color} {self.house}{token}"


def can_ask() -> bool:
    """Tell whether somebody sits there who reads and types."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def asker() -> Asker:
    """Return who asks: with menus where the terminal can move its cursor, else line by line."""
    from porto_cli.play.alt_screen import can_move_the_cursor

    if can_move_the_cursor():
        from porto_cli.play.menus import Menus

        return Menus()
    from porto_cli.play.lines import Lines

    return Lines()


def draw(match: Match, seat: int) -> str:
    """Return the draw that a player chooses."""
    _demand_a_terminal("the cards to draw, like: blue-1 red-2")
    found = _options(match, seat, "draw", draw_of((0,)))
    if not found:
        refuse(say("There is no card to draw."))
    from porto_cli.play import move_prompts

    with backing_out():
        return move_prompts.draw(asker(), found)


def build(match: Match, seat: int, parts: Parts, *, claim: bool) -> list[str]:
    """Return the build that a player chooses, given some parts of it, and maybe what it fulfills.

    Public contracts are asked for with ``claim``. A build that is typed in full is returned as it
    is, for the rules to judge, unless it leaves a choice open that the rules demand.
    """
    missing = _missing_of(parts)
    if missing:
        _demand_a_terminal(missing)
    elif not can_ask() or _says_all(match, seat, parts, claim=claim):
        return [parts.text]
    from porto_cli.play import move_prompts
    from porto_cli.play.grouping import fitting

    found = fitting(
        _options(match, seat, "build", Build(0, 0, 0)),
        number=parts.number and CARDS[parse_card(parts.number)],
        color=parts.color and CARDS[parse_card(parts.color)],
        house=parts.house and HOUSES[parse_house(parts.house)],
        token=parts.token and HOUSES[parse_house(parts.token)],
    )
    if not found and not missing:
        return [parts.text]
    if not found:
        refuse(
            say(
                "No build with {parts} is legal now; 'porto moves {file}' lists those that are.",
                parts=" ".join(part for part in parts if part) or say("this hand"),
                file=match.record.file,
            )
        )
    with backing_out():
        return move_prompts.build(asker(), match.state, found, claim=claim)


def contract(match: Match, seat: int) -> str:
    """Return the claim that a player chooses."""
    _demand_a_terminal("the public contracts to fulfill, or none")
    found = _options(match, seat, "contract", CLAIM_NONE)
    from porto_cli.play import move_prompts

    with backing_out():
        return move_prompts.contracts(asker(), max((option.contracts for option in found), key=len))


def keep(match: Match, seat: int) -> str:
    """Return which private contracts a player keeps."""
    _demand_a_terminal("the three private contracts to keep, like: 1 2 5")
    if match.state.dealt:
        violations = match.check(KEEPS[0], match.players[seat])
        if violations:
            refuse(*violations)
    from porto_cli.play import move_prompts

    with backing_out():
        return move_prompts.keep(asker(), match.state, seat)


def who_keeps(able: list[str]) -> str:
    """Return the player who is going to keep private contracts."""
    if not can_ask():
        usage(
            say(
                "Who keeps these contracts? Say it with --as; these players still can: {players}.",
                players=", ".join(able),
            )
        )
    from porto_cli.play.prompt import Choice

    with backing_out():
        return asker().choose(
            say("Who are you?"), [Choice([(name, "")], name) for name in able], rules=("P-SETUP-5",)
        )


def players() -> list[str]:
    """Return who plays a new game."""
    if not can_ask():
        usage(say("Who plays? Name one to four players behind the file."))
    from porto_cli.play.new_game_prompts import ask_players

    with backing_out():
        return list(ask_players(asker()))


def deal(
    game: Game, tokens: str | None, cards: str | None, contracts: str | None
) -> tuple[str, str, str]:
    """Return the VP tokens, cards and public contracts that lie on a real table.

    What is given is kept. All three are texts as the flags take them.
    """
    from porto_cli.play import setup_prompts

    with backing_out():
        someone = asker()
        return (
            tokens if tokens is not None else setup_prompts.ask_tokens(someone, game),
            cards if cards is not None else setup_prompts.ask_cards(someone, game),
            contracts if contracts is not None else setup_prompts.ask_contracts(someone, game),
        )


def coming_up(match: Match, typed: TypedChance | None) -> TypedChance | None:
    """Return a chance that asks what came up on a real table, if somebody can be asked."""
    if match.record.seed or not can_ask():
        return typed
    from porto_cli.play.chance_prompts import AskedChance

    return AskedChance(asker(), typed)


@contextmanager
def backing_out() -> Iterator[None]:
    """End the command with 130 if the player backs out of its first question."""
    try:
        yield
    except Exception as error:
        # Imported when there is something to judge: a plain move asks nobody.
        from porto_cli.play.prompt import CancelledError

        if isinstance(error, CancelledError | EOFError):
            print(say("Nothing was done."), file=sys.stderr)
            raise typer.Exit(INTERRUPTED) from None
        raise


def _demand_a_terminal(what: str) -> None:
    if not can_ask():
        usage(say("Something is missing: {what}.", what=what))


def _missing_of(parts: Parts) -> str | None:
    """Return the first part of a build that has to be said and is not."""
    if not parts.number:
        return "the card for the number of floors, like red-3"
    if not parts.color:
        return "the card for their color, like blue-1"
    return None if parts.house else "the house, like L4"


def _says_all(match: Match, seat: int, parts: Parts, *, claim: bool) -> bool:
    """Tell whether a build that is typed in full leaves nothing to choose."""
    state = match.state
    move = match.move(parts.text, match.players[seat])
    if not isinstance(move, Build) or match.check(move, match.players[seat]):
        return False
    meets = state.phase == ACT and bool(met_by(outcome(state, move), state.contracts))
    return not (claim and meets)


def _options(match: Match, seat: int, kind: str, example: Move) -> list[Option]:
    """Return the legal moves of a kind; exits with 1 if it is not the time for any of them."""
    from porto_cli.view.options import options

    state = match.state
    found = [option for option in options(state, seat) if option.kind == kind]
    if not found and (seat != state.seat or state.phase not in _PHASES[kind]):
        refuse(*match.check(example, match.players[seat]))
    return found


_PHASES = {"draw": (ACT,), "build": (ACT, TIMER), "contract": (CONTRACTS,)}
