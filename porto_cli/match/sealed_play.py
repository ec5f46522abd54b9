"""Moves in sealed games: signed, appended to the machine part, and added to the turns.

Each of them adds a step and then recomputes everything from all steps, so that what is written is
what everybody else will compute from them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from porto_cli.core.message import SentenceError, Violation, enumerated
from porto_cli.core.yaml import newline_of
from porto_cli.core.yaml_edit import end_of, nodes_of
from porto_cli.crypto import ProofError
from porto_cli.crypto.secrets import kept_commitment
from porto_cli.game import OVER, UNDO, Move
from porto_cli.match import chain as chains
from porto_cli.match import play as unsigned
from porto_cli.match.chain import (
    GONE,
    REVEAL,
    TURN,
    Keys,
    OtherKeyError,
    not_the_key,
    sign,
    with_draft,
)
from porto_cli.match.play import goes_on_with
from porto_cli.match.record import Item, Record, item_lines
from porto_cli.match.replay import Digester, IllegalMoveError, Replay, chain_of, result_entries
from porto_cli.match.sealed_items import entries_in
from porto_cli.match.sealed_replay import Course, follow, without_text
from porto_cli.match.sealed_setup import Beginning
from porto_cli.match.sealed_state import RULE, Sealed, heard, leaving, void
from porto_cli.match.seals import Data
from porto_cli.match.undo import R_UNDO, check_undo


class NotNowError(SentenceError):
    """A player cannot do something now; the sentence says why."""


def play(
    replay: Replay,
    moves: Sequence[Move],
    seat: int,
    keys: Keys,
    *,
    remark: bool = False,
) -> Replay:
    """Play moves of a player, sign and append them; after the last turn of the game what the player
    has kept is revealed at once.

    Raises IllegalMoveError, OtherKeyError, ProofError (the chain is exhausted), and what ``keys``
    raises.
    """
    _demand_secrets(replay, seat, keys)
    rest = list(moves)
    if rest and can_reveal(replay, seat) is None and replay.game.is_secret(rest[0]):
        # Naming what was kept reveals it, and so the seed has to be published, too.
        violations = replay.game.violations(replay.state, rest[0], seat)
        if violations:
            raise IllegalMoveError(violations)
        return reveal(replay, seat, keys)
    after = replay
    while rest:
        after = _with_item(after, rest, seat, keys, remark=remark)
    if can_reveal(after, seat) is None:
        after = _with_reveal(after, seat, keys)
    return _signed(replay, after, keys)


def _demand_key(replay: Replay, seat: int, keys: Keys) -> None:
    """Require the key that a seat signs with. Raises OtherKeyError."""
    chain = chain_of(replay)
    known = chain.keys[sealed_of(replay).order[seat]]
    if known != keys.public:
        raise not_the_key(replay.config.players[seat], known, keys.public)
    keys.prepare(chain)


def _demand_at_home(replay: Replay, keys: Keys) -> None:
    """Require that the last step was not sent to anybody, and that no other player has answered it.

    Raises IllegalMoveError.
    """
    chain = chain_of(replay)
    height = chain.head.height
    if keys.answered(chain.game) >= height > 0:
        fault = (
            "Another player has already answered this turn, in a copy that was opened on "
            "this computer, so it cannot be taken back. Continue with that copy."
        )
    elif keys.handed_over(chain.game) >= height > 0:
        fault = (
            "The record was sent with this turn in it; a turn that others have can no longer "
            "be taken back."
        )
    else:
        return
    raise IllegalMoveError([Violation(R_UNDO, fault)])


def _demand_secrets(replay: Replay, seat: int, keys: Keys) -> None:
    _demand_key(replay, seat, keys)
    player = replay.config.players[seat]
    if sealed_of(replay).order[seat] not in sealed_of(replay).secrets:
        raise OtherKeyError(
            f"The key on this computer is {player}'s, but not the one with which {player} joined "
            f"the game; only that key can move for {player}."
        )


def sealed_of(replay: Replay) -> Sealed:
    """Return what is known of a sealed game."""
    assert replay.sealed is not None
    return replay.sealed


def _with_item(replay: Replay, rest: list[Move], seat: int, keys: Keys, *, remark: bool) -> Replay:
    """Draft a step of the first moves, as many as fit in one item; remove them from the list."""
    game, state, sealed = replay.game, replay.state, sealed_of(replay)
    goes_on = goes_on_with(replay, seat, rest[0])
    key, verb = (goes_on and game.follow_up(state)) or (replay.config.players[seat], "")
    if sealed.stopped:
        raise NotNowError("The game ended when the others were given up.")
    if sealed.revealed:
        raise NotNowError("The players have begun to reveal; no more moves can be made.")
    by = sealed.order[seat]
    height = chain_of(replay).head.height + 1
    content: Data = {"by": by, "kind": TURN}
    entries: list[list[str]] = []
    events = []
    nth = 0
    while rest and (not nth or game.continues(state, rest[0], seat)):
        move = rest[0]
        if nth:
            key, verb = game.follow_up(state) or (key, verb)
        violations = game.violations(state, move, seat)
        if violations:
            raise IllegalMoveError(violations)
        public, hidden = game.sealed.seal(state, move, seat)
        if hidden:
            salt = sealed.secrets[by].salt(height)
            bound = kept_commitment(chain_of(replay).game, by, salt, hidden)
            content["commitment"] = chains.text_of(bound)
        text = game.format_move(public, state)
        entries.append([key, text.removeprefix(f"{verb} ")])
        state, happened = game.sealed.apply(state, move, None, seat)
        events += happened
        rest.pop(0)
        nth += 1
    content["entries"] = entries
    if sealed.is_due(replay.state, seat):
        content["release"] = chains.text_of(_next_release(replay, by))
    comment = game.remark(events, replay.config) if remark else ""
    return _drafted(replay, content, keys, comment)


def undo(replay: Replay, seat: int, keys: Keys, *, dry_run: bool = False) -> Replay:
    """Take back the player's last turn by appending an undo, which is signed but in a ``dry_run``.

    Raises IllegalMoveError, OtherKeyError, and what ``keys`` raises.
    """
    violations = check_undo(replay.record, replay.steps, seat)
    sealed = sealed_of(replay)
    last = replay.last_step()
    if sealed.revealed or replay.state.phase == OVER or (last and not last.moves):
        violations = [Violation(R_UNDO, "What was revealed, or ends a game, cannot be taken back.")]
    if violations:
        raise IllegalMoveError(violations)
    _demand_secrets(replay, seat, keys)
    _demand_at_home(replay, keys)
    if dry_run:
        return unsigned.undo(replay, seat)
    player = replay.config.players[seat]
    content: Data = {"by": sealed.order[seat], "kind": TURN, "entries": [[player, UNDO]]}
    assert not sealed.is_due(replay.state, seat), "who moved last owes nothing"
    return _signed(replay, _drafted(replay, content, keys), keys)


def _next_release(replay: Replay, by: int) -> bytes:
    """Return the next value of a player's chain. Raises ProofError if there is none."""
    sealed = sealed_of(replay)
    try:
        return sealed.secrets[by].release(sealed.releases[by].next)
    except ProofError as error:
        raise error.located(chain_of(replay).players) from None


