"""The legal moves of a seat, each with what it brings, as documents have them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from porto_cli.game import Step
from porto_cli.games.porto.engine.build import Build, outcome
from porto_cli.games.porto.engine.claim import Claim
from porto_cli.games.porto.engine.components import CARDS, HIDDEN, HOUSES, NOWHERE
from porto_cli.games.porto.engine.draw import Draw
from porto_cli.games.porto.engine.events import PUBLIC_CONTRACT, Score, scored_in
from porto_cli.games.porto.engine.keep import Keep
from porto_cli.games.porto.engine.names import PRIVATE_NAMES, PUBLIC_NAMES
from porto_cli.games.porto.engine.play import Move, apply, legal_moves
from porto_cli.games.porto.engine.scoring import met_by
from porto_cli.games.porto.engine.state import TIMER, State
from porto_cli.games.porto.events import scores_json
from porto_cli.games.porto.hidden_information import private_of
from porto_cli.games.porto.notation import format_move

BUILD, DRAW, CONTRACT, KEEP, PASS = "build", "draw", "contract", "keep", "pass"


def moves_json(state: State, seat: int | None = None) -> dict[str, Any]:
    """Return the legal moves of a seat as ``porto moves --format json`` has them, see
    :func:`moves`.
    """
    found = moves(state, seat)
    return {"count": len(found), "moves": found}


def observe(state: State, seat: int | None, steps: Sequence[Step] = ()) -> dict[str, Any]:
    """Return what a seat, or (``None``) a bystander, may see and do after ``steps``.

    It is the :func:`~porto_cli.games.porto.view.view` with the ``last_turn``, and the legal moves
    of the seat, the one that scores most first.
    """
    from porto_cli.games.porto.view import last_turn, view

    legal = {"count": 0, "moves": []} if seat is None else moves_json(state, seat)
    return {**view(state, seat), "last_turn": last_turn(steps), **legal}


def moves(state: State, seat: int | None = None) -> list[dict[str, Any]]:
    """Return every legal move of a seat, of who is to move if not said, best score first.

    Moves that score the same stay in the order of the rules. ``seat`` is also the observer: only
    the seat itself sees what its private contracts are. What would come up after a move is no part
    of it. Each has

    ``move``       the move in the notation, as :meth:`Match.play` takes it
    ``kind``       ``build``, ``draw``, ``contract``, ``keep`` or ``pass``
    ``number_card``, ``color_card``, ``house``  of a build
    ``token``      the house whose roof would receive the token of the ground floor
    ``completes``  the build completes the house
    ``cards``      the cards that it takes or plays
    ``spaces``     where they lie, counted from 1: the cards of a draw, the public contracts of a
                   claim; of private contracts to keep their numbers in the deal
    ``contracts``  public contracts that a build could fulfill, or that a claim fulfills; private
                   contracts that it would keep, where the asking seat may know
    ``vp``         what it would score, fulfilling every public contract that it meets
    ``scores``     VP and what for
    """
    found = [move_json(state, move, seat) for move in legal_moves(state, seat)]
    return sorted(found, key=lambda one: -int(one["vp"]))


def move_json(state: State, move: Move, seat: int | None = None) -> dict[str, Any]:
    """Return a legal move and what it would score, see :func:`moves`."""
    text = format_move(move, state)
    facts: dict[str, Any] = {
        "move": text,
        "kind": text.partition(" ")[0],
        "number_card": None,
        "color_card": None,
        "house": None,
        "token": None,
        "completes": False,
        "cards": [],
        "spaces": [],
        "contracts": [],
        "vp": 0,
        "scores": [],
    }
    if isinstance(move, Build):
        facts |= _build(state, move)
    elif isinstance(move, Draw):
        facts["cards"] = [CARDS[state.cards[space]] for space in move.spaces]
        facts["spaces"] = _from_one(move.spaces)
    elif isinstance(move, Claim):
        facts["spaces"] = _from_one(move.spaces)
        facts["contracts"] = [score.contract for score in _public(state, move.spaces)]
        facts["scores"] = scores_json(_scores(state, move))
    elif isinstance(move, Keep):
        known = b"" if seat is None else private_of(state, seat, seat)
        kept = [known[place] for place in move.places] if known else []
        kept += [contract for contract in move.named if contract != HIDDEN]
        facts["spaces"] = _from_one(move.places)
        facts["contracts"] = [PRIVATE_NAMES[contract] for contract in kept]
    facts["vp"] = sum(vp for _, vp in facts["scores"])
    return facts


def _build(state: State, build: Build) -> dict[str, Any]:
    """Weigh a build. One for the solo timer scores nothing at all (P-SOLO-4)."""
    built = outcome(state, build)
    timer = state.phase == TIMER
    met = () if timer else _public(state, met_by(built, state.contracts))
    return {
        "number_card": CARDS[build.number],
        "color_card": CARDS[build.color],
        "house": HOUSES[build.house],
        "token": None if build.token == NOWHERE else HOUSES[build.token],
        "completes": built.completed,
        "cards": [CARDS[build.number], CARDS[build.color]],
        "contracts": [score.contract for score in met],
        "scores": scores_json(() if timer else (*_scores(state, build), *met)),
    }


def _from_one(spaces: tuple[int, ...]) -> list[int]:
    return [space + 1 for space in spaces]


def _public(state: State, spaces: Iterable[int]) -> list[Score]:
    """Return what the public contracts in these spaces would score."""
    lying = (state.contracts[space] for space in spaces)
    return [Score(PUBLIC_CONTRACT, state.config.public[one], PUBLIC_NAMES[one]) for one in lying]


def _scores(state: State, move: Move) -> list[Score]:
    """Return what the engine scores for a move; what comes up afterwards is ignored."""
    _, events = apply(state, move, lambda stream, index, pile: 0)
    return [event.score for event in scored_in(events)]
