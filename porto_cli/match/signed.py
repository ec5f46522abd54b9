"""Games with a seed whose turns are signed by who makes them.

Chance comes from the seed as in every open game. A player's public key is added with the first
turn that is signed with it, and may not change afterwards; the machine part has for each turn what
was appended to the record, so that nobody can rewrite a choice once somebody else has it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from porto_cli.core.chance import seeded_chance
from porto_cli.core.errors import SentenceError
from porto_cli.core.message import say
from porto_cli.core.schema import Reader
from porto_cli.core.violation import Violation
from porto_cli.core.yaml import read
from porto_cli.game import Move
from porto_cli.match import chain as chains
from porto_cli.match import replay as plain
from porto_cli.match.chain import JOIN, TURN, Chain, Keys
from porto_cli.match.record import FORMAT, RESULT, Record, header, read_again
from porto_cli.match.replay import IllegalMoveError, Replay
from porto_cli.match.seals import Data, Seals, written
from porto_cli.match.undoing import R_UNDO
from porto_cli.match.witness import Signed, SignedItem, compare_head, compare_items
from porto_cli.sealed.identity import public_text
from porto_cli.sealed.steps import Step

GENESIS = {"format", "head", "nonce", "players"}
"""The keys of every genesis."""


class OtherKeyError(SentenceError):
    """A player whose key is another one than that of who wants to sign."""


def new_nonce() -> str:
    """Return what makes every game another one: 32 hexadecimal digits."""
    from secrets import token_hex

    return token_hex(16)


def genesis_of(players: Sequence[str], head: Sequence[str], nonce: str) -> Data:
    """Return what the players agree on before they begin."""
    return {"format": FORMAT, "head": list(head), "nonce": nonce, "players": list(players)}


def head_of(record: Record) -> list[str]:
    """Return the canonical lines of the head of a signed record."""
    return header(
        record.game,
        record.config,
        record.deal,
        secrecy=record.secrecy,
        seed=record.seed,
        signed=record.signed,
        hints=record.hints,
    )


def check_genesis(seals: Seals, also: frozenset[str] = frozenset()) -> None:
    """Demand a genesis with these keys. Raises InvalidFileError."""
    found = seals.genesis
    players, head = found.get("players"), found.get("head")
    known = (
        GENESIS <= set(found) <= GENESIS | also
        and found["format"] == FORMAT
        and type(found["nonce"]) is str
        and type(players) is list
        and type(head) is list
        and all(type(each) is str for each in [*players, *head])
    )
    if not known:
        seals.fail(
            0,
            say(
                "This is no beginning of a machine part that this program knows: it was changed, "
                "or a newer porto wrote it."
            ),
        )


def begun(text: str, file: str) -> str:
    """Return the text of a new signed record from its head, to which a genesis is added."""
    root = read(text, file)
    players = Reader(file).texts(root.entries["players"], "players")
    lines = [line for line in text.splitlines() if not line.startswith(("#", "title:"))]
    genesis = genesis_of([name for name, _ in players], lines, new_nonce())
    return text + "".join(f"{line}\n" for line in written([genesis], first=True))


def replay_signed(record: Record, keys: Keys | None = None) -> Replay:
    """Play a signed record through. Raises InvalidFileError where it breaks a rule, contradicts, or
    says something else than what was signed.
    """
    assert record.seals is not None
    check_genesis(record.seals)
    chain = chains.check(record.seals, keys)
    compare_head(record, head_of(record), record.seals.genesis["head"])
    compare_items(record, _signed_items(record.seals, chain))
    played = plain.replay(record)._replace(chain=chain)
    chains.remember(chain, keys)
    return played


def _signed_items(seals: Seals, chain: Chain) -> list[SignedItem]:
    """Return the items that the steps say. Raises InvalidFileError."""
    items: list[SignedItem] = []
    for step in chain.steps:
        content, height, by = step.content, step.height, chain.by(step.height)
        if content["kind"] == JOIN and "key" in content:
            continue
        entries = entries_of(step, by)
        if content["kind"] != TURN or {"release", "commitment"} & set(content):
            seals.fail(height, say("Step {height} is none of a game with a seed.", height=height))
        if entries[0].key in chain.players:
            if entries[0].key != by:
                seals.fail(
                    height,
                    say(
                        "Step {height} makes a turn of {player}, but {by} has signed it.",
                        height=height,
                        player=entries[0].key,
                        by=by,
                    ),
                )
            items.append(entries)
        elif items and items[-1][0].by == by:
            items[-1] += entries
        else:
            seals.fail(
                height,
                say(
                    "Step {height} goes on with a turn that is none of {by}.", height=height, by=by
                ),
            )
    return items


def entries_of(step: Step, by: str) -> SignedItem:
    """Return what a step appends to the turns."""
    entries: Any = step.content.get("entries", ())
    return tuple(Signed(key, text, step.height, by) for key, text in entries)


def play(
    replay: Replay, moves: Sequence[Move], seat: int, keys: Keys, *, remark: bool = False
) -> Replay:
    """Play moves of a player, append them, and sign what was appended.

    Raises IllegalMoveError, OtherKeyError, and what ``keys`` raises.
    """
    demand_key(replay, seat, keys)
    chance = seeded_chance(replay.record.seed)
    return _sign(replay, plain.play(replay, moves, seat, chance, remark=remark), seat, keys)


def undo(replay: Replay, seat: int, keys: Keys) -> Replay:
    """Take back the player's last turn by appending a signed undo. Raises as :func:`play`."""
    demand_key(replay, seat, keys)
    demand_at_home(replay, keys)
    return _sign(replay, plain.undo(replay, seat), seat, keys)