def can_reveal(replay: Replay, seat: int) -> str | None:
    """Return why a player cannot reveal now; ``None`` if they can."""
    sealed, game, state = sealed_of(replay), replay.game, replay.state
    by = sealed.order[seat]
    player = replay.config.players[seat]
    if by in sealed.revealed:
        return f"{player} has revealed already."
    if by not in sealed.secrets:
        return f"{player} reveals with their own key, which is not on this computer."
    move = _revealing_move(replay, seat)
    if state.phase == OVER if move is None else not game.violations(state, move, seat):
        return None
    return (
        "Players reveal when the last turn is over; the game goes on. To finish it without "
        "players who have vanished, name them with --without."
    )


def _revealing_move(replay: Replay, seat: int) -> Move | None:
    """Return the move that names what a player has kept; ``None`` if nothing is hidden."""
    sealed, game = sealed_of(replay), replay.game
    if seat not in game.sealed.unrevealed(replay.state):
        return None
    kept = sealed.kept.get(sealed.order[seat])
    return game.sealed.reveal(kept.hidden if kept and kept.hidden else b"")


def reveal(replay: Replay, seat: int, keys: Keys) -> Replay:
    """Publish a player's seed and what was kept. Raises NotNowError, FileError, and what ``keys``
    raises.
    """
    fault = can_reveal(replay, seat)
    if fault:
        raise NotNowError(fault)
    _demand_key(replay, seat, keys)
    return _signed(replay, _with_reveal(replay, seat, keys), keys)


def _with_reveal(replay: Replay, seat: int, keys: Keys) -> Replay:
    """Draft the step with which a player reveals."""
    sealed = sealed_of(replay)
    by = sealed.order[seat]
    seed = chains.text_of(sealed.secrets[by].seed)
    content: Data = {"by": by, "kind": REVEAL, "seed": seed}
    move = _revealing_move(replay, seat)
    if move is not None:
        text = replay.game.format_move(move, replay.state)
        content["entries"] = [[replay.config.players[seat], text]]
    return _drafted(replay, content, keys)


