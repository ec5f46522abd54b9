"""Where to place colonists: what brings most comes first, a plantation together with its plant."""

from __future__ import annotations

from collections.abc import Callable

from porto_cli.games.puerto_rico.engine.components import PLACES, PRODUCERS
from porto_cli.games.puerto_rico.engine.moves import Place
from porto_cli.games.puerto_rico.engine.state import Player
from porto_cli.games.puerto_rico.players.outlook import Outlook


def placement(outlook: Outlook, player: Player, noise: Callable[[], float] | None = None) -> Place:
    """Return a good placement of all colonists of a player.

    It uses as many as there are circles for. ``noise`` returns a factor by which what each place is
    worth is misjudged.
    """
    circles = player.circles
    people = min(player.people, sum(circles))
    posts = outlook.posts(player, outlook.rounds)
    if noise:
        posts = [(worth * noise(), places) for worth, places in posts]
        posts.sort(key=lambda post: -post[0])
    placed = bytearray(len(PLACES))
    for _, places in posts:
        if len(places) > people:
            continue
        for place in places:
            placed[place] += 1
        people -= len(places)
        if not people:
            return Place(bytes(placed))
    for place in _WHEN_LEFT:
        more = min(people, circles[place] - placed[place])
        if more > 0:
            placed[place] += more
            people -= more
    return Place(bytes(placed))


_PLANTS = [place for places in PRODUCERS for place in places]
_WHEN_LEFT = (*_PLANTS, *(place for place in range(len(PLACES)) if place not in _PLANTS))
"""In which order circles are filled that bring nothing by themselves."""
