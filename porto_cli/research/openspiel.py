"""Our games as OpenSpiel games: importing this module registers ``porto`` and ``puerto_rico``.

    import pyspiel
    import porto_cli.research.openspiel

    game = pyspiel.load_game("porto(players=3)")

Parameters are ``players`` and the options of the game. A chance outcome is the number of the thing
that comes up. ``docs/research.md`` has the rest.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from porto_cli.core.chance import seeded_chance
from porto_cli.games import BOX
from porto_cli.players import Luck, Player
from porto_cli.research import Tree, TreeNode, tree_of
from porto_cli.simulate import simulation_of

try:
    import numpy as np
    import pyspiel
except ImportError as error:
    raise ModuleNotFoundError(
        "OpenSpiel is not installed; 'pip install open_spiel numpy' installs it.",
        name="pyspiel",
    ) from error

HIDDEN = 0
"""The number that replaces an action in an information state whose player may not know it."""
CHANCE, TERMINAL = int(pyspiel.PlayerId.CHANCE), int(pyspiel.PlayerId.TERMINAL)


def register(tree: Tree) -> str:
    """Register a game with OpenSpiel, unless it is registered; return its name there."""
    kind = type_of(tree)
    if kind.short_name not in pyspiel.registered_names():
        # A class, because OpenSpiel keeps it while Python shuts down, which breaks functions.
        pyspiel.register_game(kind, type(kind.short_name, (TreeGame,), {"tree": tree}))
    return str(kind.short_name)


def type_of(tree: Tree) -> Any:
    """Return the OpenSpiel type of a game.

    In a game whose players can know the whole table, the information state is the history, and has
    no tensor.
    """
    kinds = pyspiel.GameType
    known = kinds.Information
    return kinds(
        short_name=tree.game_id.replace("-", "_"),
        long_name=tree.game.meta.title,
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=known.PERFECT_INFORMATION if tree.is_open else known.IMPERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=tree.players[-1],
        min_num_players=tree.players[0],
        provides_information_state_string=True,
        provides_information_state_tensor=not tree.is_open,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"players": tree.usual, **tree.options},
    )


class TreeGame(pyspiel.Game):
    """A game with its parameters. Raises ValueError for invalid ones."""

    tree: Tree

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        tree = self.tree
        self.config: Any = tree.config_of(**(params or {}))
        self.root = tree.root(self.config)
        info = pyspiel.GameInfo(
            num_distinct_actions=len(tree.actions),
            max_chance_outcomes=max(map(len, tree.things.values()), default=0),
            num_players=len(self.config.players),
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=tree.longest[0],
        )
        super().__init__(type_of(tree), info, params or {})

    def new_initial_state(self) -> TreeState:
        """Return the beginning of a game."""
        return TreeState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Return the maximum number of things that come up in a game."""
        return self.tree.longest[1]

    def make_py_observer(
        self, iig_obs_type: Any = None, params: dict[str, Any] | None = None
    ) -> TreeObserver:
        """Return the observer that writes what a player may know as strings and tensors."""
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return TreeObserver(self, kind, params)


