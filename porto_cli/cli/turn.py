"""The commands that play: keep, draw, build, contract, pass, undo."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from porto_cli.api import Match
from porto_cli.chance import NothingTypedError, NotInPileError, TypedChance
from porto_cli.cli import ask, complete
from porto_cli.cli.common import AsPlayer, Format, RecordFile, open_match, refuse, seat_of, usage
from porto_cli.files import STANDARD
from porto_cli.happenings import as_dict, sentences
from porto_cli.notation import PUBLIC_NAMES, card_names, parse_card, parse_public
from porto_cli.replay import IllegalMoveError
from porto_cli.rules.components import CARDS
from porto_cli.rules.events import Ended, Event, Refilled, Scored, TimerTurned
from porto_cli.rules.legality import may_keep
from porto_cli.rules.moves import Move
from porto_cli.rules.sentence import say
from porto_cli.rules.state import KEEP
from porto_cli.suggest import suggestions
from porto_cli.view.next_step import what_next

DryRun = Annotated[
    bool, typer.Option("--dry-run", "-n", help="Say what would happen, write nothing.")
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing if all is well.")]
AsFormat = Annotated[
    Format, typer.Option("--format", help="Print sentences, or the events as JSON.")
]
Expect = Annotated[
    str | None,
    typer.Option(
        metavar="FINGERPRINT",
        help="Refuse any other version of the record.",
        show_default=False,
        autocompletion=complete.fingerprint,
    ),
]
Refill = Annotated[
    list[str] | None,
    typer.Option(
        metavar="CARDS",
        help="Real table: the construction cards that came up, lowest empty space first.",
        show_default=False,
        autocompletion=complete.face_down_cards,
    ),
]
RefillContracts = Annotated[
    list[str] | None,
    typer.Option(
        metavar="CONTRACTS",
        help="Real table: the public contracts that came up, lowest empty space first.",
        show_default=False,
        autocompletion=complete.face_down_contracts,
    ),
]
Timer = Annotated[
    list[str] | None,
    typer.Option(
        metavar="CARDS",
        help="Real table, solo game: the two timer cards that were turned up.",
        show_default=False,
        autocompletion=complete.face_down_cards,
    ),
]

_FLAGS = {"cards": "--refill", "contracts": "--refill-contracts", "timer": "--timer"}


def keep(
    file: RecordFile,
    contracts: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="CONTRACT…",
            help="Three of your five private contracts: their numbers in 'porto show', or names.",
            show_default=False,
            autocompletion=complete.private_contracts,
        ),
    ] = None,
    player: AsPlayer = None,
    dry_run: DryRun = False,
    quiet: Quiet = False,
    output: AsFormat = Format.text,
    expect: Expect = None,
) -> None:
    """Keep three of the five private contracts that you were dealt.

    Any time before your own first turn, so a game by mail needs no extra round. On a real table
    name the three at the end of the game, to reveal them.
    """
    match = open_match(file, expect)
    if player is None and match.state.phase != KEEP:
        able = [name for seat, name in enumerate(match.players) if may_keep(match.state, seat)]
        if len(able) == 1:
            player = able[0]
        elif able:
            player = ask.who_keeps(able)
    move = _move("keep", contracts) or ask.keep(match, _seat(match, player))
    _play(match, [move], player, None, dry_run, quiet, output)


def draw(
    file: RecordFile,
    cards: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="CARD…",
            help="One to three face-up cards with a total value of at most 3, like: blue-1 red-2.",
            show_default=False,
            autocompletion=complete.face_up_cards,
        ),
    ] = None,
    player: AsPlayer = None,
    dry_run: DryRun = False,
    quiet: Quiet = False,
    output: AsFormat = Format.text,
    expect: Expect = None,
    refill: Refill = None,
    refill_contracts: RefillContracts = None,
    timer: Timer = None,
) -> None:
    """Take face-up construction cards.

    blue-1@4 takes the one in space 4 where equal cards lie open.
    """
    match = open_match(file, expect)
    came_up = _typed(match, refill, refill_contracts, timer)
    move = _move("draw", cards) or ask.draw(match, _seat(match, player))
    _play(match, [move], player, came_up, dry_run, quiet, output)


def build(
    file: RecordFile,
    number: Annotated[
        str | None,
        typer.Argument(
            metavar="NUMBER-CARD",
            help="The card that says how many floors, like red-3.",
            show_default=False,
            autocompletion=complete.number_cards,
        ),
    ] = None,
    color: Annotated[
        str | None,
        typer.Argument(
            metavar="COLOR-CARD",
            help="The card that says in which color, like blue-1.",
            show_default=False,
            autocompletion=complete.color_cards,
        ),
    ] = None,
    house: Annotated[
        str | None,
        typer.Argument(
            metavar="HOUSE",
            help="The house, like L4.",
            show_default=False,
            autocompletion=complete.houses,
        ),
    ] = None,
    token: Annotated[
        str | None,
        typer.Option(
            metavar="HOUSE",
            help="The house whose empty roof gets the token of the ground floor.",
            show_default=False,
            autocompletion=complete.roofs,
        ),
    ] = None,
    contract: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CONTRACT",
            help="A public contract to fulfill with this build, or none. Can be repeated.",
            show_default=False,
            autocompletion=complete.contracts_of_build,
        ),
    ] = None,
    player: AsPlayer = None,
    dry_run: DryRun = False,
    quiet: Quiet = False,
    output: AsFormat = Format.text,
    expect: Expect = None,
    refill: Refill = None,
    refill_contracts: RefillContracts = None,
    timer: Timer = None,
) -> None:
    """Build floors with two cards of your hand, or with the two timer cards of a solo game."""
    match = open_match(file, expect)
    came_up = _typed(match, refill, refill_contracts, timer)
    parts = ask.Parts(number, color, house, token)
    claim = _move("contract", contract)
    moves = ask.build(match, _seat(match, player), parts, claim=not claim and not dry_run)
    _play(match, [*moves, claim] if claim else moves, player, came_up, dry_run, quiet, output)


def contract(
    file: RecordFile,
    contracts: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="CONTRACT…",
            help="Public contracts that the build meets, like blue+red, or their spaces; or none.",
            show_default=False,
            autocompletion=complete.contracts,
        ),
    ] = None,
    player: AsPlayer = None,
    dry_run: DryRun = False,
    quiet: Quiet = False,
    output: AsFormat = Format.text,
    expect: Expect = None,
    refill: Refill = None,
    refill_contracts: RefillContracts = None,
    timer: Timer = None,
) -> None:
    """Fulfil public contracts after building, or say that you fulfill none."""
    match = open_match(file, expect)
    came_up = _typed(match, refill, refill_contracts, timer)
    move = _move("contract", contracts) or ask.contract(match, _seat(match, player))
    _play(match, [move], player, came_up, dry_run, quiet, output)


def pass_(
    file: RecordFile,
    player: AsPlayer = None,
    dry_run: DryRun = False,
    quiet: Quiet = False,
    output: AsFormat = Format.text,
    expect: Expect = None,
    refill: Refill = None,
    refill_contracts: RefillContracts = None,
    timer: Timer = None,
) -> None:
    """Pass, which is allowed only if you can neither draw nor build."""
    match = open_match(file, expect)
    came_up = _typed(match, refill, refill_contracts, timer)
    _play(match, ["pass"], player, came_up, dry_run, quiet, output)


def undo(
    file: RecordFile,
    player: AsPlayer = None,
    dry_run: DryRun = False,
    quiet: Quiet = False,
    output: AsFormat = Format.text,
    expect: Expect = None,
) -> None:
    """Take back your last turn, as long as nobody else has moved.

    The record keeps both the turn and the undo.
    """
    match = open_match(file, expect)
    if player is not None:
        player = match.players[seat_of(match.replay, player)]
    try:
        match.undo(player)
    except IllegalMoveError as error:
        refuse(*error.violations)
    last = match.replay.steps[-1]
    taken = match.replay.steps[last.takes_back or 0]
    text = "; ".join(value for _, value in taken.entries[:1])
    line = say("{player} takes back: {move}.", player=match.players[last.seat], move=text)
    _finish(match, [str(line)], [], ["undo"], dry_run, quiet, output)


def _move(verb: str, words: list[str] | None) -> str:
    """Return a move in the notation, or nothing if its words are missing."""
    return " ".join([verb, *_words(words)]) if words else ""


def _seat(match: Match, name: str | None) -> int:
    return match.state.seat if name is None else seat_of(match.replay, name)


def _words(texts: list[str]) -> list[str]:
    return [word for text in texts for word in text.replace(",", " ").split()]


def _typed(
    match: Match,
    refill: list[str] | None,
    refill_contracts: list[str] | None,
    timer: list[str] | None,
) -> TypedChance | None:
    """Return what came up on a real table. Raises InvalidMoveError."""
    if not (refill or refill_contracts or timer):
        return None
    if match.record.seed:
        usage(
            say(
                "In this game the seed decides what comes up; --refill, --refill-contracts and "
                "--timer are for games with 'secrecy: table'."
            )
        )
    return TypedChance(
        cards=bytes(parse_card(word) for word in _words(refill or [])),
        contracts=bytes(parse_public(word) for word in _words(refill_contracts or [])),
        timer=bytes(parse_card(word) for word in _words(timer or [])),
    )


def _play(
    match: Match,
    texts: list[str],
    name: str | None,
    came_up: TypedChance | None,
    dry_run: bool,
    quiet: bool,
    output: Format,
) -> None:
    """Play moves, write the record, then say what happened."""
    seat = _seat(match, name)
    player = match.players[seat]
    moves = [match.move(text, player) for text in texts]
    state = match.state
    said = {stream: bytes(things) for stream, things in came_up.left.items()} if came_up else {}
    try:
        if dry_run:
            events = _before_chance(match.preview(*moves, player=player))
        else:
            came_up = ask.coming_up(match, came_up)
            with ask.backing_out():
                events = match.play(*moves, player=player, came_up=came_up)
    except IllegalMoveError as error:
        legal = [match.text(move) for move in suggestions(state, moves[0], seat)]
        hint = (
            [say("Legal would be, for example: {moves}", moves="; ".join(legal))] if legal else []
        )
        refuse(*error.violations, *hint)
    except NothingTypedError:
        _say_what_is_awaited(match, moves, player, TypedChance(**said))
    except NotInPileError as error:
        things = PUBLIC_NAMES if error.stream == "contracts" else CARDS
        usage(
            say(
                "{thing} cannot have come up: every one of it lies open, is in a hand or has been "
                "played.",
                thing=things[error.thing],
            )
        )
    if came_up and not dry_run:
        _refuse_surplus(came_up)
    lines = [str(line) for line in sentences(events, match.record.game)]
    _finish(match, lines, events, texts, dry_run, quiet, output)


def _before_chance(events: list[Event]) -> list[Event]:
    """Leave out what a preview must not show: what came up, and what others keep secret."""
    shown: list[Event] = []
    for event in events:
        if isinstance(event, TimerTurned | Ended):
            break
        if isinstance(event, Scored) and event.reason.startswith("private:"):
            break
        if not isinstance(event, Refilled):
            shown.append(event)
    return shown


def _say_what_is_awaited(match: Match, moves: list[Move], player: str, said: TypedChance) -> None:
    awaited = match.awaited(*moves, player=player, came_up=said)
    usage(
        say(
            "This game is played with real cards: play the move on the table, then say what came "
            "up, with {flags}.",
            flags=" and ".join(f"{_FLAGS[stream]} ({count})" for stream, count in awaited.items()),
        )
    )


def _refuse_surplus(came_up: TypedChance) -> None:
    for stream, left in came_up.left.items():
        if left:
            names = (
                [PUBLIC_NAMES[thing] for thing in left]
                if stream == "contracts"
                else card_names(left)
            )
            usage(
                say(
                    "{flag} names more than comes up: {surplus} has no space.",
                    flag=_FLAGS[stream],
                    surplus=" ".join(names),
                )
            )


def _finish(
    match: Match,
    lines: list[str],
    events: list[Event],
    moves: list[str],
    dry_run: bool,
    quiet: bool,
    output: Format,
) -> None:
    """Write the record first, so that no failure to print can lose a move; then report."""
    to_stdout = str(match.path) == STANDARD
    if not dry_run:
        if to_stdout:
            sys.stdout.write(match.record.text)
        else:
            for notice in match.save():
                print(notice, file=sys.stderr)
    if quiet:
        return
    report = sys.stderr if to_stdout else sys.stdout
    if output == Format.json:
        import json

        facts = {
            "porto": 1,
            "moves": moves,
            "dry_run": dry_run,
            "events": [as_dict(event, match.record.game) for event in events],
            "phase": match.state.phase,
            "to_move": match.to_move(),
            "fingerprint": match.fingerprint,
        }
        print(json.dumps(facts, ensure_ascii=False), file=report)
        return
    for line in lines:
        print(line, file=report)
    if dry_run:
        print(say("Nothing was written: this was a dry run."), file=report)
        return
    print(what_next(match.replay), file=report)
    print(say("Fingerprint: {fingerprint}", fingerprint=match.fingerprint), file=report)
