"""The commands of Puerto Rico: its verbs, their words, its options."""

from __future__ import annotations

from porto_cli.commands import Commands, Option, Verb, Word

_TILE = Option(
    "tile",
    "Real table: the tile that the Hacienda turned up, with 'take face-down'.",
    "PLANTATION",
    completion="plantations",
    stream="tiles",
    thing="PLANTATION",
)
_TILES = Option(
    "tiles",
    "Real table: the new row of plantations, like: 'corn 2 sugar'.",
    "TILES",
    many=True,
    completion="plantations",
    stream="tiles",
    thing="PLANTATION",
)
_ROW = (_TILES,)
"""Any move can be the one that ends the settler phase."""


def _words(metavar: str, help_text: str) -> tuple[Word, ...]:
    return (Word(metavar, help_text, many=True),)


_VERBS = {
    "role": Verb(
        """Take a role card, with the doubloons on it.

        Behind 'mayor', 'no-colonist' declines the colonist of the privilege.
        """,
        _words("ROLE", "settler, mayor, builder, craftsman, trader, captain or prospector."),
        _ROW,
    ),
    "take": Verb(
        """Take a tile as the settler, or goods with the Craftsman's privilege.

        'face-down' is the Hacienda's tile, 'forest' behind a plantation the Forest House's;
        'no-colonist' declines the colonist that would come with a tile.
        """,
        _words("TILE|GOOD", "A plantation of the row, quarry, face-down; or a good."),
        (_TILE, *_ROW),
    ),
    "place": Verb(
        """Place your colonists.

        Name where they all are in the end; or 'leave', and what stays empty; or 'add', and where
        the new ones go, with 'from' and whom else you move.
        """,
        _words(
            "PLACE [NUMBER]…", "Tiles and buildings, with how many: coffee 2 hospice; san-juan."
        ),
        _ROW,
    ),
    "build": Verb(
        """Build a building.

        With the Black Market, 'return' and what you give: a good, vp, colonist PLACE.
        'no-colonist' declines the colonist of the University.
        """,
        _words("BUILDING", "The building, like harbor or small-market."),
        _ROW,
    ),
    "sell": Verb(
        """Sell a good to the trading house, or to your trading post.""",
        _words("GOOD [trading-post]", "The good."),
        _ROW,
    ),
    "load": Verb(
        """Load goods onto a ship, or onto a wharf.""",
        _words("GOOD [SHIP]", "The good and the spaces of the ship, like corn 5; or wharf."),
        _ROW,
    ),
    "store": Verb(
        """Say which barrels you keep at the end of the captain phase.""",
        _words("GOOD [NUMBER]…", "Goods with how many: coffee 3 corn."),
        _ROW,
    ),
    "guest": Verb(
        """Move a guest of the Guest House to an empty circle.""",
        _words("PLACE", "The tile or building."),
        _ROW,
    ),
    "choose": Verb(
        """Choose a violet building for the game, where they are drafted.""",
        _words("BUILDING", "The building."),
    ),
    "pass": Verb(
        """Take no tile or goods, build, sell or load nothing: what there is to be done now.""",
        options=_ROW,
    ),
    "undo": Verb(
        """Take back your last move, with all that followed from it by itself.

        The record keeps both the move and the undo.
        """
    ),
}

COMMANDS = Commands(
    verbs=_VERBS,
    players="Two to five names in clockwise order.",
    new=(
        Option(
            "buildings",
            "The violet buildings: those of the base game, drafted, or drawn at random.",
            choices=("base", "draft", "random"),
            default="base",
        ),
        Option(
            "rulebook",
            "Which rulebook holds where they differ.",
            choices=("printed", "guide"),
            default="printed",
        ),
    ),
    setup=(
        Option("tiles", "Real table: the row of plantations, like: 'corn 2 sugar'.", "TILES"),
        Option(
            "violet", "Real table: the violet buildings that were drawn at random.", "BUILDINGS"
        ),
    ),
    synonyms={"pick": "role", "settle": "take", "ship": "load", "trade": "sell"},
    example="role settler",
    rules={
        "players": ("PR-SETUP-1",),
        "table": ("PR-SETUP-2",),
        "first": ("PR-SETUP-1",),
        "secret": ("PR-SECRET-1",),
    },
)
