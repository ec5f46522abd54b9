"""An answer in words, ``draw blue-3`` above the quoted message: which game it is about, who wrote
it, and what it plays.

A sender's name and address can be forged, and other words of an answer can take its move back; so
the user sees what an answer is taken for before it is played. Anybody can write a mail, with any
name in it: ``--yes`` plays a move without a question only if the sender is known, or has the mail
that the message answers, and if there are no words beside it; and never a move of the user's own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from porto_cli.core.chance import TypedChance, sha256
from porto_cli.core.message import FileError, InvalidMoveError, option, quoted, shown
from porto_cli.game import UNDO, Game, Move, State, Step
from porto_cli.mail.addresses import AddressBook, address_book
from porto_cli.mail.copies import Copies, running_games
from porto_cli.mail.incoming import Incoming
from porto_cli.mail.notes import FOOTERS, note, noted
from porto_cli.mail.reply import passed_on
from porto_cli.mail.threads import (
    Named,
    code_in,
    game_named,
    named,
    steps_at,
    steps_with_code,
)
from porto_cli.match.items import IllegalMoveError, stands
from porto_cli.match.match import Match, loads
from porto_cli.match.names import seats_of
from porto_cli.match.replay import Replay
from porto_cli.match.seats import titled
from porto_cli.settings import own_seat

if TYPE_CHECKING:
    from porto_cli.players.named import BotTurn

_ANSWERS = re.compile(r"(?i)^\s*(?:re|aw|sv|antw|antwort|res|odp|vs|rif)\s*(?:\[\d+\])?\s*:")


class About(NamedTuple):
    """The game that an answer is about.

    ``steps``   after how many of them the message was written that it answers; None if not known
    ``note``    how that is known, where it is only likely
    ``by_id``   whether the id of that message says so, in the head of the answer
    ``unseen``  whether it answers a state at which the local copy has never been
    """

    match: Match
    steps: int | None = None
    note: str | None = None
    by_id: bool = False
    unseen: bool = False


def game_of_answer(
    message: Incoming, copies: Copies, attached: About | None, sender: str | None
) -> About | str:
    """Return the local copy that an answer is about, or why none is known.

    ``attached`` is the game that was named, or whose record is in the message. Else the ids of the
    messages that it answers name it, the table code in the subject, or that there is only one game.
    ``sender`` is who wrote it, if that was named.
    """
    named = message.answers[-1] if message.answers else None
    if attached is None and named is None:
        return _game_without_id(message, copies, sender)
    found = [attached.match] if attached else copies.of(named) if named else []
    if not found:
        return (
            f"It answers a message of a game that is not in {copies.folder}; name its folder "
            "with --folder, or its record with --into."
        )
    for match in found:
        code = code_in(message.subject)
        steps = steps_at(match, named) if named else steps_with_code(match, code)
        if steps is not None:
            return About(match, steps, by_id=named in message.thread)
    if attached and attached.steps is not None:
        return attached
    first = found[0]
    is_same = named is not None and named.game == game_named(first.record)
    return About(first, unseen=is_same and first.chain is None)


def _game_without_id(message: Incoming, copies: Copies, sender: str | None) -> About | str:
    """Return the game of an answer that names none by an id."""
    games = running_games(copies.folder)
    for match in games:
        steps = steps_with_code(match, code_in(message.subject))
        if steps is not None:
            return About(match, steps)
    if not games:
        return f"There is no running game in {copies.folder} that it could be about."
    if len(games) > 1:
        waiting = [match for match in games if _is_waited_for(message, match, sender)]
        files = ", ".join(str(match.path) for match in waiting or games)
        return f"It does not say which game it is about; name one of these with --into: {files}."
    note = (
        f"{games[0].path} is the only running game here, so the message is assumed to be about it."
    )
    return About(games[0], None, note)


def _is_waited_for(message: Incoming, match: Match, sender: str | None) -> bool:
    """Return whether who wrote a message is known to be to move in a game."""
    writer = writer_of_answer(message, match, sender)
    if not isinstance(writer, Writer) or writer.note is not None:
        return False
    return writer.seat in match.game.to_move(match.state)


class Writer(NamedTuple):
    """The player who wrote an answer.

    ``note``   how that is known, where it is only likely
    """

    seat: int
    note: str | None = None


def writer_of_answer(message: Incoming, match: Match, sender: str | None) -> Writer | str:
    """Return which player wrote an answer, or why that is not known.

    ``sender`` is who was named. Else the address book knows; else the sender's name is like a
    player's; else it is whose turn it is. Raises InvalidFileError, FileError (of the address book).
    """
    if sender is not None:
        return _named_writer(match, sender)
    players, (name, address) = match.holders, message.sender
    if address:
        known = seats_at(address_book(), match, address)
        if len(known) == 1:
            return Writer(known.pop())
    words = [name, *name.split(), address.partition("@")[0]]
    for word in filter(None, words):
        seats = [seat for seat in seats_of(players, word) if seats_of([word], players[seat])]
        if len(seats) == 1 and seats[0] in match.people:
            return Writer(seats[0])
    waiting = [seat for seat in match.game.to_move(match.state) if seat in match.people]
    shown = message.sender_name or "an unnamed sender"
    if len(waiting) == 1:
        player = players[waiting[0]]
        note = f"It is from {shown}; the writer is assumed to be {player}, whose turn it is."
        return Writer(waiting[0], note)
    return (
        f"It is from {shown}, and it is not known which player that is "
        f"({', '.join(players)}). Name the writer with --from, or store the address for all "
        "messages: porto address NAME ADDRESS"
    )


def _named_writer(match: Match, name: str) -> Writer | str:
    """Return the player of a name, or why no player of that name can have written a mail."""
    seats = seats_of(match.holders, name)
    if len(seats) != 1:
        return f"{shown(name)} is not one of the players {', '.join(match.holders)}."
    player = match.players[seats[0]]
    if player in match.bots:
        return f"{player} is a bot and does not write mail."
    if seats[0] not in match.people:
        return f"{player} has left the game."
    return Writer(seats[0])


def doubts(message: Incoming, match: Match, seat: int, *, answers_last: bool) -> list[str]:
    """Return why the sender alone is no reason to play a move for a seat; nothing if there is none.

    ``answers_last`` says that the message answers the last mail of the game by its id. Raises
    InvalidFileError, FileError (of the address book or the settings).
    """
    player, address = match.holders[seat], message.sender[1]
    add, store = option("--from", player), f"porto address {quoted(player)} {quoted(address)}"
    if seat == own_seat(match.holders, match.players):
        return [
            f"It would be a move of {player}, and you are {player}: --yes does not play it. If you "
            f"wrote the message yourself, add: {add}"
        ]
    if not address:
        return [
            "The message does not say who wrote it, so --yes does not play it. If it was "
            f"{player}, add: {add}"
        ]
    book = address_book()
    if seat in seats_at(book, match, address):
        return []
    known = book.of(player)
    if known:
        return [
            f"It is from {address}, but your address book has {known.address} for {player}, so "
            f"--yes does not play it. To accept this message only, add: {add}. If the address of "
            f"{player} has changed: {store}"
        ]
    others = seats_at(book, match, address)
    if others:
        return [
            f"It is from {address}, which is the address of {match.holders[min(others)]} in "
            f"your address book, so --yes does not play a move of {player}. If {player} wrote it, "
            f"add: {add}"
        ]
    if answers_last:
        return []
    return [
        f"Nothing shows that {address} is the address of {player}: it is not in your address book, "
        "and the message does not answer the last mail of this game. So --yes does not play it. To "
        f"accept this message only, add: {add}. To store the address: {store}"
    ]


def seats_at(book: AddressBook, match: Match, address: str) -> set[int]:
    """Return the seats of the people who get their mail at an address."""
    names = book.at(address)
    return {seat for seat in match.people if book.name_of(match.holders[seat]) in names}


def may_be_an_answer(message: Incoming) -> bool:
    """Return whether a message that has a record with it may be an answer to one of ours."""
    return not message.is_ours and (bool(message.answers) or bool(_ANSWERS.match(message.subject)))


def table_seen(replay: Replay, steps: int | None) -> Replay:
    """Return a game as it was after so many steps; as it is now if that is not known."""
    if steps is None or steps >= len(replay.steps):
        return replay
    return replay._replace(
        state=replay.steps[steps].before,
        steps=replay.steps[:steps],
        declarations=tuple(one for one in replay.declarations if one.place <= steps),
    )


def forwarded(message: Incoming) -> Incoming | None:
    """Return the answer that somebody passes on in a message: attached to it, or quoted below its
    head.
    """
    if message.inner:
        return message.inner
    address, text = passed_on(message.body)
    if not address:
        return None
    return message._replace(sender=("", address), known_as="", body=text, html="", subject="")


def note_footers(
    paragraphs: Iterable[str], message: Incoming, about: About, move: str, seat: int
) -> None:
    """Note what stands below the move of an answer, in case that this is played."""
    game, replay = about.match.game, about.match
    with suppress(FileError, InvalidMoveError):
        made = _canonical(game, replay.state, game.parse_move(move, replay.state, seat))
        state = named(table_seen(replay, about.steps))
        for text in paragraphs:
            key = f"{_digest(text, message.sender[1])}.{state.game}.{state.state}"
            note(FOOTERS, key, _digest(key, made))


def is_known_footer(text: str, message: Incoming, match: Match, seat: int) -> bool:
    """Return whether a paragraph stood below a move of the same sender that was played then."""
    try:
        known = noted(FOOTERS)
    except FileError:
        return False
    begins = _digest(text, message.sender[1])
    for key, move in known.items():
        found, *state = key.split(".")
        steps = steps_at(match, Named(*state)) if found == begins else None
        if steps is None:
            continue
        own = (step for step in match.steps[steps:] if step.seat == seat and step.moves)
        for step in own:
            if move == _digest(key, _canonical(match.game, step.before, step.moves[0])):
                return True
    return False


def _canonical(game: Game, state: State, move: Move) -> str:
    """Return the text of the move that is listed for one."""
    return game.format_move(game.canonical_move(state, move), state)


def _digest(*parts: str) -> str:
    return sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:24]


def is_secret(match: Match, moves: Sequence[str], seat: int) -> bool:
    """Return whether only the player may know one of these moves."""
    for text in moves:
        try:
            if text != UNDO and match.game.is_secret(match.move(text, seat)):
                return True
        except InvalidMoveError:
            continue
    return False


class Since(NamedTuple):
    """What has happened since the message that an answer answers.

    ``played``  how many of the answer's moves, from the first one, its player has made already
    ``others``  how many turns other players have made; neither secret choices, which they can make
                at any time, nor what was taken back
    ``own``     how many turns its player has made that are none of the answer's moves
    """

    played: int = 0
    others: int = 0
    own: int = 0

    @property
    def is_superseded(self) -> bool:
        """Whether the game has continued without the moves of the answer."""
        return self.others > 0 and (self.own > 0 or not self.played)


def since(match: Match, steps: int | None, moves: Sequence[str], seat: int) -> Since:
    """Return what has happened in a game since a step; nothing if that is unknown.

    A move counts as played even if it was taken back later: the answer does not ask for it again.
    """
    if steps is None:
        return Since()
    played = others = own = 0
    for step in match.steps[steps:]:
        if step.seat != seat:
            others += stands(step) and not all(map(match.game.is_secret, step.moves))
            continue
        found = _found_in(match, step, moves[played:], seat)
        played += found
        own += not found and stands(step)
    return Since(played, others, own)


def _found_in(match: Match, step: Step, moves: Sequence[str], seat: int) -> int:
    """Return how many of these moves, from the first one, a step consists of."""
    if not moves:
        return 0
    if moves[0] == UNDO or step.takes_back is not None:
        return int(moves[0] == UNDO and step.takes_back is not None)
    game, before = match.game, step.before
    for count in range(len(moves), 0, -1):
        try:
            wanted = [game.parse_move(text, before, seat) for text in moves[:count]]
            wanted = game.turn_moves(before, wanted, seat)
        except (InvalidMoveError, IllegalMoveError):
            continue
        made = step.moves[: len(wanted)]
        canonical = [
            [game.canonical_move(before, move) for move in some] for some in (wanted, made)
        ]
        if canonical[0] == canonical[1]:
            return count
    return 0


class Played(NamedTuple):
    """A game after some moves.

    ``moves``  the moves as records have them, each spelled at the table at which it was made: what
               comes up afterwards may lie where it has taken something from
    ``turns``  the same, those of one turn in one piece, as everybody may know them
    """

    match: Match
    moves: tuple[str, ...]
    turns: tuple[str, ...]


def played(
    match: Match, moves: Sequence[str], seat: int, came_up: TypedChance | None = None
) -> Played:
    """Return a game in which a player has made these moves; all of them or none.

    Raises InvalidMoveError, IllegalMoveError, NothingTypedError, NotInPileError.
    """
    try:
        return _made(match, [[text] for text in moves], seat, came_up)
    except (InvalidMoveError, IllegalMoveError):
        if len(moves) > 1 and UNDO not in moves:
            # A turn may include moves that can be left out when it is played move by move.
            with suppress(InvalidMoveError, IllegalMoveError):
                return _made(match, [moves], seat, came_up)
        raise


def _made(
    match: Match, groups: Iterable[Sequence[str]], seat: int, came_up: TypedChance | None
) -> Played:
    """Return a game after some moves, those of a group played at once."""
    game = _again(match)
    texts: list[str] = []
    turns: list[str] = []
    for group in groups:
        steps = len(game.steps)
        if group[0] == UNDO:
            game.undo(seat)
            texts.append(UNDO)
            turns.append(UNDO)
            continue
        made = [game.move(text, seat) for text in group]
        made = made if len(made) == 1 else game.game.turn_moves(game.state, made, seat)
        public = ", ".join(_public(game, move) for move in made)
        texts += map(game.text, made)
        game.play(*made, player=seat, came_up=came_up)
        if turns and len(game.steps) == steps:
            public = f"{turns.pop()}, {public}"
        turns.append(public)
    return Played(game, tuple(texts), tuple(turns))


def _public(match: Match, move: Move) -> str:
    """Return a move that is about to be made, as everybody may know it."""
    text = match.text(move)
    return text.split()[0] if match.game.is_secret(move) else text


def _again(match: Match) -> Match:
    """Return a copy of a game, in which bots have moved if it is their turn."""
    copy = loads(match.record.text, match.record.file)
    let_bots_move(copy)
    return copy


def let_bots_move(match: Match) -> list[BotTurn]:
    """Let the bots of a game move whose turn it is, and orders decide; return what they did."""
    if not match.goes_on_by_itself:
        return []
    from porto_cli.players.named import play_bots

    return play_bots(match)


def said_of(turns: Iterable[BotTurn]) -> Iterator[str]:
    """Say what bots and orders have done."""
    for one in turns:
        player = titled(one.player, one.bot)
        yield f"{player}: {', '.join(one.moves)}"


def alternatives(match: Match, text: str, seat: int) -> list[str]:
    """Return a few legal moves that are most like one that is not."""
    words, state = match.game.words, match.state
    if seat not in match.game.to_move(state):
        return []
    try:
        found = words.nearest_moves(state, match.move(text, seat), seat)
    except (InvalidMoveError, LookupError):
        found = []
    found = found or match.game.legal_moves(state, seat, 3)
    return [match.text(move) for move in found[:5]]
