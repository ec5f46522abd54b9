"""Sealed games: the record that ``porto new`` begins, the commands ``porto join`` and ``porto
reveal``, and for ``porto verify`` who signed what, and what that proves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from porto_cli.cli import AsPlayer, Quiet, RecordFile, opt
from porto_cli.cli.common import (
    find_record,
    keys_here,
    next_sentences,
    open_match,
    report_stream,
    write_record,
)
from porto_cli.cli.completion import offer_players
from porto_cli.cli.ending import Manner, end
from porto_cli.core import files, refuse, usage
from porto_cli.core.files import STANDARD
from porto_cli.core.shell import option, word_of
from porto_cli.core.yaml import LONGEST_TITLE
from porto_cli.games import Game
from porto_cli.match import record, seat_named
from porto_cli.match.match import Match, loads, opened
from porto_cli.match.record import (
    GENERIC_NAME,
    HINTS_NONE,
    HINTS_NOTED,
    SEALED,
    NotReadyError,
    Record,
)
from porto_cli.match.replay import Replay, path_of
from porto_cli.sealed import holder
from porto_cli.sealed.chain import (
    FIRST,
    Beginning,
    new_sealed,
    not_the_key,
    read_setup,
    seals_of,
    take_part,
)
from porto_cli.sealed.course import is_undo
from porto_cli.sealed.holder import KeyHolder
from porto_cli.sealed.source import chain_of, sealed_of
from porto_cli.sealed.steps import public_text
from porto_cli.seam import OVER, SealedPile
from porto_cli.term import remark, tell
from porto_cli.user import own_seat


def join(
    file: RecordFile,
    player: AsPlayer = None,
    quiet: Quiet = False,
) -> None:
    """Take part in the setup of a sealed game.

    A sealed game, see 'porto new --secrecy sealed', goes around the table twice before it begins.
    Each time it comes to you, run this command: it checks everything that the others did, adds your
    part, and says whom to send the record to next. When you join, it first lists what you agree to:
    the players, the box, the options, the first player, and hints. 'porto show' lists the same.

    Examples:
      porto join friday.yaml --as Joana
    """
    path = find_record(file)
    text = files.read_text(path)
    read = record.load(text, files.name_of(path))
    if read.secrecy != record.SEALED:
        usage(
            f"{read.file} is not a sealed game, so there is nothing to join; it can be played.",
            suggestions=[f"porto show {word_of(read.file)}"],
        )
    keys = keys_here(holder.stored_key() is not None)
    begun = read_setup(read, keys)
    if begun.next is None or read.settled:
        complete = "The setup is complete; everybody has joined."
        refuse(complete, *next_sentences(opened(read, keys).known))
    _demand_turn(begun, begun.next, player, keys)
    if not keys.public:
        # A new key only now: a player who has already joined needs the old one.
        keys = keys_here(True)
    stream = report_stream(path)
    if begun.setup.next_to_join is not None:
        remark(*warnings(begun.record))
        tell(*(() if quiet else terms(begun.record)), stream=stream)
    after = take_part(begun, keys)
    try:
        opened(record.read_again(after.record), keys)
    except NotReadyError:
        if after.next is None:
            raise record.changed_by_reading() from None
    write_record(path, after.record.text, was=text)
    if not quiet:
        joined = begun.chain.players[begun.next]
        done = f"{joined} takes part; everything that the others did was checked."
        tell(done, *_next(after, str(path), keys), stream=stream)


def _demand_turn(begun: Beginning, by: int, player: str | None, keys: KeyHolder) -> None:
    """Refuse to take part for a player other than ``by``, who is next, or with another key (exit
    codes 1, 2).
    """
    players, joins = begun.chain.players, begun.setup.joins
    user = _user_among(players, player)
    own = [seat for seat, joined in enumerate(joins) if joined.key == keys.public]
    if player is not None and user != by:
        raise begun.not_ready()
    if by < len(joins):
        if by in own:
            return
        if user == by or (user is None and not keys.public):
            raise not_the_key(players[by], joins[by].key, keys.public)
        raise begun.not_ready()
    if player is not None or (user == by and not own):
        return
    if own or user is not None:
        raise begun.not_ready()
    # A seat taken by mistake cannot be given back.
    usage(
        f"The next to join is {players[by]}. Confirm that this is you; it cannot be undone.",
        *terms(begun.record),
        *warnings(begun.record),
        suggestions=[f"porto join {word_of(begun.record.file)} {option('--as', players[by])}"],
    )


def _user_among(players: Sequence[str], player: str | None) -> int | None:
    """Return the place of the ``--as`` player among ``players``, else the user's, if known."""
    return own_seat(players) if player is None else seat_named(players, player)


