"""The legal moves of a seat, each with what it brings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from porto_cli.game import Step
from porto_cli.games.porto.engine.components import CARDS, HIDDEN, HOUSES, NOWHERE
from porto_cli.games.porto.engine.legal_moves import legal_moves
from porto_cli.games.porto.engine.moves import (
    PRIVATE_CONTRACT,
    PUBLIC_CONTRACT,
    Build,
    Claim,
    Draw,
    Keep,
    Move,
    Score,
    Scored,
)
from porto_cli.games.porto.engine.play import apply
from porto_cli.games.porto.engine.scoring import met_by, outcome
from porto_cli.games.porto.engine.state import TIMER, State
from porto_cli.games.porto.hidden_information import private_of
from porto_cli.games.porto.notation import PRIVATE_NAMES, PUBLIC_NAMES, format_move

BUILD, DRAW, CONTRACT, KEEP, PASS = "build", "draw", "contract", "keep", "pass"


class Option(NamedTuple):
    """A legal move and what it would score. What would come up afterwards is no part of it.

    ``move``       the move in the notation, as :meth:`Match.play` takes it
    ``kind``       ``build``, ``draw``, ``contract``, ``keep`` or ``pass``
    ``cards``      the cards that it takes or plays, of a build the number and then the color
    ``spaces``     where they lie, counted from 1: the cards of a draw, the public contracts of a
                   claim; of private contracts to keep their numbers in the deal
    ``house``      of a build: where
    ``token``      the house whose roof would receive the token of the ground floor
    ``scores``     VP and what for, without public contracts that a build could go on with
    ``contracts``  public contracts that a build could fulfill, or that a claim fulfills, and VP
    ``private``    private contracts that it would keep, where the asking seat may know
    ``completes``  the build completes the house
    """

    move: str
    kind: str
    cards: tuple[str, ...] = ()
    spaces: tuple[int, ...] = ()
    house: str | None = None
    token: str | None = None
    scores: tuple[Score, ...] = ()
    contracts: tuple[tuple[str, int], ...] = ()
    private: tuple[str, ...] = ()
    completes: bool = False

    @property
    def vp(self) -> int:
        """What the move would score, fulfilling every public contract that it meets."""
        own = sum(score.vp for score in self.scores)
        return own if self.kind == CONTRACT else own + sum(vp for _, vp in self.contracts)

    def json(self) -> dict[str, Any]:
        """Return the move as ``porto moves --format json`` has it. The scores of a build are with
        all public contracts that it could fulfill.
        """
        is_build = self.kind == BUILD
        scores = [[score.reason, score.vp] for score in self.scores]
        if is_build:
            scores += [[Score(PUBLIC_CONTRACT, vp, name).reason, vp] for name, vp in self.contracts]
        return {
            "move": self.move,
            "kind": self.kind,
            "number_card": self.cards[0] if is_build else None,
            "color_card": self.cards[1] if is_build else None,
            "house": self.house,
            "token": self.token,
            "completes": self.completes,
            "cards": list(self.cards),
            "spaces": list(self.spaces),
            "contracts": [*(name for name, _ in self.contracts), *self.private],
            "vp": self.vp,
            "scores": scores,
        }


def moves_json(state: State, seat: int | None = None) -> dict[str, Any]:
    """Return the legal moves of a seat as ``porto moves --format json`` has them, see
    :func:`options`.
    """
    moves = [option.json() for option in options(state, seat)]
    return {"count": len(moves), "moves": moves}


def observe(state: State, seat: int | None, steps: Sequence[Step] = ()) -> dict[str, Any]:
    """Return what a seat, or (``None``) a bystander, may see and do after ``steps``.

    It is the :func:`~porto_cli.games.porto.view.view` with the ``last_turn``, and the legal moves
    of the seat, the one that scores most first.
    """
    from porto_cli.games.porto.view import last_turn, view

    moves = {"count": 0, "moves": []} if seat is None else moves_json(state, seat)
    return {**view(state, seat), "last_turn": last_turn(steps), **moves}


def options(state: State, seat: int | None = None) -> list[Option]:
    """Return every legal move of a seat, of who is to move if not said, best score first.

    Moves that score the same stay in the order of the rules. ``seat`` is also the observer: only
    the seat itself sees what its private contracts are.
    """
    moves = legal_moves(state, seat)
    return sorted((option_of(state, move, seat) for move in moves), key=lambda option: -option.vp)


def option_of(state: State, move: Move, seat: int | None = None) -> Option:
    """Return a legal move and what it would score, see :func:`options`."""
    text = format_move(move, state)
    if isinstance(move, Build):
        return _build(state, move, text)
    if isinstance(move, Draw):
        return Option(
            text,
            DRAW,
            cards=tuple(CARDS[state.cards[space]] for space in move.spaces),
            spaces=_from_one(move.spaces),
        )
    if isinstance(move, Claim):
        fulfilled = _public(state, move.spaces)
        return Option(
            text,
            CONTRACT,
            spaces=_from_one(move.spaces),
            scores=_scores(state, move),
            contracts=fulfilled,
        )
    if isinstance(move, Keep):
        known = b"" if seat is None else private_of(state, seat, seat)
        kept = [known[place] for place in move.places] if known else []
        kept += [contract for contract in move.named if contract != HIDDEN]
        names = tuple(PRIVATE_NAMES[contract] for contract in kept)
        return Option(text, KEEP, spaces=_from_one(move.places), private=names)
    return Option(text, text.partition(" ")[0])


def _build(state: State, build: Build, text: str) -> Option:
    """Weigh a build. One for the solo timer scores nothing at all (P-SOLO-4)."""
    built = outcome(state, build)
    timer = state.phase == TIMER
    return Option(
        text,
        BUILD,
        cards=(CARDS[build.number], CARDS[build.color]),
        house=HOUSES[build.house],
        token=None if build.token == NOWHERE else HOUSES[build.token],
        scores=() if timer else _scores(state, build),
        contracts=() if timer else _public(state, met_by(built, state.contracts)),
        completes=built.completed,
    )


def _from_one(spaces: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(space + 1 for space in spaces)


def _public(state: State, spaces: tuple[int, ...]) -> tuple[tuple[str, int], ...]:
    contracts = (state.contracts[space] for space in spaces)
    return tuple((PUBLIC_NAMES[contract], state.config.public[contract]) for contract in contracts)


def _scores(state: State, move: Move) -> tuple[Score, ...]:
    """Return what the engine scores for a move; what comes up afterwards is ignored."""
    _, events = apply(state, move, lambda stream, index, pile: 0)
    return tuple(
        event.score
        for event in events
        if isinstance(event, Scored) and event.kind != PRIVATE_CONTRACT
    )