def demand_key(replay: Replay, seat: int, keys: Keys) -> None:
    """Demand that a seat is signed for with the key that it has. Raises OtherKeyError."""
    chain = chain_of(replay)
    known = chain.keys.get(seat_in(chain, replay.config.players[seat]))
    if known is not None and known != keys.public:
        raise not_the_key(replay.config.players[seat], known, keys.public)
    keys.prepare(chain)


def not_the_key(player: str, known: bytes, own: bytes = b"") -> OtherKeyError:
    """Return the error of who has not the key ``known`` that a player moves with.

    ``own`` is the key on this computer; nothing if there is none.
    """
    return OtherKeyError(
        say(
            "In this game the seat of {player} belongs to the key {known}, and the key on this "
            "computer is {own}. Only that key can go on; if it is yours, take it over from its "
            "backup with 'porto key import FILE'."
            if own
            else "In this game the seat of {player} belongs to the key {known}, and there is no "
            "key on this computer. Only that key can go on; if it is yours, take it over from its "
            "backup with 'porto key import FILE'.",
            player=player,
            known=public_text(known),
            own=public_text(own) if own else "",
        )
    )


def demand_at_home(replay: Replay, keys: Keys) -> None:
    """Demand that the last step was not sent to anybody, and that nobody has gone on from it.

    Raises IllegalMoveError.
    """
    chain = chain_of(replay)
    height = chain.head.height
    if keys.answered(chain.game) >= height > 0:
        fault = say(
            "Another player has gone on from this turn, in a copy that was opened on this "
            "computer; a turn that was answered cannot be taken back. Go on with that copy."
        )
    elif keys.handed_over(chain.game) >= height > 0:
        fault = say(
            "The record was sent with this turn in it; what others have cannot be taken back any "
            "more."
        )
    else:
        return
    raise IllegalMoveError([Violation(R_UNDO, fault)])


def chain_of(replay: Replay) -> Chain:
    """Return the chain of a signed game."""
    assert replay.chain is not None
    return replay.chain


def seat_in(chain: Chain, player: str) -> int:
    """Return by what number a player signs: the place in the order of sitting."""
    return chain.players.index(player)


def with_draft(chain: Chain, content: Data) -> Chain:
    """Return a chain with a step behind it that is still to be signed."""
    return chains.longer(chain, chain.head.unsigned(content))


def sign(chain: Chain, drafted: Chain, record: Record, keys: Keys) -> tuple[Chain, Record]:
    """Sign the steps that a chain has got since, and append them to a record that has what people
    read of them already.

    What a program would refuse has to be refused before: a signature cannot be taken back. So the
    record is read again with the steps as they are, and only then are they signed. Raises FileError
    and what ``keys`` raises.
    """
    drafts = drafted.steps[len(chain.steps) :]
    read_again(record.with_steps([draft.to_json() for draft in drafts]))
    for draft in drafts:
        step = keys.sign(chain.head, dict(draft.content))
        chain = chains.longer(chain, step)
        record = record.with_steps([step.to_json()])
    return chain, record


def _sign(before: Replay, after: Replay, seat: int, keys: Keys) -> Replay:
    """Sign what was appended to the items, a step for each item that it went into."""
    chain = chain_of(before)
    by = seat_in(chain, before.config.players[seat])
    drafted = chain
    if by not in chain.keys:
        joined: Data = {"by": by, "kind": JOIN, "key": chains.text_of(keys.public)}
        drafted = with_draft(drafted, joined)
    old = before.record.items
    for number, item in enumerate(after.record.items):
        known = len(old[number].entries) if number < len(old) else 0
        new = item.entries[known:]
        if new and new[0][0] != RESULT:
            turn: Data = {"by": by, "kind": TURN, "entries": [list(entry) for entry in new]}
            drafted = with_draft(drafted, turn)
    chain, record = sign(chain, drafted, after.record, keys)
    return after._replace(record=record, chain=chain)
