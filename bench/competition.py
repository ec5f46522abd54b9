"""The agents of the Puerto Rico AI Competition (IEEE CoG 2027) as players of our engine.

The competition, github.com/dae-hany/PuertoRico_AI_Competition (MIT), has an engine of its own for
three players, which its agents look at. For each of their decisions our table is set up there, and
what they do is looked up among our legal moves; a move that our rules do not know becomes the first
legal one, and is counted. They see the VP chips of all, as in the competition; the order of the
tiles that lie face down is another one each time, as it is not decided here before they come up.
Get a copy of it, and what it needs: NumPy, Gymnasium, PettingZoo 1.24, for PPO also PyTorch::

    python -m bench.competition FOLDER level-3 --against action-value --deals 100
    python -m bench.competition FOLDER level-5 --against mcts:50 --deals 5
    python -m bench.competition FOLDER level-5 --against ppo:FOLDER/training/checkpoints/FILE

The player is in each seat of each deal, two agents in the others. ``mcts`` has 200 simulations for
each move, unless another number is given; PPO without a file has learned nothing.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

from bench.research import interval
from bench.training.compare import mean_of
from porto_cli.core.chance import seeded_chance
from porto_cli.games import game_of
from porto_cli.games.puerto_rico.engine import BUILDINGS, FIRST_BUILDING, QUARRY
from porto_cli.games.puerto_rico.engine.goods import legal_stores
from porto_cli.games.puerto_rico.engine.moves import (
    BY_WHARF,
    FACE_DOWN,
    PASS,
    Build,
    Load,
    Move,
    Place,
    Sell,
    Store,
    Take,
    TakeRole,
)
from porto_cli.games.puerto_rico.engine.state import (
    BUILDER_PHASE,
    CAPTAIN_PHASE,
    COLONISTS_END,
    MAYOR_PHASE,
    NOBODY,
    PRIVILEGE_PHASE,
    ROLE_PHASE,
    SETTLER_PHASE,
    STORE_PHASE,
    TRADER_PHASE,
    Config,
    State,
)
from porto_cli.players import Player
from porto_cli.players.named import player_named
from porto_cli.simulate import simulation_of

NAMES = ("A", "B", "C")
SEATS = len(NAMES)
THEIR_GOOD = (2, 4, 3, 1, 0)
"""Their number of each of our goods; plantations have the same."""
OUR_GOOD = tuple(THEIR_GOOD.index(good) for good in range(5))
PHASES = {
    ROLE_PHASE: "END_ROUND",
    SETTLER_PHASE: "SETTLER",
    MAYOR_PHASE: "MAYOR",
    BUILDER_PHASE: "BUILDER",
    PRIVILEGE_PHASE: "CRAFTSMAN",
    TRADER_PHASE: "TRADER",
    CAPTAIN_PHASE: "CAPTAIN",
    STORE_PHASE: "CAPTAIN_STORE",
}
AGENTS = {
    "action-value": ("action_value_agent", "ActionValueAgent"),
    "shipping-rush": ("shipping_rush_agent", "ShippingRushAgent"),
    "trade-building": ("trade_building_agent", "TradeBuildingAgent"),
    "factory": ("factory_agent", "FactoryAgent"),
    "mcts": ("mcts_agent", "MctsAgent"),
    "ppo": ("ppo_agent", "PpoAgent"),
    "random": ("random_agent", "RandomAgent"),
}
PASS_ACTION = 15
ROLE_ACTIONS, PLANTATIONS, QUARRY_ACTION, HACIENDA = range(8), 8, 13, 105
BUILD, SELL, LOAD, LOAD_WHARF = 16, 39, 44, 59
KEEP_ONE, KEEP_ALL, PRIVILEGE = 64, 106, 93


class Outsider:
    """An agent of the competition; ``unknown`` counts moves of it that we do not know."""

    def __init__(self, folder: Path, name: str) -> None:
        if str(folder) not in sys.path:
            sys.path.insert(0, str(folder))
        kind, _, given = name.partition(":")
        if kind != "ppo":
            # It alone needs PyTorch, and is imported with all the others.
            stub = ModuleType("agents.ppo_agent")
            stub.PpoAgent = None  # type: ignore[attr-defined]
            sys.modules.setdefault("agents.ppo_agent", stub)
        module, cls = AGENTS[kind]
        self.constants = import_module("puerto_rico.constants")
        self.components = import_module("puerto_rico.components")
        self.flatten = import_module("puerto_rico.observation").flatten_observation
        self.env = import_module("puerto_rico.env").PuertoRicoEnv(SEATS)
        self.env.reset(seed=1)
        self.engine = import_module("puerto_rico.engine").PuertoRicoGame
        self.building = [
            self.constants.BuildingType[_their_name(building.name)]
            if hasattr(self.constants.BuildingType, _their_name(building.name))
            else None
            for building in BUILDINGS
        ]
        agent: Any = getattr(import_module(f"agents.{module}"), cls)
        self.agent = agent(int(given) if given.isdigit() else given) if given else agent()
        self.agent.on_game_start(import_module("puerto_rico.forward_model").ForwardModel(self.env))
        self.rng = Random(name)
        self.moves = self.unknown = 0

    def move(self, state: State, moves: Sequence[Move]) -> Move:
        """Return the move of the agent, or the first legal one if ours do not have it."""
        self.moves += 1
        self.set_up(state)
        found = _FINDERS[state.phase](self, state)
        for move in found:
            if state.phase == MAYOR_PHASE:
                return move
            if move in moves:
                return move
        self.unknown += 1
        return moves[0]

    def action(self) -> int:
        """Return what the agent does at the table that is set up."""
        seat = self.env.game.current_player_idx
        self.env.agent_selection = f"player_{seat}"
        seen = self.env.observe(self.env.agent_selection)
        return int(self.agent.act(self.flatten(seen["observation"]), seen["action_mask"]))

    def set_up(self, state: State) -> None:
        """Set up a table of ours in their engine."""
        c = self.constants
        game = self.engine(SEATS)
        seats = [self._player(game.players[seat], state, seat) for seat in range(SEATS)]
        game.players = seats
        game.vp_chips = state.vp_left
        game.colonists_supply, game.colonists_ship = state.supply, state.ship
        game.goods_supply = {
            c.Good(THEIR_GOOD[good]): n for good, n in enumerate(state.goods_supply)
        }
        for ship, kind, barrels in zip(
            game.cargo_ships, state.cargo_goods, state.cargo_barrels, strict=True
        ):
            ship.current_load = barrels
            ship.good_type = c.Good(THEIR_GOOD[kind]) if kind < 5 else None
        game.trading_house = [c.Good(THEIR_GOOD[good]) for good in state.trading_house]
        game.quarry_stack = state.quarries
        tile = [c.TileType(THEIR_GOOD[good]) for good in range(5)]
        game.face_up_plantations = [
            tile[n] for n, count in enumerate(state.row) for _ in range(count)
        ]
        game.plantation_stack = [tile[n] for n in state.stack]
        self.rng.shuffle(game.plantation_stack)
        game.plantation_discard = [
            tile[n] for n, count in enumerate(state.discards) for _ in range(count)
        ]
        for building, theirs in enumerate(self.building):
            if theirs is not None:
                game.building_supply[theirs] = state.copies[FIRST_BUILDING + building]
        game.available_roles = [c.Role(r) for r in range(6) if state.taken[r] == NOBODY]
        game.roles_in_play = [c.Role(r) for r in range(6) if state.taken[r] != NOBODY]
        game.role_doubloons = {c.Role(r): state.role_doubloons[r] for r in range(6)}
        game.round_number = state.round - 1
        game.governor_idx, game.current_player_idx = state.governor, state.seat
        game.current_phase = c.Phase[PHASES[state.phase]]
        playing = state.phase != ROLE_PHASE
        game.active_role = c.Role(state.role) if playing else None
        game.active_role_player = state.chooser
        game.players_taken_action = (state.seat - state.chooser) % SEATS if playing else 0
        game._hacienda_used = state.face_down
        game._captain_privilege_used = bool(state.loaded >> max(0, state.chooser) & 1)
        game._wharf_used = {seat: bool(state.wharf_used >> seat & 1) for seat in range(SEATS)}
        game._craftsman_produced_kinds = [
            c.Good(THEIR_GOOD[good]) for good, number in enumerate(state.produced) if number
        ]
        game._colonists_ship_underfilled = COLONISTS_END in state.end_triggered
        self.env.game = game
        self.env.agents = self.env.possible_agents[:]
        for their in (self.env.terminations, self.env.truncations):
            their.update(dict.fromkeys(self.env.possible_agents, False))

    def _player(self, theirs: Any, state: State, seat: int) -> Any:
        c = self.constants
        ours = state.players[seat]
        placing = state.phase == MAYOR_PHASE and seat == state.seat
        theirs.doubloons, theirs.vp_chips = ours.doubloons, ours.vp
        theirs.goods = {c.Good(THEIR_GOOD[good]): n for good, n in enumerate(ours.goods)}
        theirs.unplaced_colonists = ours.people if placing else ours.san_juan
        theirs.island_board = []
        for place in range(QUARRY + 1):
            kind = c.TileType(THEIR_GOOD[place] if place < QUARRY else 5)
            for nth in range(ours.island[place]):
                manned = not placing and nth < ours.colonists[place]
                theirs.island_board.append(self.components.IslandTile(kind, manned))
        theirs.city_board = []
        for number, kind in enumerate(self.building):
            place = FIRST_BUILDING + number
            if ours.city >> place & 1 and kind is not None:
                people = 0 if placing else ours.colonists[place]
                theirs.city_board.append(self.components.CityBuilding(kind, people))
                if BUILDINGS[number].spaces == 2:
                    taken = c.BuildingType.OCCUPIED_SPACE
                    theirs.city_board.append(self.components.CityBuilding(taken, 0))
        return theirs

    # What an action is among our moves: those that it may be, the likeliest first.

    def role(self, state: State) -> list[Move]:
        """Return the role."""
        return [TakeRole(self.action())]

    def settle(self, state: State) -> list[Move]:
        """Return the tile."""
        action = self.action()
        if action == PASS_ACTION:
            return [PASS]
        if action == HACIENDA:
            return [Take(FACE_DOWN)]
        return [Take(QUARRY if action == QUARRY_ACTION else OUR_GOOD[action - PLANTATIONS])]

    def build(self, state: State) -> list[Move]:
        """Return the building."""
        action = self.action()
        if action == PASS_ACTION:
            return [PASS]
        kind = self.constants.BuildingType(action - BUILD)
        return [Build(FIRST_BUILDING + self.building.index(kind))]

    def sell(self, state: State) -> list[Move]:
        """Return the sale."""
        action = self.action()
        return [PASS if action == PASS_ACTION else Sell(OUR_GOOD[action - SELL])]

    def privilege(self, state: State) -> list[Move]:
        """Return the barrel."""
        action = self.action()
        return [PASS if action == PASS_ACTION else Take(OUR_GOOD[action - PRIVILEGE])]

    def load(self, state: State) -> list[Move]:
        """Return what is loaded."""
        action = self.action()
        if action == PASS_ACTION:
            return [PASS]
        if action >= LOAD_WHARF:
            return [Load(OUR_GOOD[action - LOAD_WHARF], BY_WHARF)]
        ship, good = divmod(action - LOAD, 5)
        return [Load(OUR_GOOD[good], state.config.box.cargo[ship])]

    def store(self, state: State) -> list[Move]:
        """Return what is kept: they say it one kind after the other."""
        goods = state.players[state.seat].goods
        kept = bytearray(5)
        game = self.env.game
        for _ in range(6):
            mask = self.env.valid_action_mask()
            legal = [action for action in range(len(mask)) if mask[action]]
            action = legal[0] if len(legal) == 1 else self.action()
            if action == PASS_ACTION:
                break
            if action >= KEEP_ALL:
                good = OUR_GOOD[action - KEEP_ALL]
                kept[good] = goods[good]
                game.action_captain_store_warehouse(
                    state.seat, self.constants.Good(action - KEEP_ALL)
                )
            else:
                good = OUR_GOOD[action - KEEP_ONE]
                kept[good] = max(kept[good], 1)
                game.action_captain_store_windrose(
                    state.seat, self.constants.Good(action - KEEP_ONE)
                )
        # What could be kept as well has to be (PR-STORE-2), which their rules do not demand.
        enough = [
            one
            for one in legal_stores(state)
            if isinstance(one, Store) and all(map(int.__ge__, one.goods, kept))
        ]
        return [Store(bytes(kept)), *enough]

    def place(self, state: State) -> list[Move]:
        """Return the placement: they place one colonist after the other."""
        game, seat = self.env.game, state.seat
        player = game.players[seat]
        c = self.constants
        while game.current_phase == c.Phase.MAYOR and game.current_player_idx == seat:
            mask = self.env.valid_action_mask()
            legal = [action for action in range(len(mask)) if mask[action]]
            if not legal:
                break
            action = legal[0] if len(legal) == 1 else self.action()
            city = action >= 140
            board = player.city_board if city else player.island_board
            wanted = action - (140 if city else 120)
            slot = next(
                nth
                for nth, one in enumerate(board)
                if (
                    one.building_type == wanted
                    and one.colonists < c.BUILDING_DATA[one.building_type][2]
                    if city
                    else one.tile_type == wanted and not one.is_occupied
                )
            )
            game.action_mayor_place_colonist(seat, city, slot)
        placed = bytearray(len(state.players[seat].colonists))
        for tile in player.island_board:
            if tile.is_occupied:
                placed[OUR_GOOD[tile.tile_type] if tile.tile_type < 5 else QUARRY] += 1
        for one in player.city_board:
            if one.colonists:
                placed[FIRST_BUILDING + self.building.index(one.building_type)] += one.colonists
        return [Place(bytes(placed))]


def _their_name(name: str) -> str:
    return name.replace("guild-hall", "guildhall").replace("-", "_").upper()


_FINDERS: dict[str, Callable[[Outsider, State], list[Move]]] = {
    ROLE_PHASE: Outsider.role,
    SETTLER_PHASE: Outsider.settle,
    MAYOR_PHASE: Outsider.place,
    BUILDER_PHASE: Outsider.build,
    PRIVILEGE_PHASE: Outsider.privilege,
    TRADER_PHASE: Outsider.sell,
    CAPTAIN_PHASE: Outsider.load,
    STORE_PHASE: Outsider.store,
}


def play(ours: Player, theirs: Sequence[Outsider], seed: str, number: int) -> float:
    """Return what a player of ours wins in the game of this number (from 0).

    It is a game of :func:`porto_cli.simulate.play_game`, but for what others see.
    """
    deal, turned = divmod(number, SEATS)
    game, simulation = game_of("puerto-rico"), simulation_of("puerto-rico")
    config, rng, chance = Config(NAMES), Random(f"{seed}/{number}"), seeded_chance(f"{seed}/{deal}")
    state = game.initial_state(config, game.deal(config, chance))
    while (outcome := game.outcome(state)) is None:
        moves = simulation.choices(state, rng)
        nth = (state.seat - turned) % SEATS
        if nth:
            move = theirs[nth - 1].move(state, moves)
        else:
            move = ours(game.view(state, state.seat), moves, rng)
        state, _ = game.apply(state, move, chance, state.seat)
    return outcome.won[turned] / sum(outcome.won)


def main(args: list[str] | None = None) -> int:
    """Run the program and return its exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.competition",
        description="Play against agents of the Puerto Rico AI Competition, three at a table.",
    )
    parser.add_argument("folder", type=Path, help="a copy of the competition")
    parser.add_argument("player", help="a player of ours, such as level-3")
    parser.add_argument("--against", default="action-value", help=f"{', '.join(AGENTS)}; mcts:50")
    parser.add_argument("--deals", type=int, default=10)
    parser.add_argument("--seed", default="competition")
    asked = parser.parse_args(args)
    if not (asked.folder / "agents").is_dir() or asked.against.partition(":")[0] not in AGENTS:
        print(f"There is no agent {asked.against!r} in {asked.folder}.", file=sys.stderr)
        return 2
    ours = player_named(asked.player, "puerto-rico").player
    theirs = [Outsider(asked.folder, asked.against) for _ in range(SEATS - 1)]
    games = [play(ours, theirs, asked.seed, number) for number in range(asked.deals * SEATS)]
    deals = [sum(games[first : first + SEATS]) / SEATS for first in range(0, len(games), SEATS)]
    low, high = interval(sum(games), len(games))
    moves = sum(one.moves for one in theirs)
    unknown = sum(one.unknown for one in theirs)
    print(
        f"{asked.player} against two of {asked.against}: {mean_of(deals)} of {asked.deals} deals, "
        f"{sum(games):g} of {len(games)} games, with 95 % between {low:.1%} and {high:.1%}; "
        f"{unknown} of their {moves} moves were not known"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
