"""Networks of Puerto Rico as entries of a file, as the program reads them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from porto_cli.games.puerto_rico.engine.components import PLACES
from porto_cli.games.puerto_rico.players.value import OWN, PRICED, SHARED, Network


def entry_of(network: Network, recipe: Sequence[Mapping[str, object]]) -> dict[str, object]:
    """Return a network as an entry of a file; ``recipe`` says how it came about, step by step."""
    return {
        "recipe": list(recipe),
        "shared": dict(zip(SHARED, zip(*network.shared, strict=True), strict=True)),
        "own": dict(zip(OWN, zip(*network.own, strict=True), strict=True)),
        "hidden": list(network.hidden),
        "out": list(network.out),
        "direct": dict(zip(OWN, network.direct, strict=True)),
        "doubt": list(network.doubt),
        "prices": dict(zip(PRICED, network.prices, strict=False)),
        "besides": {
            place: vp for place, vp in zip(PLACES, network.prices.besides, strict=True) if vp
        },
    }
