"""What ``porto verify`` says of signed and sealed games: who signed what, and what that proves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

from porto_cli.core import files
from porto_cli.core.message import Sentence, say
from porto_cli.game import OVER
from porto_cli.match import forks
from porto_cli.match.deeds import deed
from porto_cli.match.precedence import turn_made_twice
from porto_cli.match.signed import chain_of
from porto_cli.sealed.identity import public_text
from porto_cli.sealed.table_code import table_code

if TYPE_CHECKING:
    from porto_cli.match.replay import Replay


def sentences(replay: Replay) -> list[Sentence]:
    """Say who signed, what is proven, and the table code."""
    chain = chain_of(replay)
    counts = Counter(step.by for step in chain.steps)
    told = [
        say(
            "{player} has signed {count} of {all} steps with the key {key}.",
            player=player,
            count=counts[by],
            all=len(chain.steps),
            key=public_text(chain.keys[by]),
        )
        if by in chain.keys
        else say("{player} has signed nothing yet.", player=player)
        for by, player in enumerate(chain.players)
    ]
    told += [
        say(
            "{players} sign with the same key, so at one computer.",
            players=" and ".join(chain.players[by] for by in group),
        )
        for group in _sharing(replay)
    ]
    told += proofs(replay)
    told.append(
        say(
            "Table code: {code}. Players who read out the same one to each other have the same "
            "game, step by step.",
            code=table_code(chain.head.hash),
        )
    )
    return told


def _sharing(replay: Replay) -> list[list[int]]:
    """Return the players who have one key."""
    chain = chain_of(replay)
    groups: dict[bytes, list[int]] = {}
    for by, key in sorted(chain.keys.items()):
        groups.setdefault(key, []).append(by)
    return [group for group in groups.values() if len(group) > 1]


def proofs(replay: Replay) -> list[Sentence]:
    """Say in plain words what a valid record of this kind proves."""
    told = [
        say(
            "Proven: every turn is signed by who made it, and since the next step was signed none "
            "was changed, deleted, moved, or taken from another game."
        )
    ]
    sealed = replay.sealed
    if sealed is None:
        return [*told, *_undos(replay)]
    told.append(
        say(
            "Proven: everybody mixed and dealt what is hidden as the rules ask, nothing was "
            "swapped, copied or marked, and what a player holds nobody else could open, not even "
            "all others together; what came up could be chosen by nobody, and a single player "
            "could not foresee it before the own move."
        )
    )
    told += _undos(replay)
    players = replay.config.players
    shown = [players[seat] for seat, by in enumerate(sealed.order) if by in sealed.revealed]
    hidden = [name for name in players if name not in shown]
    if shown:
        told.append(
            say(
                "Proven by what was revealed: {players} had what they say, kept what they had "
                "fixed, and did everything as it follows from one number fixed at the start.",
                players=", ".join(shown),
            )
        )
    if hidden and (shown or replay.state.phase == OVER):
        told.append(
            say("Not revealed, so not checked: what {players} hid.", players=", ".join(hidden))
        )
    if sealed.given_up:
        told.append(
            say(
                "The others said that {players} vanished and went on without.",
                players=", ".join(players[seat] for seat in sorted(sealed.given_up)),
            )
        )
    return told


def _undos(replay: Replay) -> list[Sentence]:
    """Say what one copy does not show of turns that were taken back, if any were."""
    chain = chain_of(replay)
    undos = [step for step in chain.steps if forks.is_undo(step)]
    if not undos:
        return []
    return [
        say(
            "Not shown by one copy alone: that nobody had answered the turns yet which {players} "
            "took back, and so shown what comes up after them. With the copies of all players, "
            "'porto verify' shows it.",
            players=", ".join(dict.fromkeys(chain.players[step.by] for step in undos)),
        )
    ]


def report(replay: Replay) -> dict[str, object]:
    """Return the same for documents."""
    chain = chain_of(replay)
    counts = Counter(step.by for step in chain.steps)
    return {
        "steps": len(chain.steps),
        "signed_by": [
            {
                "player": player,
                "key": public_text(chain.keys[by]) if by in chain.keys else None,
                "steps": counts[by],
            }
            for by, player in enumerate(chain.players)
        ],
        "table_code": table_code(chain.head.hash),
        "proven": list(map(str, proofs(replay))),
    }


def two_versions(copies: Sequence[Replay], proof: Path | None) -> Iterator[Sentence]:
    """Say who has signed two versions of a step in copies of a game, and write the proof.

    Raises FileError.
    """
    for one, other in combinations(copies, 2):
        found = forks.between(chain_of(one), chain_of(other))
        if found is None:
            continue
        yield say(
            "{player} has signed two versions of step {height}: one stands in {one}, the other one "
            "in {other}.",
            player=found.player,
            height=found.fork.first.height,
            one=one.record.file,
            other=other.record.file,
        )
        if proof is None:
            yield say("To write a proof for others, add: --proof FILE")
        else:
            files.create(proof, forks.written(found))
            yield say(
                "The proof is in {file}; whoever gets it can check it with 'porto verify'.",
                file=proof,
            )
        return


def contradictions(copies: Sequence[Replay]) -> Iterator[tuple[str, Sentence]]:
    """Say who has taken back an answered turn, or made one turn in two ways, in copies of a game
    that show no two versions of a step. Each sentence comes with its key in a document.
    """
    for one, other in combinations(copies, 2):
        ours, theirs = chain_of(one), chain_of(other)
        if ours.game != theirs.game or forks.between(ours, theirs):
            continue
        found = _taken_back(one, other) or _taken_back(other, one)
        twice = None if found else turn_made_twice(one, other)
        if found:
            yield "taken_back", found
        elif twice:
            first, second = twice
            yield (
                "made_twice",
                say(
                    "{player} has made one turn in two ways: {here} in {one} (step {first}), and "
                    "{there} in {other} (step {second}). Both are signed by {player}.",
                    player=ours.players[first.by],
                    here=deed(one, first),
                    there=deed(other, second),
                    first=first.height,
                    second=second.height,
                    one=one.record.file,
                    other=other.record.file,
                ),
            )


def _taken_back(one: Replay, other: Replay) -> Sentence | None:
    """Say who has taken back in one copy what was answered in the other one, if anybody has."""
    found = forks.undone_after_answer(chain_of(one), chain_of(other))
    if found is None:
        return None
    return say(
        "{player} has taken back a turn that {answerer} had already answered: in {one} step {undo} "
        "takes it back, in {other} step {answer} of {answerer} goes on from it. Both steps are "
        "signed by who made them. The answer counts and the undo does not.",
        player=found.player,
        answerer=found.answerer,
        undo=found.undo.height,
        answer=found.answer.height,
        one=one.record.file,
        other=other.record.file,
    )


def proven(text: str, file: str) -> Sentence:
    """Check a proof and say what it proves. Raises InvalidFileError."""
    fork = forks.read(text, file)
    return say(
        "{file}: proven. The owner of the key {key} has signed two versions of step {height} of "
        "one game. Whose key that is, the record says, or who knows it.",
        file=file,
        key=public_text(fork.key),
        height=fork.first.height,
    )
