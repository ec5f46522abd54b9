"""Porto as a game of OpenSpiel: importing this module registers ``porto`` with pyspiel.

    import pyspiel
    import porto_cli.games.porto.research.openspiel

    game = pyspiel.load_game("porto(players=3)")

Parameters: ``players`` (2 to 4), ``private_contracts`` (false for the first game) and
``seat_first`` (the other tie-break). A chance outcome is the number of what comes up, see
:class:`~porto_cli.games.porto.research.tree.Pile`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from porto_cli.core.chance import Chance, chance_of
from porto_cli.game import View
from porto_cli.games.porto.engine.components import DEALT, PRIVATE
from porto_cli.games.porto.engine.generate import legal_moves
from porto_cli.games.porto.engine.moves import KEEPS, PASS
from porto_cli.games.porto.engine.play import finish
from porto_cli.games.porto.engine.state import ACT, OVER, Config, State
from porto_cli.games.porto.players.candidates import after
from porto_cli.games.porto.players.levels import weights_for
from porto_cli.games.porto.players.priced import move_of, priced_moves
from porto_cli.games.porto.players.search import turned_up
from porto_cli.games.porto.research import actions, tensor, text, tree
from porto_cli.games.porto.research.tree import Node
from porto_cli.games.porto.view import resample, view
from porto_cli.players import Player

try:
    import numpy as np
    import pyspiel
except ImportError as error:
    raise ModuleNotFoundError(
        "OpenSpiel is not installed; 'pip install \"porto-cli[openspiel]\"' installs it.",
        name="pyspiel",
    ) from error

NAME = "porto"
"""What the game is called in OpenSpiel."""
HIDDEN = 0
"""What an information state has in the place of an action that its player may not know."""

_CHANCE, _TERMINAL = int(pyspiel.PlayerId.CHANCE), int(pyspiel.PlayerId.TERMINAL)
_DEFAULTS = {"players": 2, "private_contracts": True, "seat_first": False}
_TYPE = pyspiel.GameType(
    short_name=NAME,
    long_name="Porto",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=tree.PLAYERS[-1],
    min_num_players=tree.PLAYERS[0],
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=_DEFAULTS,
)


class PortoGame(pyspiel.Game):
    """The game, with its parameters. Raises ValueError for those that cannot be."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        options = {**_DEFAULTS, **(params or {})}
        players = options.pop("players")
        self.config: Config = tree.config_of(players, **options)
        decisions, things = tree.longest(self.config)
        self.longest_history = decisions + things
        self.root = tree.root(self.config)
        info = pyspiel.GameInfo(
            num_distinct_actions=actions.COUNT,
            max_chance_outcomes=tree.MOST_OUTCOMES,
            num_players=players,
            min_utility=-1 / (players - 1),
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=decisions,
        )
        super().__init__(_TYPE, info, params or {})

    def new_initial_state(self) -> PortoState:
        """Return the beginning of a game."""
        return PortoState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Return how many things no game has more of that come up."""
        return tree.longest(self.config)[1]

    def make_py_observer(
        self, iig_obs_type: Any = None, params: dict[str, Any] | None = None
    ) -> PortoObserver:
        """Return what makes strings and tensors of what a player may know."""
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return PortoObserver(self, kind, params)


class PortoState(pyspiel.State):
    """A node of the tree, and the way there."""

    def __init__(self, game: PortoGame) -> None:
        super().__init__(game)
        self._go(game.root)
        self._log = ""

    @property
    def node(self) -> Node:
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
        """Tell whether the game is over."""
        return self._player == _TERMINAL

    def returns(self) -> list[float]:
        """Return what each player has won: 1 for the first place; the others lose it together."""
        return list(tree.returns(self._node))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return what can come up, and how likely each is."""
        return tree.outcomes(self._node)

    def outcome_by_seed(self, seed: str) -> int:
        """Return what comes up here in the record with this seed.

        Raises ValueError if nothing comes up.
        """
        return tree.chosen(self._node, tree.by_seed(seed))

    def resample_from_infostate(self, player_id: int, sampler: Callable[[], float]) -> PortoState:
        """Return a state that this player could be in: what the others hide is dealt anew.

        ``sampler`` returns numbers from 0 up to 1. What was dealt to the others, and what they
        kept, differs in the history too; all else is the same. Raises ValueError while the table
        is set up.
        """
        node = self._node
        table: State = resample(view(node.table, player_id), _Luck(sampler))
        game = self.get_game()
        other: PortoState = game.new_initial_state()
        for player, action in self._history_with(table):
            other._replay(player, action)
        other._go(node._replace(state=table))
        other._log = self._log
        return other

    def _history_with(self, table: State) -> list[tuple[int, int]]:
        """Return the history that leads to a table on which the others have other contracts."""
        history = [(each.player, each.action) for each in self.full_history()]
        if table.dealt:
            first = tree.things_in_setup(table.config)
            dealt = b"".join(table.dealt)
            history[first : first + len(dealt)] = [(_CHANCE, contract) for contract in dealt]
            for seat, kept in enumerate(table.kept):
                if kept:
                    place = next(nth for nth, (player, _) in enumerate(history) if player == seat)
                    history[place] = (seat, _keeping(table.dealt[seat], kept))
        return history

    def _replay(self, player: int, action: int) -> None:
        """Put an action into the history, whatever it leads to."""
        self._player: int = player
        self._replays = True
        self.apply_action(action)

    def _go(self, node: Node) -> None:
        self._node = node
        self._replays = False
        if node.pile is not None:
            self._player = _CHANCE
        elif node.over:
            self._player = _TERMINAL
        else:
            self._player = node.table.seat

    def _legal_actions(self, player: int) -> list[int]:
        return tree.legal(self._node)

    def _apply_action(self, action: int) -> None:
        if self._replays:
            return
        node = self._node
        step = tree.play if node.pile is None else tree.come_up
        self._go(step(node, action))
        self._log += f" {HIDDEN if tree.is_secret(node, action) else action + 1}"

    def _action_to_string(self, player: int, action: int) -> str:
        if player == _CHANCE:
            pile = self._node.pile
            return pile.name(action) if pile else f"thing {action}"
        return actions.name(action)

    def __str__(self) -> str:
        return text.everything(self._node)


