"""Plays the games in records/puerto-rico through the commands, one command a decision.

    python -m tests.puerto_rico.play_records [FOLDER]

The players are simple: they like VP, doubloons, barrels and what makes them, and have moods. The
games are what the records say for ever; this script is kept so that anyone can see where they came
from and make more.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

import porto_cli
from porto_cli.games.puerto_rico.engine.components import (
    BUILDING_VP,
    FIRST_BUILDING,
    GOODS,
    PRICES,
    QUARRY,
    TILES,
    pile_of,
)
from porto_cli.games.puerto_rico.engine.craftsman_trader import yields
from porto_cli.games.puerto_rico.engine.moves import (
    Built,
    Earned,
    Event,
    Move,
    Place,
    Produced,
    Scored,
    TilesTurned,
    TookTile,
)
from porto_cli.games.puerto_rico.engine.play import apply, count_moves, legal_moves
from porto_cli.games.puerto_rico.engine.settler_mayor import nearest_placement
from porto_cli.games.puerto_rico.engine.setup import deal
from porto_cli.games.puerto_rico.engine.state import MAYOR_PHASE, Config, State
from porto_cli.games.puerto_rico.notation import PLANTATION_NAMES, format_bundle, format_move
from tests.porto.play_records import porto
from tests.puerto_rico.playing import random_placement

GAMES: dict[str, list[str]] = {
    "two-players.yaml": ["Inês", "Joana", "--seed", "arecibo", "--title", "Sunday, the two of us"],
    "three-players-guide.yaml": [
        *("Inês", "Joana", "Afonso", "--seed", "ponce", "--first", "Joana"),
        *("--rulebook", "guide"),
    ],
    "four-players-draft.yaml": [
        *("Inês", "Joana", "Afonso", "Rui", "--seed", "caguas", "--buildings", "draft"),
    ],
    "five-players-random.yaml": [
        *("Inês", "Joana", "Afonso", "Rui", "Zé", "--seed", "humacao", "--buildings", "random"),
    ],
}
LISTED = 200
"""Placements that are looked at one by one; of more of them some are drawn."""


def worth(state: State, move: Move, mood: random.Random) -> float:
    """Return how much a player likes a move."""
    if isinstance(move, Place):
        player = state.players[state.seat].copy()
        player.colonists = move.colonists
        barrels = yields(player, state.goods_supply)
        makes = sum(number * (2 + price) for number, price in zip(barrels, PRICES, strict=True))
        return (
            makes
            + 2 * move.colonists[QUARRY]
            + 1.5 * sum(1 for number in move.colonists[FIRST_BUILDING + 6 :] if number)
        )
    liked = 2 * mood.random()
    for event in apply(state, move, lambda stream, index, pile: 0)[1]:
        if getattr(event, "seat", None) == state.seat:
            liked += _worth(event)
    return liked


def _worth(event: Event) -> float:
    match event:
        case Scored(vp=vp):
            return 2.0 * vp
        case Earned(reason=reason, doubloons=doubloons):
            return 0.5 * doubloons if reason == "build" else doubloons
        case Built(building=building):
            return 2.0 * BUILDING_VP[building]
        case Produced(goods=goods):
            return float(sum(goods))
        case TookTile(tile=tile):
            return 2.0 if tile == QUARRY else 1.0
    return 0


def choice(state: State, mood: random.Random) -> Move:
    """Return what the player to move decides."""
    moves: list[Move]
    if state.phase == MAYOR_PHASE and count_moves(state) > LISTED:
        moves = [nearest_placement(state), *(random_placement(state, mood) for _ in range(30))]
    else:
        moves = legal_moves(state, limit=LISTED)
    return max(moves, key=lambda move: worth(state, move, mood))


def play_open(path: Path, args: list[str], undone: float = 0.03) -> porto_cli.Match:
    """Play a game with a seed to its end; ``undone`` is how often a decision is taken back."""
    path.unlink(missing_ok=True)
    porto("new", path, *args, "--game", "puerto-rico")
    mood = random.Random(path.name)
    while not (match := porto_cli.load(path)).over:
        verb, *words = format_move(choice(match.state, mood)).split()
        mover = ["--as", match.players[match.state.seat]]
        porto(verb, path, *words, *mover)
        if mood.random() < undone:
            porto("undo", path, *mover)
    return match


def play_table(path: Path) -> porto_cli.Match:
    """Play a game with the real box: dice stand for the shuffled stack."""
    path.unlink(missing_ok=True)
    dice = random.Random(path.name)

    def shuffled(stream: str, index: int, pile: bytes, /) -> int:
        return dice.randrange(len(pile))

    names = ("Joana", "Inês", "Afonso")
    row = deal(Config(names), shuffled).tiles
    porto(
        *("new", path, *names, "--game", "puerto-rico", "--secrecy", "table", "--first", "Joana"),
        *("--title", "With the box", "--tiles", format_bundle(row, PLANTATION_NAMES)),
    )
    mood = random.Random(1)
    while not (match := porto_cli.load(path)).over:
        move = choice(match.state, mood)
        _, events = apply(match.state, move, shuffled)
        verb, *words = format_move(move).split()
        porto(verb, path, *words, *came_up(events))
    return match


def came_up(events: list[Event]) -> list[str]:
    """Return what the people at the table would type; the row as it lies there, in no order."""
    flags: list[str] = []
    for event in events:
        if isinstance(event, TookTile) and event.source == "stack":
            flags += ["--tile", TILES[event.tile]]
        elif isinstance(event, TilesTurned):
            tiles = [GOODS[tile] for tile in reversed(pile_of(event.tiles))]
            flags += ["--tiles", " ".join(tiles)]
    return flags


def play(name: str, folder: Path) -> porto_cli.Match:
    """Play the game of a record into a folder."""
    if name == "real-table.yaml":
        return play_table(folder / name)
    return play_open(folder / name, GAMES[name])


def main(folder: Path) -> None:
    """Play all games into a folder."""
    folder.mkdir(exist_ok=True)
    for name in (*GAMES, "real-table.yaml"):
        match = play(name, folder)
        outcome = match.game.outcome(match.state)
        assert outcome
        print(f'    "{name}": ({match.state.turn}, {outcome.scores}, "{match.fingerprint}"),')


if __name__ == "__main__":
    records = Path(__file__).parents[2] / "records" / "puerto-rico"
    main(Path(sys.argv[1]) if sys.argv[1:] else records)