class TreeState(pyspiel.State):
    """A node of the tree, and the way there."""

    node: TreeNode
    """The place in the tree, a value that includes everything hidden."""

    def __init__(self, game: TreeGame) -> None:
        super().__init__(game)
        # For each action the only player who knows it, counted from 1, or 0 if everybody does. It
        # is an immutable value that copies share.
        self._owners = b""
        self._go(game.root)

    @property
    def tree(self) -> Tree:
        """The game."""
        tree: Tree = self.get_game().tree
        return tree

    def known(self, player: int | None) -> list[int]:
        """Return all actions so far as a player, or (``None``) a bystander, knows them.

        1 is added to each; actions that only another player knows are 0.
        """
        own = 0 if player is None else player + 1
        pairs = zip(self.history(), self._owners, strict=True)
        return [action + 1 if who in (0, own) else HIDDEN for action, who in pairs]

    def current_player(self) -> int:
        """Return the player to move, or ``CHANCE``, or ``TERMINAL``."""
        return self._player

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self._player == TERMINAL

    def returns(self) -> list[float]:
        """Return the payoff of each player, see :meth:`porto_cli.research.Tree.returns`."""
        return list(self.tree.returns(self.node))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return what can come up, with its probability."""
        return self.tree.outcomes(self.node)

    def outcome_by_seed(self, seed: str) -> int:
        """Return what comes up here in the record with this seed.

        Raises ValueError if nothing comes up.
        """
        return self.tree.chosen(self.node, seeded_chance(seed))

    def resample_from_infostate(self, player_id: int, sampler: Callable[[], float]) -> TreeState:
        """Return a state that is possible for all this player knows: what others hide is dealt
        again.

        ``sampler`` returns numbers from 0 up to 1. What was dealt to the others, and what they
        chose in secret, also changes in the history; everything else is the same. Raises ValueError
        during the setup.
        """
        tree, node = self.tree, self.node
        other: TreeState = self.get_game().new_initial_state()
        table = tree.game.resample(tree.game.view(node.table, player_id), Luck(sampler))
        secrets = iter(tree.secrets(table))
        for each, who in zip(self.full_history(), self._owners, strict=True):
            secret = next(secrets) if who else each.action
            other._replay(each.player, tree.numbers[secret] if isinstance(secret, str) else secret)
        other._owners = self._owners
        other._go(node if tree.is_open else node._replace(state=table))
        return other

    def _replay(self, player: int, action: int) -> None:
        """Put an action into the history without playing it."""
        self._player, self._replays = player, True
        self.apply_action(action)

    def _go(self, node: TreeNode) -> None:
        self.node, self._replays = node, False
        if node.pile is not None:
            self._player = CHANCE
        else:
            self._player = TERMINAL if node.over else node.table.seat

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.node.legal)

    def _apply_action(self, action: int) -> None:
        if self._replays:
            return
        who = self.tree.owner(self.node)
        self._owners += bytes([0 if who is None else who + 1])
        self._go(self.tree.play(self.node, action))

    def _action_to_string(self, player: int, action: int) -> str:
        if player != CHANCE:
            return self.tree.actions[action]
        pile = self.node.pile
        return self.tree.things[pile.stream][action] if pile else f"thing {action}"

    def __str__(self) -> str:
        history = " ".join(map(str, self.history()))
        return f"{self.tree.observed(self.node, None)}\nhistory: {history}"


class TreeObserver:
    """What a player may know, as a string and a tensor, with or without the history.

    ``dict`` has the fields of an observation by name, and with perfect recall ``history``: the
    actions as in :meth:`TreeState.known`, followed by zeros.
    """

    def __init__(self, game: TreeGame, kind: Any, params: dict[str, Any] | None) -> None:
        tree, private = game.tree, pyspiel.PrivateInfoType
        if params or not kind.public_info or kind.private_info == private.ALL_PLAYERS:
            raise ValueError(
                f"An observation of {tree.game.meta.title} takes no parameters; it has all public "
                "information, and the private information of one player or none."
            )
        self._own = kind.private_info == private.SINGLE_PLAYER
        self._recalls = kind.perfect_recall
        row = tree.row(game.num_players())
        # In an open game only the string has the history: it can be long, and the table says all.
        longest = 0 if tree.is_open or not self._recalls else sum(tree.longest)
        self.tensor = np.zeros(row.size + longest, np.float32)
        places = row.places()
        self.dict = {name: self.tensor[places[name]] for name in row.parts}
        if longest:
            self.dict["history"] = self.tensor[row.size :]

    def set_from(self, state: TreeState, player: int) -> None:
        """Write what a player may know into ``tensor``, and so into ``dict``, its named parts."""
        seat = player if self._own else None
        known = state.known(seat) if "history" in self.dict else []
        numbers = [*state.tree.observation(state.node, seat), *known]
        self.tensor[: len(numbers)] = numbers
        self.tensor[len(numbers) :] = 0

    def string_from(self, state: TreeState, player: int) -> str:
        """Return what a player may know as text."""
        seat = player if self._own else None
        if not self._recalls:
            return state.tree.observed(state.node, seat)
        return f"player {player}; actions: {' '.join(map(str, state.known(seat)))}"


class PlayerBot(pyspiel.Bot):
    """One of our players as an OpenSpiel bot, which is given what its seat may know."""

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
        node, tree = state.node, state.tree
        if node.table is not self._table:
            self._table = node.table
            choices = simulation_of(tree.game_id).choices(node.table, self._rng)
            view = tree.game.view(node.table, self._seat)
            self._plan = tree.encode(self._player(view, choices, self._rng))
        begun = node.begun
        planned = self._plan[: len(begun)] == begun and self._plan[len(begun)] in node.legal
        return self._plan[len(begun)] if planned else node.legal[0]


NAMES = {game_id: register(tree_of(game_id)) for game_id in BOX}
"""The OpenSpiel names of the games of the box."""