def _next(begun: Beginning, file: str, keys: KeyHolder) -> list[str]:
    """Return whom to send the record to, or that the game can begin."""
    if begun.next is not None:
        return [*begun.not_ready(file).sentences]
    match = loads(begun.record.text, file, keys)
    first = match.players[0]
    lines = [f"The setup is complete: the game can begin, and {first} is first."]
    if 0 not in match.own_seats():
        lines.append(f"Send {file} to {first}.")
    return [*lines, *next_sentences(match.known, file)]


def sealed_record(
    game: Game,
    players: list[str],
    options: dict[str, Any],
    file: Path,
    first: int | None,
    title: str,
    player: str | None,
    hints: str,
) -> tuple[str, Callable[[], list[str]]]:
    """Return the record of a sealed game that its first player has joined, and a function that
    returns the report.

    Exits with 2 for wrong usage, and with 1 if the game cannot be sealed. Raises FileError.
    """
    if len(title) > LONGEST_TITLE:
        usage(f"A title has at most {LONGEST_TITLE} characters.")
    known = _user_among(players, player)
    creator = known or 0
    try:
        config = game.new_config(players[creator:] + players[:creator], **options)
    except ValueError as error:
        usage(f"{error}")
    pile = game.sealed_pile(config)
    if not isinstance(pile, SealedPile):
        refuse(pile)
    is_file = str(file) != STANDARD
    if is_file and file.exists():
        # Before anything is signed, which can be done only once.
        files.create(file, "")
    begun = new_sealed(
        game,
        config,
        keys_here(True),
        first=None if first is None else (first - creator) % len(players),
        name=file.name if is_file else GENERIC_NAME,
        title=title,
        hints=hints,
    )
    why = "" if known is not None else ", because no other player was named with --as"
    done = f"{config.players[0]} sets up a sealed game and is the first to join{why}."
    name = str(file) if is_file else None
    return begun.record.text, lambda: [done, *begun.not_ready(name).sentences]


def terms(record: Record) -> list[str]:
    """Return what players agree to when they join a game."""
    players, first = record.config.players, seals_of(record).genesis.get(FIRST)
    own_terms, _ = record.game.terms(record.config)
    return [
        (
            f"A sealed game of {record.game.meta.title} for {len(players)} players, who sit "
            f"in this order: {', '.join(players)}."
        ),
        *own_terms,
        "The first player is drawn by all together."
        if first is None
        else f"The first player is {players[first]}.",
        _ABOUT_HINTS[record.hints],
    ]


_ABOUT_HINTS = {
    "": "Everybody may take hints, and the record does not note who does.",
    HINTS_NOTED: "Everybody may take hints, and the record notes who does.",
    HINTS_NONE: "There are no hints.",
}


def warnings(record: Record) -> list[str]:
    """Return warnings of misleading names in a game that is being set up."""
    return record.game.terms(record.config)[1]


def reveal(
    file: RecordFile,
    player: AsPlayer = None,
    without: list[str] | None = opt(
        None,
        "--without NAME",
        "Continue without a player who has vanished. Can be repeated.",
        autocompletion=offer_players,
    ),
    quiet: Quiet = False,
) -> None:
    """Reveal what you kept, at the end of a sealed game.

    The player of the last turn reveals by making it; all others use this command, in any order, on
    their own computers. Then the whole game is checked and scored.

    With --without you say that a player has vanished. When all who stay have said so, the game
    continues without that player, whose turns are skipped and whose contracts score nothing. If you
    name everyone else, you go on alone right away. See porto-sealed(7) for when a player is gone.

    Examples:
      porto reveal friday.yaml
    """
    match = open_match(file)
    if match.record.secrecy != SEALED:
        usage(
            f"{file} is not a sealed game; there is nothing to reveal.",
            suggestions=[f"porto show {path_of(match)}"],
        )
    seats = _own_seats(match, player)
    gone = [match.seat_played_by(name) for name in without or ()]
    done: list[str] = []
    fault: str | None = None
    for seat in match.give_up(*gone, player=seats) if gone else ():
        others = ", ".join(match.players[one] for one in gone)
        done.append(f"{match.players[seat]} goes on without {others}, if the others agree.")
    for seat in seats:
        why = match.cannot_reveal(seat)
        if why is None:
            match.reveal(seat)
            done.append(f"{match.players[seat]} reveals everything hidden.")
        fault = fault or why
    if not done:
        refuse(fault or "There is nothing to reveal.", *next_sentences(match.known))
    end(match, Manner(quiet=quiet), done)


