"""The mail of a sealed game whose players decide whether to go on without somebody."""

from __future__ import annotations

from collections.abc import Sequence

from porto_cli.core.message import Sentence, say
from porto_cli.core.quoting import option
from porto_cli.match.replay import Replay


def decision(replay: Replay) -> tuple[int, ...]:
    """Return the seats that a decision about vanished players is to be mailed to, those who have
    still to agree first; nothing if there is none to be made.
    """
    sealed = replay.sealed
    if sealed is None or not sealed.awaited:
        return ()
    return (*_undecided(replay), *sorted(sealed.awaited))


def _undecided(replay: Replay) -> list[int]:
    sealed = replay.sealed
    assert sealed is not None
    return sorted({seat for gone in sealed.awaited for seat in sealed.undecided(gone)})


def question(replay: Replay, readers: Sequence[int]) -> list[Sentence]:
    """Return what a mail begins with: what the readers are asked, or told about themselves."""
    sealed, players = replay.sealed, replay.config.players
    if sealed is None:
        return []
    told = []
    for gone, sayers in sorted(sealed.awaited.items()):
        undecided = sealed.undecided(gone)
        asked = [seat for seat in undecided if seat in readers]
        facts: dict[str, object] = {
            "gone": players[gone],
            "asked": ", ".join(players[seat] for seat in asked),
            "undecided": ", ".join(players[seat] for seat in undecided),
            "sayers": ", ".join(players[seat] for seat in sorted(sayers)),
        }
        if asked:
            told.append(say(_ASKED, **facts))
        if gone in readers:
            told.append(say(_GONE, **facts))
    return told


def agreeing(replay: Replay, readers: Sequence[int], path: str) -> list[str]:
    """Return the commands with which readers agree to go on without somebody."""
    sealed, players = replay.sealed, replay.config.players
    if sealed is None:
        return []
    return [
        f"porto reveal {path} {option('--without', players[gone])}"
        for gone in sorted(sealed.awaited)
        if set(sealed.undecided(gone)) & set(readers)
    ]


def gone_names(replay: Replay) -> list[str]:
    """Return the players whom a decision is about."""
    sealed = replay.sealed
    return [replay.config.players[seat] for seat in sorted(sealed.awaited)] if sealed else []


_ASKED = (
    "{asked}: {sayers} said that {gone} has vanished. Do you want to go on without {gone}? The "
    "game does so when these players have agreed: {undecided}."
)
_GONE = (
    "{gone}: {sayers} said that you have vanished. The game goes on without you when these players "
    "have agreed: {undecided}. What you kept counts nothing then. To stay in the game, make your "
    "move and send it; if it is not your turn, write to the others."
)
