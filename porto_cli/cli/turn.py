"""The commands that make moves, for all games.

The words after the record are those of the game's notation.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any, NoReturn

import typer

from porto_cli.cli import (
    AsPlayer,
    DryRun,
    Format,
    FormatOption,
    Quiet,
    RecordFile,
    Say,
    Send,
    ask,
    opt,
    typed_options,
    typed_with,
    typed_words,
)
from porto_cli.cli.commands import MOVE
from porto_cli.cli.common import (
    next_sentences,
    open_match,
    refuse_to_move_for,
    taken_back_of_bots,
    undone_bot_turns,
    what_happened,
)
from porto_cli.cli.completion import of_record
from porto_cli.cli.ending import Manner, checked, end
from porto_cli.core import (
    InvalidMoveError,
    PlayerNotNamedError,
    PortoError,
    RefusedError,
    UnknownNameError,
    WrongUsageError,
    cited,
    enumerated,
    nearest,
    refuse,
    usage,
)
from porto_cli.core.chance import NothingTypedError, NotInPileError, TypedChance
from porto_cli.core.shell import FILE, command
from porto_cli.core.shell import option as option_of
from porto_cli.games import BOX, GAMES, commands_of, game_of
from porto_cli.match import with_player
from porto_cli.match.items import SEAT, IllegalMoveError, Preview
from porto_cli.match.match import Match
from porto_cli.match.record import SUFFIXES, TABLE, meant, only_record
from porto_cli.match.replay import last_mover, path_of, turn_of_a_bot
from porto_cli.match.seats import BotTurn
from porto_cli.next_step import commands, move_bots
from porto_cli.seam import UNDO, Command, CommandOption, Event, Move, Step
from porto_cli.term import remark
from porto_cli.user import me, only_seat, seat_user_left, whose_move
from porto_cli.words import Option, split_words

if TYPE_CHECKING:
    from porto_cli.term.prompt import Asker


def move(
    ctx: typer.Context,
    file: RecordFile,
    player: AsPlayer = None,
    dry_run: DryRun = False,
    say_words: Say = None,
    send: Send = False,
    quiet: Quiet = False,
    output: FormatOption = Format.text,
    expect: str | None = opt(
        None,
        "FINGERPRINT",
        "Refuse the record unless its fingerprint begins with these 8 to 64 digits.",
        autocompletion=of_record(lambda match, ctx: [match.fingerprint]),
    ),
) -> None:
    """Make any move, written as 'porto moves' and a record have it.

    This is one command for all verbs: porto move friday.yaml "draw blue-1 red-2" is the same as
    porto draw friday.yaml blue-1 red-2. Programs pass on what 'porto moves --format json' has as
    "move". The quotation marks can be left out. Names can be cut short in each of their parts while
    it is clear which one is meant: b1 is blue-1, small-m is small-market.

    Examples:
      porto move friday.yaml 'draw blue-1 red-2'
    """
    # This function is the command for all verbs, whose help comes from their games.
    verb, words = str(ctx.info_name), typed_words(ctx)
    _demand_a_record(verb, file, words, player)
    if verb == MOVE:
        verb, *words = split_words(words) or [""]
        verb = verb.lower()
    manner = checked(Manner(dry_run, quiet, output, send, say_words), verb, file)
    match = open_match(file, expect).known
    words = _words_after(verb, words, match, player)
    typed = typed_options(ctx, match.game.meta.id, verb)
    seat = _seat_to_move(match, [verb, *words], player)
    # Who types a move twice makes it for the next player. Documents name nobody's turn.
    is_open = seat is None and output is Format.text
    whose = match.holders[match.state.seat] if is_open else ""
    # Suggested moves would lack the typed options about a real table.
    like = [] if typed and match.record.secrecy == TABLE else [verb, *words]
    is_assumed = player is None and only_seat(match) is None
    with _explaining(match, like, seat, whose, is_assumed=is_assumed):
        if verb == UNDO:
            _undo(match, seat, manner, player)
            return
        first = move_bots(match) if match.bots and not dry_run else []
        table = _OnTheTable(match, commands_of(match.game.meta.id).verbs[verb].options, typed)
        names = {option.name for option in table.options}
        others = {name: value for name, value in typed.items() if name not in names}
        whom = partial(ask.asker, match.game.meta.id) if ask.can_ask() else None
        with ask.backing_out():
            mover, texts = match.game.words.read_command(
                Command(
                    state=match.state,
                    path=path_of(match),
                    verb=verb,
                    words=words,
                    options=others,
                    seat=seat,
                    asker=whom,
                    choose=partial(_choose, match, seat),
                    dry_run=dry_run,
                    proposed=partial(_typed, match, match.state.seat if seat is None else seat),
                )
            )
        _play(match, texts, mover, table, manner, first)


def _choose(match: Match, seat: int | None, asker: Asker, moves: Sequence[Option]) -> list[str]:
    """Ask for one of some moves, below the table as a seat may see it. A command with a complete
    move does not load the prompts.
    """
    from porto_cli.asking import ask
    from porto_cli.pages import above

    table = above(match, seat, match.state.seat)
    asker.put_above(table)
    if not asker.plain:
        # Without a stage nothing stays above a question: it is printed once.
        rows = get_terminal_size().lines * 2 // 3
        asker.show(lambda screen: table.lines(screen, rows))
    return ask(asker, moves)


def _typed(match: Match, mover: int, moves: Iterable[str]) -> list[str]:
    """Return the commands that make these moves of a seat."""
    return commands(match, [match.move(text, mover) for text in moves], mover)


def _seat_to_move(match: Match, words: Sequence[str], player: str | None) -> int | None:
    """Return the seat that a move is for, see :func:`whose_move`; one that no person plays is
    refused. Raises UnknownNameError.
    """
    try:
        seat = whose_move(match, player)
    except UnknownNameError as error:
        if works := _like(match, words, match.state.seat)[:1]:
            usage(*error.sentences, suggestions=works)
        raise
    if seat in match.people:
        return seat
    if seat is not None and player is not None:
        refuse_to_move_for(match, seat)
    # A user who has left the seat moves only with --as.
    _refuse_who_has_left(match)
    return None


def _refuse_who_has_left(match: Match) -> None:
    """Refuse a move if the user has left their seat: it would be made for somebody else (exit code
    1).
    """
    seat = seat_user_left(match)
    if seat is None:
        return
    sentences = [f"You have left this game; to come back: porto {SEAT}{path_of(match)} --back"]
    for other in match.people_to_move[:1]:
        player = match.holders[other]
        sentences.append(f"To move for {player}, add: {option_of('--as', player)}")
    refuse(*sentences)


def _like(match: Match, words: Sequence[str], mover: int) -> list[str]:
    """Return commands for a few legal moves of a seat most like the typed one; none for an undo, or
    if nothing is legal.
    """
    if words[:1] in ([], [UNDO]) or match.over:
        return []
    return _typed(match, mover, match.game.words.nearest(match.state, " ".join(words), mover))


@contextmanager
def _explaining(
    match: Match, words: Sequence[str], seat: int | None, whose: str, *, is_assumed: bool
) -> Iterator[None]:
    """If a move is refused, add other possible reasons: that a bot has to move first, in a record
    that was stopped or edited; and as whom the settings let the user move, if the seat
    ``is_assumed`` from them. Of the names that a word
    can mean those in legal moves are proposed, or it is said why the one that is meant cannot be
    made. If the error suggests nothing, examples are the moves meant by these words; if there are
    none, what is next is added. Before examples of what is legal comes ``whose`` turn it is, unless
    they only mend a word or a ruling says what this player has to do.
    """
    last = [*map(str, turn_of_a_bot(match, when_read=True))] if match.bots else []
    try:
        yield
    except (RefusedError, WrongUsageError, InvalidMoveError) as error:
        mover = match.state.seat if seat is None else seat
        if is_assumed:
            last += _by_the_settings(match, words, seat, error)
        # A command that was called wrongly says all that would be right.
        is_usage, reasons = type(error) is WrongUsageError, list[str]()
        if isinstance(error, InvalidMoveError):
            error, reasons = _put_right(match, words, mover, error)
        proposed, last = error.suggestions, [*last, *reasons]
        if isinstance(error, WrongUsageError):
            proposed = proposed or tuple(_like(match, words, mover))
        if not (proposed or is_usage):
            # A ruling has already said that a game is over.
            turn = f"It is {match.holders[match.state.seat]}'s turn"
            said = f"{turn}. " if any(turn in str(reason) for reason in error.rulings) else ""
            following = next_sentences(match)[-1 if match.over and error.rulings else 0 :]
            last += [line.removeprefix(said) for line in following]
        names = any(f": {whose} " in reason for reason in [*map(str, error.rulings), *reasons])
        is_other = words and not any(words[0] in line.split() for line in proposed)
        is_told = whose and proposed and not names and (error.rulings or is_other)
        first = [f"It is {whose}'s turn."] if is_told else []
        raise error.with_more(proposed, first, last) from None


def _put_right(
    match: Match, words: Sequence[str], mover: int, error: InvalidMoveError
) -> tuple[WrongUsageError, list[str]]:
    """Return the error for a move that cannot be read, with commands for the moves that a wrong
    word can mean; if none of them is legal, also the reasons for that. Before it comes why no move
    of this kind can be made now, and then no other advice.
    """
    if not_now := match.game.words.not_now(match.state, words[0], mover) if words else ():
        wrong, advice, _ = error.sentences[0].partition("; ")
        return WrongUsageError((*not_now, wrong + "." * bool(advice), *error.sentences[1:])), []
    near = _as_meant(match, words, mover, error)
    lines = [*dict.fromkeys(filter(None, near.values()))]
    if error.names and not error.word:
        # What is wrong is not a word: the name is that of the whole move.
        return WrongUsageError(error.sentences, _like(match, error.names[0].split(), mover)), []
    if len(error.matching) > 1:
        none = f"Right now none of these is possible: {enumerated(error.matching)}."
        meant = type(error)(error.sentence, tuple(near), error.word)
        return WrongUsageError(meant.sentences, lines), [] if near else [none]
    if why_not := _why_not(match, words, mover, error) if error.meant and not near else []:
        return WrongUsageError(error.sentences, [f"porto moves {path_of(match)}"]), why_not
    # What would be right is all that helps if nothing is known of the name meant.
    told = error.sentences if near else (error.sentence, *error.sentences[1:])
    return WrongUsageError(told, lines), []


def _as_meant(
    match: Match, words: Sequence[str], mover: int, error: InvalidMoveError
) -> dict[str, str]:
    """Return the names that a wrong word can mean and that are in a legal move like the typed one,
    each with the command for it. Without ``words``, as what came up on a real table may be any
    card, these are all of its names, with what was typed.
    """
    if not words:
        return {name: "".join(typed_with(name, error.word)) for name in error.meant}
    near = dict[str, str]()
    for name in error.meant:
        for line in _like(match, _with_name(name, words, error), mover)[:1]:
            near |= {name: line} if {words[0], name} <= {*line.split()} else {}
    return near


def _with_name(name: str, words: Sequence[str], error: InvalidMoveError) -> list[str]:
    """Return the words of a move with this name for the wrong one."""
    wrong = error.word.lower()
    # The word of an option comes last.
    typed = words if wrong in map(str.lower, words) else [*words, wrong]
    return [name if word.lower() == wrong else word for word in typed]


def _why_not(match: Match, words: Sequence[str], mover: int, error: InvalidMoveError) -> list[str]:
    """Return why the move that is meant is not legal; nothing if it is no whole move."""
    with suppress(InvalidMoveError):
        right = " ".join(_with_name(error.meant[0], words, error))
        return [str(broken) for broken in match.check(right, match.players[mover])]
    return []


def _by_the_settings(
    match: Match, words: Sequence[str], seat: int | None, error: PortoError
) -> list[str]:
    """Say as whom the settings let the user move, if that is no player of this game or not the one
    to move (for an undo, the last mover), and how to move for the right one.
    """
    user = me()
    if isinstance(error, PlayerNotNamedError) and user.names:
        names = f"you are {' or '.join(user.names)}; no player has that name"
        return [f"According to {user.source}, {names}, or more than one may be meant."]
    movers = [last_mover(match)] if words[:1] == [UNDO] else match.people_to_move
    other = next(iter(movers), None)
    if seat is None or other is None or seat in movers:
        return []
    name = match.holders[other]
    return [
        f"According to {user.source}, you are {match.holders[seat]}. To do it for {name} on "
        f"purpose, add: {option_of('--as', name)}"
    ]


def _demand_a_record(verb: str, file: Path, words: Sequence[str], player: str | None) -> None:
    """Exit with 2 if the words of a move come where the record should be."""
    word = str(file)
    is_there = os.path.exists(word) or meant(file) != file
    first = word.partition(" ")[0] if verb == MOVE else word
    if is_there or not (word.isdigit() or _is_a_word(first, verb)):
        return
    move = [word, *words] if word != verb else list(words)
    named = next((one for one in move if os.path.isfile(meant(Path(one)))), None)
    move = [one for one in move if one != named]
    usage(
        "The record is missing: its file comes first, then the move.",
        suggestions=[command(" ".join([verb, *move]), named or only_record() or FILE, player)],
    )


def _is_a_word(word: str, verb: str) -> bool:
    """Return whether a word can belong to a move with this verb: in a game of the box that has the
    verb, or if there is none in any other game that has it.
    """
    games = [game for game in BOX if verb in (MOVE, *BOX[game].verbs)] or [
        game for game, meta in GAMES.items() if verb in meta.verbs
    ]
    return any(word in GAMES[game].verbs or game_of(game).words.is_a_word(word) for game in games)


def _words_after(verb: str, words: Sequence[str], match: Match, player: str | None) -> list[str]:
    """Return the words of a move after its verb. Exits with 2 if this game has no such verb, naming
    the one that is probably meant; and if the words begin another move.
    """
    meta, path, own = match.game.meta, path_of(match), commands_of(match.game.meta.id)
    if verb not in meta.verbs or words[:1] == ["porto"]:
        _refuse_pasted(words if verb in meta.verbs else [verb, *words], match, player)
    if verb not in meta.verbs:
        language, state = match.game.words, match.state
        near, whole = nearest(verb, (*own.synonyms, *meta.verbs, *language.names)), ""
        if near in language.names:
            # A move may be whole but for its verb.
            whole = language.with_verb(state, state.seat, " ".join([near, *words]))
        near = own.synonyms.get(near, near if near in meta.verbs else "")
        right = whole or " ".join([near, *words])
        what = f"{cited(verb)} is not one of its moves" if verb else "the move is missing"
        is_readable = all(word.isdigit() or language.is_a_word(word) for word in words)
        again = [command(right, path, player)] if whole or (near and words and is_readable) else []
        usage(
            f"This is a game of {meta.title}; {what}. Its moves are: "
            f"{', '.join(match.game.words.verbs(match.state))}.",
            *([f"Did you mean {whole or near}?"] if whole or near else []),
            suggestions=[*again, f"porto moves {path}"],
        )
    words = match.game.words.joined(split_words(words))
    first = words[0].lower() if words else ""
    if first == verb:
        words = words[1:]
    elif first in meta.verbs:
        _refuse_pasted([verb, *words], match, player)
    if words and not own.verbs[verb].words:
        usage(
            f"After 'porto {verb} FILE' nothing else is expected, but got "
            f"{cited(' '.join(words))}.",
            suggestions=[command(verb, path, player)],
        )
    return words


def _refuse_pasted(words: Sequence[str], match: Match, player: str | None) -> None:
    """Refuse a whole command, or a line of a mail, if there is a move in it (exit code 2)."""
    verbs = commands_of(match.game.meta.id).verbs
    indexes = [index for index, word in enumerate(words) if index and word.lower() in verbs]
    if indexes:
        verb, *rest = words[indexes[0] :]
        move = [verb.lower(), *(word for word in rest if not word.endswith(SUFFIXES))]
        before = cited(" ".join(words[: indexes[0]]))
        name = words[indexes[0] - 1]
        seat, _ = with_player(match.holders, name)
        if player is None and seat is not None:
            player = match.holders[seat]
        is_whole = len(move) > 1 or not verbs[move[0]].words
        right = [] if is_whole else _like(match, move, match.state.seat)
        # These may be other moves, because this one cannot be made now.
        why = match.game.words.not_now(match.state, move[0], match.state.seat) if right else ()
        usage(
            f"The move begins with {move[0]}; leave out {before}.",
            *map(str, why),
            suggestions=right or [command(" ".join(move), path_of(match), player)],
        )


def _undo(match: Match, seat: int | None, manner: Manner, named: str | None) -> None:
    """Take back a turn, and report it; ``named`` is the player that was typed."""
    secrets = match.game.secrets
    if seat is None and secrets and match.takes_back_a_secret():
        people = [match.holders[person] for person in match.people]
        seat = match.seat(ask.who(match, UNDO, people, secrets.whose(people)))
    before = match.replay
    match.undo(seat, dry_run=manner.dry_run)
    taken = match.steps[match.steps[-1].takes_back or 0]
    line = f"{match.holders[taken.seat]} took back: {match.game.in_short_words(taken)}."
    _note_words(match, manner)
    turns: list[BotTurn] = []
    lines = [line]
    if match.bots:
        turns = undone_bot_turns(before, match)
        lines += taken_back_of_bots(match, before)
        if not manner.dry_run:
            turns += move_bots(match)
    if before.declarations and seat == taken.seat:
        from porto_cli.match.orders import in_force

        again = f"are gone with it; to give one again: {command('order', path_of(match), named)}"
        then = "would be gone with it." if manner.dry_run else again
        lines += [f"Your orders {then}"] * bool(in_force(before, seat))
    if not manner.dry_run:
        lines += _back_and_forth(match, taken, named)
    fields = partial(_report, match, [UNDO], [], None, dry_run=manner.dry_run)
    end(match, manner, lines, fields, turns=turns)
    if not manner.dry_run:
        _warn_of_mail(before)


def _back_and_forth(match: Match, taken: Step, named: str | None) -> Iterator[str]:
    """Say how a turn that was taken back is played again, where the same would come up, and how
    its player takes back the one before.
    """
    again = [move for move in taken.moves[:1] if not match.game.is_secret(move)]
    if again and match.record.seed and match.state.seat == taken.seat:
        yield f"To play it again: {commands(match, again, taken.seat)[0]}"
    past = match.past()
    if not past.check_whole(taken.seat):
        earlier = match.game.in_short_words(match.steps[past.standing_of_people[-1]])
        undo = command(UNDO, path_of(match), named)
        yield f"To take back the turn before it, too ({earlier}): {undo}"


def _warn_of_mail(before: Match) -> None:
    """Warn if the turn that was taken back was mailed to others, who may have answered it."""
    from porto_cli.mail.notes import was_mailed

    with suppress(PortoError):
        if before.chain is None and was_mailed(before):
            remark(
                "That turn was mailed on. Tell the others that it is taken back: if one of them "
                "has moved already, there are two versions of the game."
            )


def _note_words(match: Match, manner: Manner) -> None:
    """Add the words of the player who has just moved below the turn."""
    if manner.words:
        from porto_cli.match.said import Said

        player = match.holders[match.steps[-1].seat]
        match.note(Said(0, player, manner.words).comment)


class _OnTheTable:
    """What came up on a real table, as typed with options. Raises InvalidMoveError."""

    def __init__(
        self, match: Match, own: Sequence[CommandOption], typed: Mapping[str, Any]
    ) -> None:
        self.match = match
        self.options = [option for option in own if option.stream]
        self.things: dict[str, bytes] = {}
        """What came up, by stream."""
        given = [option for option in self.options if typed.get(option.name)]
        if given and match.record.seed:
            flags = enumerated(option.flag for option in given)
            usage(f"In this game the seed decides what comes up; leave out {flags}.")
        for option in given:
            words = " ".join(split_words(typed[option.name]))
            read = match.game.read_chance(option.flag.removeprefix("--"), words)
            assert read is not None, "the option is named like its key in a record"
            self.things[option.stream] = self.things.get(option.stream, b"") + read[1]

    def chance(self) -> TypedChance:
        """Return the chance that gives exactly these things."""
        return TypedChance(self.match.game.meta.unordered, **self.things)

    def option_for(self, stream: str, count: int) -> CommandOption:
        """Return the option for one or several things of a stream."""
        options = [option for option in self.options if option.stream == stream]
        return next((option for option in options if option.many == (count > 1)), options[-1])

    def name(self, stream: str, things: Iterable[int]) -> list[str]:
        """Return the names of things of a stream."""
        return [self.match.game.thing_name(stream, thing) for thing in things]

    def refuse_surplus(self, chance: TypedChance) -> None:
        """Refuse more things than came up (exit code 2)."""
        for stream, left in chance.left.items():
            if left:
                named = len(self.things.get(stream, left))
                flag = self.option_for(stream, named).flag
                come_up = f"{named - len(left) or 'nothing'} can come up"
                over = " ".join(self.name(stream, left))
                usage(f"{flag} names {named}, but {come_up}; leave out: {over}.")

    def refuse_without(self, moves: Sequence[Move], seat: int) -> NoReturn:
        """Refuse a move if what came up was not typed, or not in full (exit code 2)."""
        match = self.match
        awaited = match.pending_draws(*moves, player=seat, came_up=self.chance())
        flags, needed = [], []
        for stream, count in awaited.items():
            option, things = self.option_for(stream, count), self.things.get(stream, b"")
            blanks = [option.thing] * (count - len(things))
            flags.append(f"{option.flag} {','.join([*self.name(stream, things), *blanks])}")
            needed.append(f"{option.flag} ({count})")
        first, others = commands(match, moves[:1], seat), map(match.text, moves[1:])
        usage(
            "This game is played with real cards: play the move on the table, then say all that "
            f"came up, with {' and '.join(needed)}.",
            suggestions=[" ".join([*first, *others, *flags])],
        )


def _play(
    match: Match,
    texts: list[str],
    seat: int,
    table: _OnTheTable,
    manner: Manner,
    first: Sequence[BotTurn],
) -> None:
    """Play moves, write the record, then say what happened.

    ``first`` are the turns of bots that had to move before.
    """
    moves = [match.move(text, seat) for text in texts]
    game = match.game
    came_up = table.chance() if table.things else None
    foreseen: Preview | None = None
    try:
        if manner.dry_run:
            foreseen = match.foresee(*moves, player=seat)
            events = list(foreseen.events)
            if came_up:
                match.pending_draws(*moves, player=seat, came_up=came_up)
            if foreseen.certain and not match.record.machine and not match.goes_on_by_itself:
                # Nothing comes up, and neither a signature nor moves of bots would be added to
                # the record, so even its fingerprint is known.
                match.play(*moves, player=seat)
                foreseen = None
        else:
            if not match.record.seed and ask.can_ask():
                came_up = game.setting_up.asked_chance(ask.asker(game.meta.id), came_up)
            with ask.backing_out():
                events = match.play(*moves, player=seat, came_up=came_up)
    except IllegalMoveError as error:
        refuse(*error.violations, suggestions=_like(match, match.text(moves[0]).split(), seat))
    except NothingTypedError:
        table.refuse_without(moves, seat)
    except NotInPileError as error:
        usage(match.game.chance_fault(error))
    if came_up:
        table.refuse_surplus(came_up)
    if not manner.dry_run:
        _note_words(match, manner)
    # No result follows moves that are not made: it would tell of private contracts.
    lines = game.events_text(events, match.config)
    lines = lines if manner.dry_run else what_happened(match, events)
    turns = [*first, *([] if manner.dry_run else move_bots(match))]
    fields = partial(_report, match, texts, events, foreseen, dry_run=manner.dry_run)
    end(match, manner, lines, fields, turns=turns, first=len(first), writer=seat)


def _report(
    match: Match,
    moves: list[str],
    events: list[Event],
    foreseen: Preview | None,
    *,
    dry_run: bool,
) -> dict[str, object]:
    """Return for a document what moves have led to, or would lead to (``foreseen``).

    What cannot be known before the moves are made is ``None``.
    """
    return {
        "game": match.game.meta.id,
        "moves": moves,
        "dry_run": dry_run,
        "events": match.game.events_json(events, match.config),
        "phase": foreseen.phase if foreseen else match.state.phase,
        "to_move": foreseen.to_move if foreseen else match.to_move(),
        "fingerprint": None if foreseen else match.fingerprint,
        "digest": None if foreseen else match.digest,
    }