def give_up(
    replay: Replay, seats: Sequence[int], others: Iterable[int], keys: Keys
) -> tuple[Replay, list[int]]:
    """State for players with one key that others have vanished, unless they have already.

    Who then leaves is decided in :mod:`porto_cli.match.sealed_state`. Also returns the seats for
    which it was stated. Raises NotNowError, OtherKeyError, FileError, and what ``keys`` raises.
    """
    gone = sorted(set(others))
    after = replay
    stated: list[int] = []
    faults: list[str] = []
    for seat in seats:
        fault = _cannot_give_up(after, seat, gone)
        if fault:
            faults.append(fault)
            continue
        _demand_secrets(replay, seat, keys)
        after = _drafted(after, _statement(after, seat, gone), keys)
        stated.append(seat)
    if not stated:
        raise NotNowError(faults[0])
    return _signed(replay, after, keys), stated


def _cannot_give_up(replay: Replay, seat: int, gone: Sequence[int]) -> str | None:
    """Return why a player cannot state that others have vanished; ``None`` if they can."""
    sealed, players = sealed_of(replay), replay.config.players
    if replay.state.phase == OVER:
        return "The game is over; there is no need to go on without a player."
    if sealed.stopped:
        return "The game ended when the others were given up."
    if seat in sealed.given_up:
        return f"The others go on without {players[seat]}."
    if seat in gone:
        return f"{players[seat]} cannot vanish and say so."
    for one in gone:
        if one in sealed.given_up:
            return f"The others already go on without {players[one]}."
    others = frozenset(range(len(players))) - sealed.given_up - {seat}
    if all(sealed.order[one] in sealed.revealed for one in others):
        return (
            "All others have revealed everything, so the game can be finished: 'porto "
            "reveal' does that."
        )
    statements = heard(void(sealed.awaited, seat), seat, gone)
    if statements == sealed.awaited and not leaving(others | {seat}, statements, seat):
        names = enumerated(players[one] for one in gone)
        return f"{players[seat]} has already reported {names} as gone."
    return None


def _statement(replay: Replay, seat: int, gone: Sequence[int]) -> Data:
    """Return the step with which a player states that others have vanished."""
    sealed, players = sealed_of(replay), replay.config.players
    return {
        "by": sealed.order[seat],
        "kind": GONE,
        "without": [sealed.order[one] for one in gone],
        "entries": [[players[seat], without_text(players[one] for one in gone)]],
        "rule": RULE,
    }


def _drafted(replay: Replay, content: Data, keys: Keys, remark: str = "") -> Replay:
    """Return the game after one more step, which is still to be signed.

    Raises NotNowError for a step that every program would refuse.
    """
    sealed = sealed_of(replay)
    # Every player has joined and unlocked; after that come the steps of the game.
    begun = Beginning(
        replay.record,
        with_draft(chain_of(replay), content),
        sealed.pile,
        sealed.setup,
        2 * sealed.setup.seats,
    )
    try:
        course = follow(begun, keys)
    except ProofError as error:
        raise NotNowError(f"This cannot be done now. {error.sentence}") from None
    return course.replay._replace(record=_written(replay.record, course, remark))


def _signed(before: Replay, after: Replay, keys: Keys) -> Replay:
    """Sign the drafted steps: all of them or, if one cannot be signed, none."""
    chain, record = sign(chain_of(before), chain_of(after), after.record, keys)
    return after._replace(chain=chain, record=record)


def _written(record: Record, course: Course, remark: str) -> Record:
    """Return the record with everything from the steps that its items lack."""
    for number, item in enumerate(course.items):
        entries = entries_in(item)
        if number < len(record.items):
            more = entries[len(record.items[number].entries) :]
            if more and number == len(record.items) - 1:
                # What comes up only now is not a result of the move that is written.
                own = remark if number == len(course.items) - 1 else ""
                record = record.with_more(more, own)
            elif more:
                record = _inserted(record, number, more)
        else:
            record = record.with_item(entries, remark)
    replay = course.replay
    if replay.state.phase == OVER and len(record.items) == len(course.items):
        digester = Digester(record)
        record = record.with_item(
            result_entries(replay.game, replay.state, replay.written, digester)
        )
    return record


def _inserted(record: Record, number: int, entries: Sequence[tuple[str, str]]) -> Record:
    """Return the record with more entries in an item that is not the last, whatever its layout."""
    human = record.human
    turns = next(value for key, value in nodes_of(human).value if key.value == "turns")
    node = turns.value[number]
    _, last = node.value[-1]
    at = human.index("\n", end_of(last, human)) + 1
    line, end = human.count("\n", 0, at), newline_of(human)
    more = item_lines(entries, "", record.dash, node.start_mark.column, first=False)
    text = "".join([human[:at], *(one + end for one in more), human[at:]])
    item = record.items[number]
    places = tuple((line + nth, 1) for nth in range(1, len(entries) + 1))
    whole = Item((*item.entries, *entries), (*item.places, *places))

    def moved(other: Item) -> Item:
        return Item(other.entries, tuple((at + len(more), column) for at, column in other.places))

    return record._replace(
        text=text + record.machine,
        items=(*record.items[:number], whole, *map(moved, record.items[number + 1 :])),
    )
