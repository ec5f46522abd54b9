"""The words of a command as moves; what is missing is asked for, or named."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from porto_cli.commands import Command
from porto_cli.core.command_errors import refuse, unnamed, usage
from porto_cli.core.message import Sentence, say
from porto_cli.games.porto.engine.components import CARDS, HOUSES
from porto_cli.games.porto.engine.conditions import may_keep
from porto_cli.games.porto.engine.contracts import met_by, outcome
from porto_cli.games.porto.engine.moves import CLAIM_NONE, KEEPS, Build, Draw, Move, draw_of
from porto_cli.games.porto.engine.state import ACT, CONTRACTS, TIMER
from porto_cli.games.porto.notation import TOKEN, parse_card, parse_house
from porto_cli.games.porto.suggest import builds_with_parts, suggestions
from porto_cli.match.command_lines import command, path_of
from porto_cli.user_commands import commands

if TYPE_CHECKING:
    from porto_cli.games.porto.move_list import Option

CONTRACT = "contract"


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


def read_command(typed: Command) -> tuple[int, list[str]]:
    """Return whose move it is, and the moves: a build, and maybe the public contracts with it."""
    if typed.verb == "keep" and typed.seat is None:
        typed = _with_who_keeps(typed)
    readers = {"keep": _keep, "draw": _draw, "build": _build, CONTRACT: _claim}
    reader = readers.get(typed.verb)
    return typed.mover, reader(typed) if reader else [typed.verb]


def _draw(typed: Command) -> list[str]:
    """Return the draw that is typed, or that a player chooses if nothing is."""
    if typed.words:
        return [" ".join(["draw", *typed.words])]
    if not typed.asker:
        missing = say("Something is missing: the cards to draw, like: blue-1 red-2.")
        _say_what_is_missing(typed, missing, suggestions(typed.match.state, Draw(()), typed.mover))
    found = _options(typed)
    if not found:
        refuse(say("There is no card to draw."))
    from porto_cli.games.porto.ui import move_prompts

    return [move_prompts.draw(typed.asker(), found)]


def _build(typed: Command) -> list[str]:
    """Return the build that is typed, or that a player chooses where something is missing.

    A player is also asked for the public contracts that it could fulfill. A build that is typed in
    full is returned as it is, for the rules to judge, unless it leaves a choice open that the
    rules demand.
    """
    words, claim = _with_options(typed)
    parts = parts_of(words)
    whole = [" ".join(["build", *words]), *claim]
    missing = _missing_of(parts, words)
    ask_claim = not claim and not typed.dry_run
    if missing:
        if not typed.asker:
            _say_what_is_missing(typed, missing, _builds_with(typed, parts))
    elif not typed.asker or _says_all(typed, whole[0], claim=ask_claim):
        return whole
    from porto_cli.games.porto.ui import move_prompts
    from porto_cli.games.porto.ui.grouping import fitting

    found = fitting(
        _options(typed),
        number=parts.number and CARDS[parse_card(parts.number)],
        color=parts.color and CARDS[parse_card(parts.color)],
        house=parts.house and HOUSES[parse_house(parts.house)],
        token=parts.token and HOUSES[parse_house(parts.token)],
    )
    if not found and not missing:
        return whole
    if not found:
        refuse(
            say(
                "No build with {parts} is legal now.",
                parts=" ".join(part for part in parts if part) or say("this hand"),
            ),
            suggestions=commands(typed.match.replay, _builds_with(typed, parts), typed.mover),
        )
    asked = move_prompts.build(typed.asker(), typed.match.state, found, claim=ask_claim)
    return [*asked, *claim]


def _with_options(typed: Command) -> tuple[list[str], list[str]]:
    """Return the words of a build, and its claim as a move, from words and options."""
    words, claim = typed.words, None
    token, contracts = typed.options.get("token"), typed.options.get(CONTRACT)
    lower = [word.lower() for word in words]
    if CONTRACT in lower:
        end = lower.index(CONTRACT)
        words, claim = words[:end], words[end + 1 :]
    if token is not None:
        if len(words) > 3:
            usage(say("The house for the token is named twice: leave out --token or the word."))
        words = [*words, TOKEN, token]
    if contracts:
        if claim is not None:
            usage(say("The contracts are named twice: leave out --contract or the word."))
        claim = [word for text in contracts for word in text.replace(",", " ").split()]
    return words, [] if claim is None else [" ".join([CONTRACT, *claim])]


def _claim(typed: Command) -> list[str]:
    """Return the claim that is typed, or that a player chooses if nothing is."""
    if typed.words:
        return [" ".join([CONTRACT, *typed.words])]
    if not typed.asker:
        missing = say("Something is missing: the public contracts to fulfill, or none.")
        _say_what_is_missing(
            typed, missing, suggestions(typed.match.state, CLAIM_NONE, typed.mover)
        )
    found = _options(typed)
    from porto_cli.games.porto.ui import move_prompts

    met = max((option.contracts for option in found), key=len)
    return [move_prompts.contracts(typed.asker(), met)]


def _keep(typed: Command) -> list[str]:
    """Return what is typed to be kept, or which private contracts a player chooses to keep."""
    if typed.words:
        return [" ".join(["keep", *typed.words])]
    state = typed.match.state
    if not typed.asker:
        missing = (
            say("Something is missing: the three private contracts to keep, like: 1 2 5.")
            if state.dealt and not state.is_revealing
            else say(
                "Something is missing: the names of the three private contracts to keep, like: "
                "palette side ends-blue."
            )
        )
        _say_what_is_missing(typed, missing, suggestions(state, KEEPS[0], typed.mover))
    _demand_the_time(typed)
    from porto_cli.games.porto.ui import move_prompts

    return [move_prompts.keep(typed.asker(), state, typed.mover)]


def _with_who_keeps(typed: Command) -> Command:
    """Say who keeps private contracts: nobody chooses for somebody else by mistake."""
    match = typed.match
    able = [name for seat, name in enumerate(match.players) if may_keep(match.state, seat)]
    if not able or len(match.players) == 1:
        return typed
    if not typed.asker:
        move = " ".join(["keep", *(typed.words or ("1", "2", "3"))])
        unnamed(
            say(
                "Who keeps these contracts? Say it with --as; these players still can: {players}.",
                players=", ".join(able),
            ),
            suggestions=[command(move, path_of(match.replay), name) for name in able],
        )
    from porto_cli.term.prompt import which_player

    return typed._replace(seat=match.seat(which_player(typed.asker(), able, ("P-SETUP-5",))))


def _say_what_is_missing(typed: Command, sentence: Sentence, legal: Sequence[Move]) -> NoReturn:
    """End with exit code 2, or with 1 if it is not the time for any move of this kind."""
    _demand_the_time(typed)
    usage(sentence, suggestions=commands(typed.match.replay, legal, typed.mover))


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


def _builds_with(typed: Command, parts: Parts) -> list[Move]:
    """Return a few legal builds with these parts. Raises InvalidMoveError."""
    return builds_with_parts(
        typed.match.state,
        typed.mover,
        number=parse_card(parts.number) if parts.number else None,
        color=parse_card(parts.color) if parts.color else None,
        house=parse_house(parts.house) if parts.house else None,
        token=parse_house(parts.token) if parts.token else None,
    )


def _says_all(typed: Command, text: str, *, claim: bool) -> bool:
    """Tell whether a build that is typed in full leaves nothing to choose."""
    match, player = typed.match, typed.match.players[typed.mover]
    state = match.state
    move = match.move(text, player)
    if not isinstance(move, Build) or match.check(move, player):
        return False
    meets = state.phase == ACT and bool(met_by(outcome(state, move), state.contracts))
    return not (claim and meets)


def _options(typed: Command) -> list[Option]:
    """Return the legal moves of a kind; exits with 1 if it is not the time for any of them."""
    from porto_cli.games.porto.move_list import options

    _demand_the_time(typed)
    found = options(typed.match.state, typed.mover)
    return [option for option in found if option.kind == typed.verb]


def _demand_the_time(typed: Command) -> None:
    """Refuse what no move of this kind could be legal for, whatever it says (exit code 1)."""
    match, seat = typed.match, typed.mover
    state = match.state
    example, phases = _WHEN[typed.verb]
    if typed.verb == "keep":
        known = bool(state.dealt) and not state.is_revealing
        refused = known and bool(match.check(example, match.players[seat]))
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
    CONTRACT: (CLAIM_NONE, (CONTRACTS,)),
    "keep": (KEEPS[0], ()),
}
"""A move of each kind, and the phases in which one of its kind can be legal."""