def _own_seats(match: Match, player: str | None) -> list[int]:
    """Return the seats to reveal: the named player's, else those with the key on this computer."""
    if player is not None:
        return [match.seat_played_by(player)]
    seats = match.own_seats()
    if not seats:
        refuse(
            "The key on this computer belongs to none of the players "
            f"({', '.join(match.players)}); each reveals on their own computer."
        )
    return seats


# -- What ``porto verify`` reports


def signatures_json(replay: Replay) -> dict[str, Any]:
    """Return the signers, what is proven, and the table code, as fields of a document."""
    chain = chain_of(replay)
    counts = Counter(step.by for step in chain.steps)
    return {
        "steps": len(chain.steps),
        "signed_by": [
            {"player": player, "key": public_text(chain.keys[by]), "steps": counts[by]}
            for by, player in enumerate(chain.players)
        ],
        "table_code": chain.table_code,
        "proven": proofs(replay),
    }


def signatures_text(found: Mapping[str, Any]) -> list[str]:
    """Return the same in sentences, and players who share a key."""
    lines, by_key = list[str](), dict[str, list[str]]()
    for one in found["signed_by"]:
        player, key = one["player"], one["key"]
        lines.append(
            f"{player} has signed {one['steps']} of {found['steps']} steps with the key {key}."
        )
        by_key.setdefault(key, []).append(player)
    lines += [
        f"{' and '.join(sharing)} sign with the same key, so from one computer."
        for sharing in by_key.values()
        if sharing[1:]
    ]
    code = (
        f"Table code: {found['table_code']}. Players who read the same code to each "
        "other have the same game, step by step."
    )
    return [*lines, *found["proven"], code]


def proofs(replay: Replay) -> list[str]:
    """Return what a valid record of a sealed game proves."""
    lines = [
        (
            "Proven: every turn is signed by its player, and no turn was changed, deleted, "
            "moved or taken from another game after the next step was signed."
        ),
        (
            "Proven: everybody shuffled and dealt the hidden components by the rules; "
            "nothing was swapped, copied or marked. Nobody else, not even all others "
            "together, could see what a player holds. No player could choose what came up, "
            "and no single player could foresee it before their own move."
        ),
        *_undos(replay),
    ]
    sealed, players = sealed_of(replay), replay.config.players
    shown = [players[seat] for seat, by in enumerate(sealed.order) if by in sealed.revealed]
    hidden = [name for name in players if name not in shown]
    if shown:
        lines.append(
            f"Proven by what was revealed: {', '.join(shown)} held what they revealed, "
            "kept what they had committed to, and did everything as determined by one "
            "number fixed at the start."
        )
    if hidden and (shown or replay.state.phase == OVER):
        lines.append(f"Not revealed, so not checked: what {', '.join(hidden)} kept hidden.")
    if sealed.given_up:
        gone = ", ".join(players[seat] for seat in sorted(sealed.given_up))
        lines.append(f"The others said that {gone} vanished, and went on without them.")
    return lines


def _undos(replay: Replay) -> Iterator[str]:
    """Yield what one copy cannot prove about turns taken back, if there are any."""
    chain = chain_of(replay)
    undoers = dict.fromkeys(chain.players[step.by] for step in chain.steps if is_undo(step))
    if undoers:
        yield (
            "Not proven by one copy alone: that no other player had answered the turns that "
            f"{', '.join(undoers)} took back, which would have revealed what comes up after them. "
            "With the copies of all players, 'porto verify' checks it."
        )
