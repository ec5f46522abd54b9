"""What ``porto verify`` says of bots: whether their moves are those that they make."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from porto_cli.core.message import Sentence, say
from porto_cli.match.bots import titled
from porto_cli.match.match import Match


class Checked(NamedTuple):
    """What there is to say: for the document, and in sentences."""

    report: dict[str, object]
    told: tuple[Sentence, ...] = ()
    wrong: tuple[Sentence, ...] = ()


def check(match: Match, file: Path, *, wanted: bool) -> Checked:
    """Make the moves of all bots anew, if that is wanted, and say which differ.

    Nobody is accused of what another version of the players may have done.
    """
    bots, version = match.record.bots, match.game.meta.bots_version
    if bots is None:
        return Checked({"bots": {}}, (say("{file}: no bot plays in it.", file=file),))
    report: dict[str, object] = {"bots": match.bots, "bots_version": bots.version}
    if not wanted:
        told = say(
            "{file}: whether its bots ({bots}) have moved by themselves is checked with --bots.",
            file=file,
            bots=", ".join(match.bots),
        )
        return Checked(report, (told,))
    if bots.version != version:
        told = say(
            "{file}: its bots were made by another version of the players, {theirs}, and this "
            "program has version {ours}; so their moves cannot be made anew.",
            file=file,
            theirs=bots.version,
            ours=version,
        )
        return Checked(report | {"bots_checked": 0, "bots_differ": []}, (told,))
    from porto_cli.cli.batch import progress
    from porto_cli.players.bots import decisions, expected

    every = list(decisions(match.replay))
    differ: list[dict[str, object]] = []
    wrong = []
    with progress(len(every)) as step:
        for done, one in enumerate(every, start=1):
            instead = expected(match.replay, one)
            step(done)
            if instead is None:
                continue
            place = match.record.place(match.replay.steps[one.place].item)
            secret = match.game.is_secret(one.move) and not match.over
            moves = [match.game.format_move(each, one.state) for each in (one.move, instead)]
            made, right = [text.split()[0] if secret else text for text in moves]
            player = match.players[one.seat]
            differ.append({"line": place.line, "player": player, "move": made, "right": right})
            told = say(
                "{place}: {player} chooses otherwise here."
                if secret
                else "{place}: {player} has {made!r} here, and plays {right!r}.",
                place=place,
                player=titled(player, bots.seats[one.seat]),
                made=made,
                right=right,
            )
            wrong.append(told)
    report |= {"bots_checked": len(every), "bots_differ": differ}
    if wrong:
        wrong.append(
            say(
                "{file}: {count} of {all} decisions of bots are not those that they make. Either "
                "they were changed, or a porto with other players has made them.",
                file=file,
                count=len(differ),
                all=len(every),
            )
        )
        return Checked(report, (), tuple(wrong))
    told = say("{file}: all {count} decisions of bots are their own.", file=file, count=len(every))
    return Checked(report, (told,))
