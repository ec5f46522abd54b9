"""The command by which players order moves ahead: ``porto order``."""

from __future__ import annotations

from typing import Annotated

import typer

from porto_cli.cli import ask, complete
from porto_cli.cli.bot_turns import bot_sentences, by_itself_json
from porto_cli.cli.common import (
    command_line,
    open_match,
    report_stream,
    save,
    seat_of,
    what_next,
)
from porto_cli.cli.parameters import AsPlayer, Format, Quiet, RecordFile, Send
from porto_cli.cli.turn import move_bots, only_player
from porto_cli.core.characters import FILE
from porto_cli.core.documents import document
from porto_cli.core.files import STANDARD
from porto_cli.core.message import shown, unnamed, usage
from porto_cli.match.match import Match
from porto_cli.match.ordered import demand_orders, in_force, not_fitting, replaced
from porto_cli.match.orders import ALWAYS, ONCE, ORDER, explained, orders_of, possible_kinds
from porto_cli.match.replay import path_of
from porto_cli.settings import own_seat
from porto_cli.term.tell import tell


def order(
    file: RecordFile,
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="ORDER…",
            help="What to do when it is your turn, like: take quarry else take coffee. Without it, "
            "your orders are listed; with the word for a decision alone, what can be ordered for "
            "it.",
            show_default=False,
            autocompletion=complete.words_of_an_order,
        ),
    ] = None,
    player: AsPlayer = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", "-n", help="Explain the order, write nothing.")
    ] = False,
    send: Send = False,
    quiet: Quiet = False,
    output: Annotated[
        Format, typer.Option("--format", help="Print sentences, or the orders as JSON.")
    ] = Format.text,
) -> None:
    """Order moves ahead, so that the game does not have to wait for you.

    An order is executed by whoever's program makes the move before. Where it does not fit, the game
    waits for you. Only you are shown your orders, but they are in the record.
    """
    if send:
        from porto_cli.cli.mail import demand_to_send, send_turn

        demand_to_send(ORDER, file, dry_run=dry_run)
    match = open_match(file)
    demand_orders(match.replay)
    if words and " ".join(words).lower() in orders_of(match.game).kinds:
        from porto_cli.cli.ahead import what_can_be_said

        kind = words[0].lower()
        if output is Format.json:
            usage(
                f"What an order for {shown(kind)} can say is only printed as sentences.",
                suggestions=[command_line("order", str(file), kind)],
            )
        tell(*what_can_be_said(match, kind), stream=report_stream(match.path))
        return
    seat = _whose(match, only_player(match) if player is None else player)
    if words:
        given = " ".join(words)
        _give(match, seat, given, dry_run=dry_run, quiet=quiet, output=output, send=send)
        if send:
            send_turn(match, seat, quiet=quiet or output is Format.json)
    elif output is Format.json:
        _print(match, seat)
    else:
        tell(*_listed(match, seat), stream=report_stream(match.path))


def _whose(match: Match, named: str | None) -> int:
    """Return whose orders are meant; exits with 2 if that is not known."""
    seat = own_seat(match.replay.holders) if named is None else seat_of(match.replay, named)
    if seat is None:
        unnamed(
            f"Whose orders? Name one of {', '.join(match.replay.holders)} with --as; "
            "'porto me NAME' says once who you are."
        )
    return seat


def _give(
    match: Match,
    seat: int,
    text: str,
    *,
    dry_run: bool,
    quiet: bool,
    output: Format,
    send: bool,
) -> None:
    """Explain an order, have it confirmed on a terminal, write it, and say what it led to."""
    # What cannot be given need not be explained.
    order = Match(match.replay).order(text, seat)
    meaning = explained(order, match.game, match.players) + replaced(match.replay, order, seat)
    is_next = seat in match.game.to_move(match.state)
    if is_next and order.choices and order.kind == orders_of(match.game).kind(match.state):
        meaning.append("It is your turn: what is possible now is done at once.")
    stream = report_stream(match.path)
    tells = not quiet and output is Format.text
    if tells:
        tell(*meaning, stream=stream)
    if tells and not dry_run and ask.can_ask():
        with ask.backing_out():
            if not ask.asker(match.game.meta.id).confirm("Give this order?"):
                tell("Nothing was written.", stream=stream)
                return
    match.order(text, seat)
    turns = [] if dry_run else move_bots(match)
    if not dry_run:
        save(match)
    if output is Format.json:
        if not quiet:
            _print(match, seat, **by_itself_json(match, turns))
    elif dry_run and not quiet:
        tell("Nothing was written: this was a dry run.", stream=stream)
    elif not quiet:
        tell(*bot_sentences(match, turns), *what_next(match), stream=stream)
        if not is_next and not send and str(match.path) != STANDARD:
            mail = f"porto mail {path_of(match.replay)}"
            tell(f"The others need this copy, so their programs know it: {mail}", stream=stream)
        tell(f"Fingerprint: {match.fingerprint}", stream=stream)


def _listed(match: Match, seat: int) -> list[str]:
    """Return the orders of a player that stand, and which one does not fit now."""
    standing = in_force(match.replay, seat)
    lines: list[str] = []
    for one in standing.values():
        lines.append(f"{one.order.text(match.players)}")
        lines += [f"   {line}" for line in explained(one.order, match.game, match.players)]
    if not lines:
        lines.append(f"{match.replay.holders[seat]} has no orders.")
    lines += not_fitting(match.replay, seat)
    path = FILE if match.path is None else str(match.path)
    kinds = possible_kinds(match.game, match.config)
    now = orders_of(match.game).kind(match.state) or kinds[0]
    example = f"porto order {path} {now} …"
    return [
        *lines,
        f"Decisions that can be ordered: {', '.join(kinds)}. To give an order: {example}",
    ]


def _print(match: Match, seat: int, **more: object) -> None:
    """Print a player's orders as a document."""
    from porto_cli.cli.output import write_json

    held = [
        {
            "order": one.order.text(match.players),
            "kind": one.order.kind,
            "scope": ALWAYS if one.order.always else ONCE,
            "choices": [choice.text(match.players) for choice in one.order.choices],
            "explained": [str(line) for line in explained(one.order, match.game, match.players)],
        }
        for one in in_force(match.replay, seat).values()
    ]
    found = document(
        game=match.game.meta.id,
        player=match.players[seat],
        orders=held,
        stopped=[str(line) for line in not_fitting(match.replay, seat)],
        to_move=match.to_move(),
        fingerprint=match.fingerprint,
        **more,
    )
    write_json(found, stream=report_stream(match.path))
