"""Games of ours as games of OpenSpiel: what they have in common.

A chance outcome is the number of what comes up. ``docs/research.md`` has the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from porto_cli.core.chance import Chance, random_chance
from porto_cli.games import game_of
from porto_cli.players import Player
from porto_cli.research import Research
from porto_cli.simulate.simulation import simulation_of

try:
    import numpy as np
    import pyspiel
except ImportError as error:
    raise ModuleNotFoundError(
        "OpenSpiel is not installed; 'pip install open_spiel numpy' installs it.",
        name="pyspiel",
    ) from error

HIDDEN = 0
"""What an information state has in the place of an action that its player may not know."""
CHANCE, TERMINAL = int(pyspiel.PlayerId.CHANCE), int(pyspiel.PlayerId.TERMINAL)


def type_of(research: Research) -> Any:
    """Return the type of a game, as OpenSpiel wants it.

    Where who remembers everything knows the table, the history is the information state: there is
    no tensor of it.
    """
    kinds = pyspiel.GameType
    known = kinds.Information
    return kinds(
        short_name=research.game_id.replace("-", "_"),
        long_name=research.title,
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=known.PERFECT_INFORMATION if research.is_open else known.IMPERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=research.tree.PLAYERS[-1],
        min_num_players=research.tree.PLAYERS[0],
        provides_information_state_string=True,
        provides_information_state_tensor=not research.is_open,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"players": research.players, **research.options},
    )


def register(game: type[TreeGame]) -> None:
    """Make a game known to OpenSpiel, once."""
    if game.kind.short_name not in pyspiel.registered_names():
        pyspiel.register_game(game.kind, game)


class TreeGame(pyspiel.Game):
    """A game, with its parameters. Raises ValueError for those that cannot be."""

    research: Research
    kind: Any
    """What :func:`type_of` returns."""
    state: type[TreeState]

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        research = self.research
        options = {"players": research.players, **research.options, **(params or {})}
        players = int(options.pop("players"))
        self.config: Any = research.tree.config_of(players, **options)
        decisions, things = research.tree.longest(self.config)
        self.longest_history = decisions + things
        self.root = research.tree.root(self.config)
        info = pyspiel.GameInfo(
            num_distinct_actions=research.actions.COUNT,
            max_chance_outcomes=research.tree.MOST_OUTCOMES,
            num_players=players,
            min_utility=research.tree.least_return(players),
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=decisions,
        )
        super().__init__(self.kind, info, params or {})

    def new_initial_state(self) -> TreeState:
        """Return the beginning of a game."""
        return self.state(self)

    def max_chance_nodes_in_history(self) -> int:
        """Return how many things no game has more of that come up."""
        return int(self.research.tree.longest(self.config)[1])

    def make_py_observer(
        self, iig_obs_type: Any = None, params: dict[str, Any] | None = None
    ) -> TreeObserver:
        """Return what makes strings and tensors of what a player may know."""
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return TreeObserver(self, kind, params)


class TreeState(pyspiel.State):
    """A node of the tree, and the way there."""

    research: Research

    def __init__(self, game: TreeGame) -> None:
        super().__init__(game)
        self._player = CHANCE
        self._go(game.root)
        self._log = ""

    @property
    def node(self) -> Any:
        """The place in the tree: a value. It has all that is hidden."""
        return self._node

    @property
    def log(self) -> str:
        """All actions up to now, each a number more than it is, those that are secret as 0."""
        return self._log

    def current_player(self) -> int:
        """Return who is to move, or that something comes up, or that it is over."""
        return self._player

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self._player == TERMINAL

    def returns(self) -> list[float]:
        """Return what each player has won: 1 for the first place; the others lose it together."""
        return list(self.research.tree.returns(self._node))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return what can come up, and how likely each is."""
        return list(self.research.tree.outcomes(self._node))

    def outcome_by_seed(self, seed: str) -> int:
        """Return what comes up here in the record with this seed.

        Raises ValueError if nothing comes up.
        """
        tree = self.research.tree
        return int(tree.chosen(self._node, tree.by_seed(seed)))

    def resample_from_infostate(self, player_id: int, sampler: Callable[[], float]) -> TreeState:
        """Return a state that this player could be in: of an open game, this one."""
        found: TreeState = self.clone()
        return found

    def _replay(self, player: int, action: int) -> None:
        """Put an action into the history, whatever it leads to."""
        self._player = player
        self._replays = True
        self.apply_action(action)

    def _go(self, node: Any) -> None:
        self._node = node
        self._replays = False
        if node.pile is not None:
            self._player = CHANCE
        elif node.over:
            self._player = TERMINAL
        else:
            self._player = node.table.seat

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.research.tree.legal(self._node))

    def _apply_action(self, action: int) -> None:
        if self._replays:
            return
        node, tree = self._node, self.research.tree
        self._go((tree.play if node.pile is None else tree.come_up)(node, action))
        self._log += f" {HIDDEN if tree.is_secret(node, action) else action + 1}"

    def _action_to_string(self, player: int, action: int) -> str:
        if player == CHANCE:
            pile = self._node.pile
            return pile.name(action) if pile else f"thing {action}"
        return str(self.research.actions.name(action))

    def __str__(self) -> str:
        return str(self.research.tree.everything(self._node))