class _Luck(Random):
    """A source of luck whose ``random()`` somebody else gives."""

    def __init__(self, sampler: Callable[[], float]) -> None:
        super().__init__(0)
        self.random = sampler  # type: ignore[method-assign]


def _keeping(dealt: bytes, kept: bytes) -> int:
    """Return the action by which a seat keeps these contracts of its deal."""
    for action, move in zip(actions.KEEPING.actions, KEEPS, strict=True):
        if sorted(dealt[place] for place in move.places) == list(kept):
            return action
    raise ValueError("These contracts were not dealt.")


class PortoObserver:
    """What a player may know, as a string and a tensor, with or without how it came to it.

    ``dict`` has the fields of :mod:`porto_cli.games.porto.research.tensor` by their names, and with
    perfect recall ``history``: each action a number more than it is, 0 for those that the player
    may not know, and 0 behind the last one. The own secret actions are in ``dealt`` and ``kept``.
    """

    def __init__(self, game: PortoGame, kind: Any, params: dict[str, Any] | None) -> None:
        if params:
            raise ValueError(f"An observation of Porto has no parameters: {sorted(params)}.")
        everybody = pyspiel.PrivateInfoType.ALL_PLAYERS
        if not kind.public_info or kind.private_info == everybody:
            raise ValueError(
                "An observation of Porto has all that is public, and of what is private what one "
                "player knows or nothing."
            )
        self._own = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self._recalls = kind.perfect_recall
        players = game.config.seats
        self._size = tensor.size(players)
        self._config = game.config
        self.tensor = np.zeros(
            self._size + (game.longest_history if self._recalls else 0), np.float32
        )
        self.dict = {name: self.tensor[place] for name, place in tensor.places(players).items()}
        if self._recalls:
            self.dict["history"] = self.tensor[self._size :]

    def set_from(self, state: PortoState, player: int) -> None:
        """Write what a player may know into ``tensor``, which ``dict`` has the parts of."""
        numbers = tensor.observation(state.node, player if self._own else None)
        self.tensor[: self._size] = np.frombuffer(numbers, np.uint8)
        if self._recalls:
            history = state.log.split()
            self.tensor[self._size :] = 0
            self.tensor[self._size : self._size + len(history)] = [int(each) for each in history]

    def string_from(self, state: PortoState, player: int) -> str:
        """Return what a player may know as text."""
        seat = player if self._own else None
        if not self._recalls:
            return text.observed(state.node, seat)
        return f"player {player}; own: {_secrets(state.node, seat)}; actions:{state.log}"


