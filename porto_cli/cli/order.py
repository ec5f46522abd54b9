"""The command by which players order moves ahead: ``porto order``."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from porto_cli.cli import parameters
from porto_cli.cli.common import only_player, open_match, report_stream, seat_of
from porto_cli.cli.ending import declare, manner_of, show_declared
from porto_cli.cli.parameters import AsPlayer, DryRun, Format, FormatOption, Quiet, RecordFile, Send
from porto_cli.core.message import FILE, shown, unnamed, usage
from porto_cli.match.match import Match
from porto_cli.match.ordered import demand_orders, in_force, not_fitting, replaced
from porto_cli.match.orders import ALWAYS, ONCE, ORDER, Order, explained, orders_of, possible_kinds
from porto_cli.match.replay import path_of
from porto_cli.next_step import seat_of_user
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
            autocompletion=parameters.offer_words_of_an_order,
        ),
    ] = None,
    player: AsPlayer = None,
    dry_run: DryRun = False,
    send: Send = False,
    quiet: Quiet = False,
    output: FormatOption = Format.text,
) -> None:
    """Order moves ahead, so that the game does not have to wait for you.

    Whoever's program makes the move before yours carries your order out. Where it does not fit, the
    game waits for you. Only you are shown your orders, but they are in the record.
    """
    manner = manner_of(ORDER, file, dry_run=dry_run, quiet=quiet, output=output, send=send)
    match = open_match(file)
    demand_orders(match)
    text = " ".join(words or ())
    if text.lower() in orders_of(match.game).kinds:
        _explain(match, text.lower(), output)
        return
    seat = _whose(match, only_player(match) if player is None else player)
    fields = partial(_orders, seat=seat)
    if not text:
        show_declared(match, _listed(match, seat), fields, output)
        return
    after = match.replay
    order = after.order(text, seat)
    meaning = explained(order, match.game, match.players) + replaced(match, order, seat)
    is_next = seat in match.game.to_move(match.state)
    if is_next and order.choices and order.kind == orders_of(match.game).kind(match.state):
        meaning.append("It is your turn: what is possible now is done at once.")
    declare(
        match,
        after,
        meaning,
        fields,
        manner,
        writer=seat,
        is_for_later=is_next,
        question="Give this order?",
    )


def _explain(match: Match, kind: str, output: Format) -> None:
    """Say what an order for a kind of decision can say; exits with 2 for a document."""
    from porto_cli.cli.ahead import what_can_be_said

    if output is Format.json:
        usage(
            f"What an order for {shown(kind)} can say is only printed as sentences.",
            suggestions=[f"porto order {path_of(match)} {kind}"],
        )
    tell(*what_can_be_said(match, kind), stream=report_stream(match.path))


def _whose(match: Match, named: str | None) -> int:
    """Return whose orders are meant; exits with 2 if that is not known."""
    seat = seat_of_user(match) if named is None else seat_of(match, named)
    if seat is None:
        unnamed(
            f"Whose orders? Name one of {', '.join(match.holders)} with --as; "
            "'porto me NAME' says once who you are."
        )
    return seat


def _listed(match: Match, seat: int) -> list[str]:
    """Return the orders of a player that stand, and which one does not fit now."""
    lines: list[str] = []
    for one in in_force(match, seat).values():
        meaning = explained(one, match.game, match.players)
        lines += [one.text, *(f"   {line}" for line in meaning)]
    path = FILE if match.path is None else str(match.path)
    kinds = possible_kinds(match.game, match.config)
    now = orders_of(match.game).kind(match.state) or kinds[0]
    return [
        *(lines or [f"{match.holders[seat]} has no orders."]),
        *not_fitting(match, seat),
        f"Decisions that can be ordered: {', '.join(kinds)}. To give an order: porto order {path} "
        f"{now} …",
    ]


def _orders(match: Match, seat: int) -> dict[str, object]:
    """Return the orders of a player as fields of a document."""
    held = [
        {
            "order": one.text,
            **_part(one),
            "scope": ALWAYS if one.always else ONCE,
            "explained": explained(one, match.game, match.players),
            **({"then": [*map(_part, one.then.parts)]} if one.then else {}),
        }
        for one in in_force(match, seat).values()
    ]
    stopped = not_fitting(match, seat)
    return {"player": match.players[seat], "orders": held, "stopped": stopped}


def _part(order: Order) -> dict[str, object]:
    """Return a part of an order for a document."""
    return {"kind": order.kind, "choices": [choice.text for choice in order.choices]}