class TreeObserver:
    """What a player may know, as a string and a tensor, with or without how it came to it.

    ``dict`` has the fields of the game's ``tensor`` by their names, and with perfect recall
    ``history``: each action a number more than it is, 0 for those that the player may not know,
    and 0 behind the last one. The observer's secret actions are in fields of their own.
    """

    def __init__(self, game: TreeGame, kind: Any, params: dict[str, Any] | None) -> None:
        title = game.research.title
        if params:
            raise ValueError(f"An observation of {title} has no parameters: {sorted(params)}.")
        everybody = pyspiel.PrivateInfoType.ALL_PLAYERS
        if not kind.public_info or kind.private_info == everybody:
            raise ValueError(
                f"An observation of {title} has all that is public, and of what is private what "
                "one player knows or nothing."
            )
        self._own = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self._recalls = kind.perfect_recall
        self._of = game.research.tree
        players = game.config.seats
        self._size = self._of.size(players)
        # Of an open game the history is a string alone: it can be long, and the table tells all.
        recalled = self._recalls and not game.research.is_open
        self.tensor = np.zeros(self._size + (game.longest_history if recalled else 0), np.float32)
        self.dict = {name: self.tensor[place] for name, place in self._of.places(players).items()}
        if recalled:
            self.dict["history"] = self.tensor[self._size :]

    def set_from(self, state: TreeState, player: int) -> None:
        """Write what a player may know into ``tensor``, which ``dict`` has the parts of."""
        numbers = self._of.observation(state.node, player if self._own else None)
        self.tensor[: self._size] = np.frombuffer(numbers, np.uint8)
        if "history" in self.dict:
            history = state.log.split()
            self.dict["history"][:] = 0
            self.dict["history"][: len(history)] = [int(each) for each in history]

    def string_from(self, state: TreeState, player: int) -> str:
        """Return what a player may know as text."""
        seat = player if self._own else None
        if not self._recalls:
            return str(self._of.observed(state.node, seat))
        return f"player {player}; own: {self._of.own(state.node, seat)}; actions:{state.log}"


class PlayerBot(pyspiel.Bot):
    """One of our players as a bot of OpenSpiel: it is given what its seat may know."""

    def __init__(self, player: Player, seat: int, rng: Random) -> None:
        super().__init__()
        self._player = player
        self._seat = seat
        self._rng = rng
        self._table: Any = None
        self._plan: tuple[int, ...] = ()

    def restart_at(self, state: TreeState) -> None:
        """Get ready for a game."""
        self._table = None

    def step(self, state: TreeState) -> int:
        """Return the action of the player."""
        node, research = state.node, state.research
        if node.table is not self._table:
            self._table = node.table
            choices = simulation_of(research.game_id).choices(node.table, self._rng)
            seen = game_of(research.game_id).view(node.table, self._seat)
            self._plan = research.actions.encode(self._player(seen, choices, self._rng))
        begun, legal = node.begun, research.tree.legal(node)
        planned = self._plan[: len(begun)] == begun and self._plan[len(begun)] in legal
        return int(self._plan[len(begun)] if planned else legal[0])


class RandomRollouts:
    """An evaluator for searches: games that are played on at random, a good deal faster.

    The same as the evaluator of OpenSpiel, but played on by the engine.
    """

    def __init__(self, rng: Random, rollouts: int = 1) -> None:
        self._rng = rng
        self._rollouts = rollouts

    def evaluate(self, state: TreeState) -> Any:
        """Return what each player wins on average."""
        sums = np.zeros(state.num_players())
        for _ in range(self._rollouts):
            sums += state.research.tree.returns(self._end(state.research.tree, state.node))
        return sums / self._rollouts

    def prior(self, state: TreeState) -> Sequence[tuple[int, float]]:
        """Return all legal actions, each as likely."""
        if state.is_chance_node():
            return state.chance_outcomes()
        legal = state.research.tree.legal(state.node)
        return [(action, 1 / len(legal)) for action in legal]

    def _end(self, tree: Any, node: Any) -> Any:
        chance = random_chance(self._rng)
        node = tree.play_on(node, chance)
        while not node.over:
            node = self._any(tree, node, chance)
        return node

    def _any(self, tree: Any, node: Any, chance: Chance) -> Any:
        """Return the node after any legal action, and what comes up behind it."""
        legal = tree.legal(node)
        return tree.play(node, legal[int(self._rng.random() * len(legal))], chance)
