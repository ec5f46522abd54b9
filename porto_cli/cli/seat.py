"""The command by which players leave, and come back: ``porto seat``."""

from __future__ import annotations

from typing import NoReturn

from porto_cli.cli.common import open_match, the_one
from porto_cli.cli.ending import Manner, checked, declare, show_declared
from porto_cli.cli.parameters import (
    DryRun,
    Format,
    FormatOption,
    Quiet,
    RecordFile,
    Send,
    arg,
    levels,
    of_record,
    opt,
)
from porto_cli.core.message import option, quoted, refuse, unnamed, usage
from porto_cli.match.match import Match
from porto_cli.match.new_game import alike
from porto_cli.match.record import SEALED
from porto_cli.match.replay import due, path_of
from porto_cli.match.seats import Holder, level_named
from porto_cli.match.sitting import WORD, bot_fault
from porto_cli.next_step import seat_of_user
from porto_cli.term.tell import remark
from porto_cli.user import own_seat


def seat(
    file: RecordFile,
    player: str | None = arg(
        None,
        "[PLAYER]",
        "Whose seat changes hands; the beginning of the name is enough. If left out, yours.",
        autocompletion=of_record(lambda match, ctx: match.players),
    ),
    to: str | None = opt(
        None, "--to NAME", "From here on, the person of this name plays the seat."
    ),
    bot: str | None = opt(
        None,
        "--bot LEVEL",
        "From here on, the program plays the seat, like: --bot 3",
        autocompletion=of_record(lambda match, ctx: levels(match.game.meta.id)),
    ),
    out: bool = opt(
        False, "--out", "From here on, the turns of the seat are left out, if possible."
    ),
    back: bool = opt(False, "--back", "From here on, it is played as at the beginning."),
    dry_run: DryRun = False,
    send: Send = False,
    quiet: Quiet = False,
    output: FormatOption = Format.text,
) -> None:
    """Say who plays a seat from here on, because somebody leaves or comes back.

    Without options it lists who plays which seat. A seat keeps its name, its table and its score; a
    line in the record says who plays it, and its standing orders end. Anybody may do this for
    anybody.

    Examples:
      porto seat friday.yaml Joana --to Bea
      porto seat friday.yaml Joana --bot 3
    """
    manner = checked(Manner(dry_run, quiet, output, send), WORD, file)
    match = open_match(file)
    meta = match.game.meta
    options = {
        f"to {to}": to is not None,
        f"bot {bot} version {meta.bots_version}": bot is not None,
        "out": out,
        "back": back,
    }
    wished = [text for text, is_wished in options.items() if is_wished]
    if not wished:
        if player is not None:
            _whose(match, player)
        lines = [_now(match, seat) for seat in range(len(match.players))]
        show_declared(match, lines, _seats, output)
        return
    if len(wished) > 1:
        usage("Only one of --to, --bot, --out and --back can be used.")
    whose = _whose(match, player)
    if match.record.secrecy == SEALED:
        _refuse_in_a_sealed_game(match, whose)
    # The line may also name a player of former versions, who could not move any more.
    fault = None if bot is None else bot_fault(level_named(bot, meta.bots) or bot, match.record)
    if fault:
        usage(fault)
    after = match.replay
    after.seat_to(wished[0], whose)
    lines, question = [_now(after, whose)], ""
    if bot is not None and due(after) is not None:
        waits = f"The game waits for {match.players[whose]}, so the bot moves at once."
        lines, question = [*lines, waits], "Let the bot play?"
    if to is not None:
        table = dict.fromkeys((*after.config.players, *after.holders))
        remark(*(one for name in table for one in alike([name, after.holders[whose]])))
    user = seat_of_user(after)
    writer = user if user in after.people else None
    newcomer = None if to is None else whose
    declare(
        match, after, lines, _seats, manner, writer=writer, newcomer=newcomer, question=question
    )


def _whose(match: Match, named: str | None) -> int:
    """Return the seat of a player, or of who plays for one; exits with 2 if it is unknown."""
    held, players = match.holders, match.players
    if named is not None:
        return the_one(match.seats_named(named), held, named)
    found = seat_of_user(match)
    # Who has left is somebody, too: to come back.
    found = own_seat(players) if found is None else found
    if found is None:
        unnamed(
            f"Whose seat? Name one of {', '.join(match.players)}.",
            suggestions=[f"porto {WORD} {path_of(match)} {quoted(match.players[0])} --out"],
        )
    return found


def _now(match: Match, whose: int) -> str:
    """Say who plays a seat."""
    return _held(match)[whose].plays(match.players[whose])


def _refuse_in_a_sealed_game(match: Match, whose: int) -> NoReturn:
    """Say what can be done where nobody else can open what a seat has hidden (exit code 1)."""
    player = match.players[whose]
    refuse(
        (
            f"In a sealed game nobody else can play for {player}: only the key of {player} "
            f"opens what {player} was dealt. {player} can make the moves that somebody else "
            "proposes, or give the key itself away with 'porto key export'; it signs for "
            f"{player} in all other games, too. If {player} is gone, the others can go on "
            f"without {player}, when each of them has said so with:"
        ),
        suggestions=[f"porto reveal {path_of(match)} {option('--without', player)}"],
    )


def _held(match: Match) -> list[Holder]:
    """Return who plays each seat; nobody those of players whom a sealed game goes on without."""
    held, sealed = match.seats, match.sealed
    gone = sealed.given_up if sealed else ()
    return [one._replace(out=one.out or seat in gone) for seat, one in enumerate(held)]


def _seats(match: Match) -> dict[str, object]:
    """Return who plays each seat as a field of a document."""
    seats: list[dict[str, object]] = []
    for player, one in zip(match.players, _held(match), strict=True):
        fields: dict[str, object] = {
            "player": player,
            "holder": None if one.bot or one.out else one.name,
            "since_turn": one.turn + 1,
        }
        if one.bot:
            fields |= {"bot": one.bot, "bot_version": one.version}
        seats.append(fields | {"out": one.out})
    return {"seats": seats}
