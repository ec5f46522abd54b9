"""Making moves: moves and undos are appended to a record, or only previewed.

Sealed games are played by :mod:`porto_cli.match.sealed_play`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from porto_cli.core.chance import Chance
from porto_cli.core.characters import FILE
from porto_cli.core.message import Violation, refuse
from porto_cli.game import OVER, UNDO, Event, Game, Move, State, Step
from porto_cli.match.replay import (
    Digester,
    IllegalMoveError,
    Replay,
    in_order,
    path_of,
    result_entries,
)
from porto_cli.match.seats import titled
from porto_cli.match.undo import check_whole_undo, last_standing, take_back


def play(
    replay: Replay,
    moves: Iterable[Move],
    seat: int,
    chance: Chance,
    *,
    remark: bool = False,
    mark: str = "",
) -> Replay:
    """Play one or more moves of a player, and append them, with one item for each turn.

    With ``remark`` the result of a move is added as a comment, which ``mark`` begins. Raises
    IllegalMoveError if a move is illegal, and what ``chance`` raises if it does not know what comes
    up; nothing has happened then.
    """
    rest = list(moves)
    while rest:
        replay = _play_item(replay, rest, seat, chance, remark=remark, mark=mark)
    return replay


def _play_item(
    replay: Replay, rest: list[Move], seat: int, chance: Chance, *, remark: bool, mark: str
) -> Replay:
    """Play the first moves, as many as fit in one item, and remove them from the list."""
    game, record, state = replay.game, replay.record, replay.state
    goes_on = goes_on_with(replay, seat, rest[0])
    key, verb = (goes_on and game.follow_up(state)) or (record.config.players[seat], "")
    moves: tuple[Move, ...] = ()
    events: tuple[Event, ...] = ()
    entries: list[tuple[str, str]] = []
    while rest and (not moves or game.continues(state, rest[0], seat)):
        move = rest[0]
        if moves:
            key, verb = game.follow_up(state) or (key, verb)
        violations = game.violations(state, move, seat)
        if violations:
            raise IllegalMoveError(violations)
        text = game.format_move(move, state)
        after, happened = game.apply(state, move, chance, seat)
        entries += [(key, text.removeprefix(f"{verb} ")), *game.chance_entries(state, happened)]
        moves += (rest.pop(0),)
        events += tuple(happened)
        state = after
    comment = game.remark(events, record.config) if remark else ""
    comment = "; ".join(filter(None, (mark, comment)))
    if goes_on:
        *steps, last = replay.steps
        record = record.with_more(entries, comment)
        steps.append(
            last._replace(
                after=state,
                moves=last.moves + moves,
                events=last.events + events,
                entries=(*last.entries, *entries),
            )
        )
    else:
        record = record.with_item(entries, comment)
        number = len(record.items) - 1
        new = Step(number, seat, replay.state, state, moves, events, tuple(entries))
        steps = [*replay.steps, new]
    if state.phase == OVER:
        written = in_order(steps, replay.declarations)
        record = record.with_item(result_entries(game, state, written, Digester(record)))
    return replay._replace(record=record, state=state, steps=tuple(steps))


def goes_on_with(replay: Replay, seat: int, move: Move) -> bool:
    """Return whether a move of this player belongs to the last item of the record.

    What other players may do while a turn waits for a decision is an item of its own.
    """
    last = replay.steps[-1] if replay.steps else None
    return (
        last is not None
        and last.seat == seat
        and last.takes_back is None
        and bool(last.moves)
        and not replay.game.is_secret(last.moves[-1])
        and last.item == len(replay.record.items) - 1
        and replay.game.follow_up(last.after) is not None
        and replay.game.continues(replay.state, move, seat)
    )


def sit(replay: Replay, text: str, seat: int) -> Replay:
    """Append an item of a seat that says who plays it from here on, like ``seat to Bea``.

    Raises InvalidMoveError, RefusedError.
    """
    from porto_cli.match.sitting import declared

    record, declarations, held = replay.record, replay.declarations, replay.seats[seat]
    number, place = len(record.items), len(replay.steps)
    one, state = declared(text, record, number, seat, replay.state, place, declarations)
    if held == one.seats[seat]._replace(turn=held.turn):
        refuse(f"That is so already: {held.plays(record.config.players[seat])}")
    record = record.with_item(one.entries)
    return replay._replace(record=record, declarations=(*declarations, one), state=state)


def undo(replay: Replay, seat: int) -> Replay:
    """Take back a player's last turn by appending an undo; before it, by one each, the turns that
    bots have made since. Raises IllegalMoveError.
    """
    violations = check_whole_undo(replay.record, replay.steps, seat, replay.declarations)
    if violations:
        raise IllegalMoveError(violations)
    while (place := last_standing(replay.steps)) >= 0 and (
        (mover := replay.steps[place].seat) in replay.bots_at(place)
    ):
        replay = undone(replay, mover)
    return undone(replay, seat)


def undone(replay: Replay, seat: int) -> Replay:
    """Append the undo of one item, which is legal."""
    record = replay.record.with_item([(replay.record.config.players[seat], UNDO)])
    steps = list(replay.steps)
    number, place = len(record.items) - 1, last_standing(steps)
    take_back(place, number, seat, steps, record, replay.declarations)
    return replay._replace(record=record, state=steps[-1].after, steps=tuple(steps))


def taken_back_last(replay: Replay) -> Step | None:
    """Return the turn that was taken back last and not made again; ``None`` after another move."""
    taken_back: list[Step] = []
    for step in replay.steps:
        if step.takes_back is not None:
            taken_back.append(replay.steps[step.takes_back])
        elif taken_back and taken_back[-1].entries == step.entries:
            taken_back.pop()
        else:
            taken_back.clear()
    return taken_back[-1] if taken_back else None


class Preview(NamedTuple):
    """What moves would lead to.

    ``events``     what would happen, without what nobody at the table can foresee
    ``phase``      the phase afterwards; ``None`` where something unknown decides
    ``to_move``    the players who would be to move; ``None`` as above
    ``certain``    nothing would come up, so that only secrets are left out
    """

    events: tuple[Event, ...]
    phase: str | None
    to_move: tuple[str, ...] | None
    certain: bool


def preview(game: Game, state: State, moves: Iterable[Move], seat: int) -> Preview:
    """Return what moves of a seat would lead to, as far as everybody at the table can know it.

    Raises IllegalMoveError for an illegal move, and for one that comes after something unknown.
    """
    asked: list[str] = []

    def any_will_do(stream: str, index: int, pile: bytes, /) -> int:
        asked.append(stream)
        return 0

    events: list[Event] = []
    unknown: Violation | None = None
    for move in moves:
        violations = [unknown] if unknown else game.violations(state, move, seat)
        if violations:
            raise IllegalMoveError(violations)
        state, happened = game.apply(state, move, any_will_do, seat)
        for event in happened:
            unknown = unknown or game.stops_foresight(event)
            if not unknown and not game.is_hidden(event):
                events.append(event)
    players = state.config.players
    return Preview(
        tuple(events),
        phase=None if unknown else state.phase,
        to_move=None if unknown else tuple(players[other] for other in game.to_move(state)),
        certain=not asked,
    )


def due(replay: Replay) -> int | None:
    """Return the seat of a bot that can move now; ``None`` if there is none.

    A bot makes a secret choice as soon as it can, whoever's turn it is.
    """
    bots, game, state = replay.bots, replay.game, replay.state
    able = (*game.secret_movers(state), *game.to_move(state)) if bots else ()
    return next((seat for seat in able if seat in bots), None)


def turn_of_a_bot(replay: Replay, file: str | None = None) -> list[str]:
    """Return a sentence if it is the turn of a bot, with the command that makes it move.

    That happens only in a record that was stopped or edited. ``file`` is the name of the record in
    commands, if not as it was read.
    """
    bots = replay.bots
    waiting = [seat for seat in replay.game.to_move(replay.state) if seat in bots]
    if not waiting:
        return []
    player = titled(replay.config.players[waiting[0]], bots[waiting[0]])
    path = path_of(replay, file)
    if path == FILE:
        return [f"It is the turn of {player}, who moves on its own before the next move."]
    return [
        f"It is the turn of {player}, who moves on its own with the next move, or with: porto play "
        f"{path}"
    ]


def who_are_bots(replay: Replay) -> list[str]:
    """Return a sentence with the bots, and who else plays for a player; nothing if nobody does."""
    changed: dict[str, str] = {}
    if replay.has_sittings:
        from porto_cli.match.sitting import who_sits

        changed = who_sits(replay.record, replay.declarations)
    bots = (one for one in replay.record.seats if one.bot and one.name not in changed)
    names = ", ".join(titled(one.name, one.bot) for one in bots)
    return [*([f"Played by the program: {names}."] if names else []), *changed.values()]
