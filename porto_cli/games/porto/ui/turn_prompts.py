"""What a player is offered in a turn at the keyboard."""

from __future__ import annotations

from porto_cli.core.message import say
from porto_cli.game_ui import Entry, Offer
from porto_cli.games.porto.engine.conditions import may_keep
from porto_cli.games.porto.engine.state import ACT, CONTRACTS, KEEP, TIMER, State
from porto_cli.games.porto.move_list import BUILD, DRAW, Option, options
from porto_cli.games.porto.ui import move_prompts
from porto_cli.match.match import Match
from porto_cli.term.prompt import Asker

TURN_RULES = (
    *move_prompts.DRAW_RULES,
    *move_prompts.BUILD_RULES,
    *move_prompts.SCORE_RULES,
    "P-PASS-1",
)


def offer(match: Match, seat: int, asker: Asker) -> Offer:
    """Return the question of a turn, and the moves that it offers."""
    state = match.state
    player = match.players[seat]
    if state.phase == KEEP:
        question = (
            say("{player}, first keep three private contracts.", player=player)
            if not state.is_revealing
            else say("{player}, reveal your three private contracts.", player=player)
        )
        return Offer(question, [_keep(state, seat, asker)], move_prompts.KEEP_RULES, at_once=True)
    found = options(state, seat)
    if state.phase == CONTRACTS:
        met = max((option.contracts for option in found), key=len)
        claim = Entry(say("Choose public contracts"), lambda: [move_prompts.contracts(asker, met)])
        return Offer(
            say("{player}, what do you fulfill with your build?", player=player),
            [claim],
            move_prompts.PUBLIC_RULES,
            at_once=True,
        )
    only = _only(found)
    if state.phase == TIMER:
        return Offer(
            say("{player}, what do you build for the timer?", player=player),
            only or [_build(state, found, asker)],
            move_prompts.TIMER_RULES,
            at_once=not only,
        )
    question = say("{player}, what do you do?", player=player)
    return Offer(question, only or _act(state, found, asker), TURN_RULES)


def meanwhile(match: Match, seat: int, asker: Asker) -> list[Entry]:
    """Offer to keep private contracts before it is one's turn."""
    state = match.state
    may = state.dealt and not state.is_revealing and may_keep(state, seat)
    return [_keep(state, seat, asker)] if may else []


def _only(found: list[Option]) -> list[Entry]:
    """Offer the only legal move, if there is only one."""
    if len(found) != 1 or found[0].contracts:
        return []
    move = found[0].move
    return [Entry(say("{move} (nothing else is possible)", move=move), lambda: [move])]


def _act(state: State, found: list[Option], asker: Asker) -> list[Entry]:
    builds = [option for option in found if option.kind == BUILD]
    draws = [option for option in found if option.kind == DRAW]
    entries = [_build(state, builds, asker)] if builds else []
    if draws:
        label = say("Draw construction cards")
        entries.append(Entry(label, lambda: [move_prompts.draw(asker, draws)]))
    return entries


def _build(state: State, builds: list[Option], asker: Asker) -> Entry:
    best = max(option.vp for option in builds)
    label = say("Build, for up to {vp} VP", vp=best) if state.phase == ACT else say("Build")
    return Entry(label, lambda: move_prompts.build(asker, state, builds))


def _keep(state: State, seat: int, asker: Asker) -> Entry:
    label = (
        say("Choose three private contracts")
        if not state.is_revealing
        else say("Reveal three private contracts")
    )
    return Entry(label, lambda: [move_prompts.keep(asker, state, seat)])
