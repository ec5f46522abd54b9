"""Views as JSON: the shapes that programs rely on."""

from __future__ import annotations

from porto_cli.rules.printable import NOT_PRINTABLE
from porto_cli.view.options import Option
from porto_cli.view.reckoning import SOURCES, Standings
from porto_cli.view.story import Turn
from porto_cli.view.table import House, Player, Table

FORMAT = 1


def dumps(thing: object, *, ascii_only: bool = False) -> str:
    """Return a view as one line of JSON, in which nothing steers the terminal."""
    import json

    text = json.dumps(thing, ensure_ascii=ascii_only)
    if text.isprintable():
        return text
    import re

    return re.sub(NOT_PRINTABLE, lambda match: json.dumps(match.group())[1:-1], text)


def table_json(table: Table, standings: Standings | None = None) -> dict[str, object]:
    """Return the table; ``standings`` is for the result of a finished game."""
    return {
        "porto": FORMAT,
        "title": table.title,
        "phase": table.phase,
        "round": table.round,
        "turn": table.turn,
        "to_move": list(table.to_move),
        "houses": {house.name: _house(house) for house in table.houses},
        "cards": list(table.cards),
        "contracts": [contract and contract.name for contract in table.contracts],
        "deck": table.deck,
        "discards": table.discards,
        "contract_deck": table.contract_deck,
        "tiles": {
            color: {"ground": ground, "floor": upper}
            for color, (ground, upper) in table.tiles.items()
        },
        "players": [_player(player) for player in table.players],
        "roofs": table.roofs,
        "end_triggered_round": table.end_round,
        "timer": table.timer,
        "turned": list(table.turned),
        "fingerprint": table.fingerprint,
        "digest": table.digest,
        "result": result_json(standings) if standings and standings.over else None,
    }


def _house(house: House) -> dict[str, object]:
    return {
        "height": house.height,
        "color": house.color,
        "floors": house.floors,
        "complete": house.complete,
        "ground_token": house.ground_token,
        "roof_token": house.roof_token,
    }


def _player(player: Player) -> dict[str, object]:
    return {
        "name": player.name,
        "score": player.score,
        "hand": list(player.hand),
        "fulfilled": player.fulfilled,
        "private": None
        if player.private is None
        else [contract.name for contract in player.private],
    }


def result_json(standings: Standings) -> dict[str, object]:
    """Return the result of a finished game."""
    return {
        "ranking": [player.name for player in standings.players],
        "scores": {player.name: player.score for player in standings.players},
        "private": {
            player.name: [[each.contract, each.vp] for each in player.private or ()]
            for player in standings.players
        },
        "tie_breaks": [tie._asdict() for tie in standings.tie_breaks],
        "level": standings.level,
    }


def moves_json(options: list[Option]) -> list[dict[str, object]]:
    """Return the legal moves with what they score, and the contracts that they could fulfill."""
    return [
        {
            "move": option.move,
            "scores": [list(score) for score in option.scores],
            "contracts": [name for name, _ in option.contracts],
        }
        for option in options
    ]


def story_json(title: str, turns: list[Turn], standings: Standings) -> dict[str, object]:
    """Return the story, one object for each item of the record, and the result at its end."""
    return {
        "porto": FORMAT,
        "title": title,
        "turns": [_turn(turn) for turn in turns],
        "result": result_json(standings) if standings.over else None,
    }


def _turn(turn: Turn) -> dict[str, object]:
    return {
        "turn": turn.number,
        "round": turn.round,
        "player": turn.player,
        "kind": turn.kind,
        "moves": list(turn.moves),
        "undone": turn.undone,
        "scores": [list(score) for score in turn.scores],
        "vp": turn.vp,
        "standing": list(turn.standing),
        "events": list(turn.happened),
    }


def standings_json(standings: Standings) -> dict[str, object]:
    """Return the standings, and after the end the whole reckoning."""
    return {
        "over": standings.over,
        "players": [
            {
                "name": player.name,
                "place": player.place,
                "score": player.score,
                "sources": dict(zip(SOURCES, player.sources, strict=True)),
                "fulfilled": player.fulfilled,
                "private": None
                if player.private is None
                else [contract._asdict() for contract in player.private],
            }
            for player in standings.players
        ],
        "tie_breaks": [tie._asdict() for tie in standings.tie_breaks],
        "private_counted": standings.private_counted,
        "level": standings.level,
    }