def _secrets(node: Node, seat: int | None) -> str:
    """Return the private contracts that a seat was dealt, and those it keeps."""
    if seat is None:
        return "?"
    if node.state is None:
        dealt, kept = _dealt_up_to_now(node, seat), b""
    else:
        dealt = node.state.dealt[seat] if node.state.dealt else b""
        kept = node.state.kept[seat]
    names = [" ".join(PRIVATE[contract].name for contract in some) for some in (dealt, kept)]
    return " keeps ".join(name for name in names if name)


def _dealt_up_to_now(node: Node, seat: int) -> bytes:
    first = tree.things_in_setup(node.config) + DEALT * seat
    return node.came_up[first : first + DEALT]


class PlayerBot(pyspiel.Bot):
    """One of our players as a bot of OpenSpiel: it is given what its seat may know."""

    def __init__(self, player: Player, seat: int, luck: Random) -> None:
        super().__init__()
        self._player = player
        self._seat = seat
        self._luck = luck
        self._roof: int | None = None

    def restart_at(self, state: PortoState) -> None:
        """Get ready for a game."""
        self._roof = None

    def step(self, state: PortoState) -> int:
        """Return the action of the player."""
        node = state.node
        if node.build is not None:
            roofs = tree.legal(node)
            return self._roof if self._roof in roofs else roofs[0]
        table = node.table
        seen: View = view(table, self._seat)
        action, *roof = actions.encode(
            self._player(seen, legal_moves(table, self._seat), self._luck)
        )
        self._roof = roof[0] if roof else None
        return action


class RandomRollouts:
    """An evaluator for searches: games that are played on at random, a good deal faster.

    The same as the evaluator of OpenSpiel, but played on by the engine.
    """

    def __init__(self, luck: Random, rollouts: int = 1) -> None:
        self._luck = luck
        self._rollouts = rollouts

    def evaluate(self, state: PortoState) -> Any:
        """Return what each player wins on average."""
        sums = np.zeros(state.num_players())
        for _ in range(self._rollouts):
            sums += tree.returns(self._end(state.node))
        return sums / self._rollouts

    def prior(self, state: PortoState) -> Sequence[tuple[int, float]]:
        """Return all legal actions, each as likely."""
        if state.is_chance_node():
            return state.chance_outcomes()
        legal = tree.legal(state.node)
        return [(action, 1 / len(legal)) for action in legal]

    def _end(self, node: Node) -> Node:
        chance = chance_of(self._luck)
        node = tree.play_on(node, chance)
        while not node.over:
            node = self._any(node, chance)
        return node

    def _any(self, node: Node, chance: Chance) -> Node:
        """Return the node after any legal action, and what comes up behind it."""
        legal = tree.legal(node)
        return tree.play(node, legal[int(self._luck.random() * len(legal))], chance)


class PricedRollouts(RandomRollouts):
    """An evaluator for searches: games that everybody plays on as level 3 does.

    What a game cannot yet be played on from is decided at random: which private contracts are
    kept, and where a token goes whose house has been chosen. A search by this and by ours differ
    in nothing but how they search.
    """

    def _end(self, node: Node) -> Node:
        chance = chance_of(self._luck)
        node = tree.play_on(node, chance)
        while not node.over and (node.build is not None or node.table.phase != ACT):
            node = self._any(node, chance)
        state, passed = node.table, 0
        prices = weights_for(state).prices
        while state.phase != OVER and passed < state.config.seats:
            priced = priced_moves(state, prices)
            passed = 0 if priced else passed + 1
            state = turned_up(after(state, move_of(state, priced[0]) if priced else PASS), chance)
        return tree.Node(node.config, state if state.phase == OVER else finish(state)[0])


if NAME not in pyspiel.registered_names():
    pyspiel.register_game(_TYPE, PortoGame)
