"""What Puerto Rico adds to the command line, without loading it: its verbs and their options."""

from __future__ import annotations

from porto_cli.games.puerto_rico.engine import HOUSE_RULES
from porto_cli.seam import TAKES_BACK, UNDO, CommandOption, Commands, Verb

_NEW_ROW = CommandOption(
    "tiles",
    "Real table: the new row of plantations, if this move ends the settler phase, like: "
    "corn 2 sugar.",
    "TILES",
    many=True,
    completion="face-down-tiles",
    stream="tiles",
    thing="TILE",
)
_FACE_DOWN = _NEW_ROW._replace(
    name="tile",
    help="Real table: the plantation that the Hacienda turned up.",
    metavar="TILE",
    many=False,
)

_VERBS = {
    "role": Verb(
        """Take a role card, with the doubloons on it.

        All players then carry out this role, you first and with its privilege. The word no-colonist
        after 'mayor' declines the colonist of the privilege.
        """,
        "ROLE",
        "The role: settler, mayor, builder, craftsman, trader, captain or prospector; "
        "prospector-2 is the second prospector in a game of five.",
        (_NEW_ROW,),
        example="settler",
        does="take a role",
    ),
    "take": Verb(
        """Take a tile as settler, or barrels by the privilege of the craftsman.

        With an occupied Hacienda 'take face-down' turns up a tile first, and the turn continues.
        """,
        "WHAT…",
        "A face-up plantation like corn, or quarry, or face-down; then, if you like, "
        "forest (Forest House) and no-colonist (Hospice). By privilege 1 good, or 2 "
        "(Library).",
        (_FACE_DOWN, _NEW_ROW),
        example="quarry",
    ),
    "place": Verb(
        """Place all your colonists, old and new, on your tiles and buildings.

        Write them all, or only what changes: 'add PLACE…' puts the new ones there, and
        'add PLACE… from PLACE…' moves others as well; 'leave PLACE…' fills every circle except
        these. A number after a place is the number of colonists, if it is not one. 'first PLACE…'
        fills these places in this order, then all others, as far as there are colonists.
        """,
        "PLACE…",
        "Where the colonists go, like: corn 2 quarry sugar-mill 3; or: add quarry from corn.",
        example="corn 2 quarry sugar-mill 3",
    ),
    "build": Verb(
        """Build a building and pay for it.

        Quarries, the privilege and your buildings lower its price automatically. With an occupied
        Black Market you can pay missing doubloons with up to one barrel, one VP chip and one
        colonist: 'return GOOD vp colonist PLACE'.
        """,
        "BUILDING",
        "The building, like small-market; with a Black Market then return [GOOD] [vp] "
        "[colonist PLACE], with a University no-colonist to decline the colonist.",
        example="coffee-roaster",
    ),
    "sell": Verb(
        """Sell a barrel to the trading house, or to your own trading post.""",
        "GOOD",
        "The good, like coffee; add trading-post to sell to your own Trading Post.",
        example="coffee",
    ),
    "load": Verb(
        """Load barrels of one kind onto a ship.

        Where only one ship is possible its name can be left out.
        """,
        "GOOD [SHIP]",
        "A good and the number of spaces of the cargo ship, like: corn 5; or: corn wharf; "
        "or any barrels and small-wharf, like: corn 2 sugar small-wharf.",
        example="corn 5",
    ),
    "store": Verb(
        """Store barrels after the captain; what you do not name goes back to the supply.

        Numbers and kinds that leave no choice can be left out: 'store coffee corn'.
        """,
        "GOOD…",
        "The barrels that you keep, like: corn 3 coffee.",
        example="corn 3 coffee",
    ),
    "guest": Verb(
        """Move a guest of your Guest House to an empty circle, before you decide.""",
        "PLACE",
        "The tile or building with the empty circle, like quarry.",
        example="quarry",
        does="move a guest first",
    ),
    "choose": Verb(
        """Choose a violet building for the game, in the draft before the first round.""",
        "BUILDING",
        "The building, like harbor.",
        example="harbor",
    ),
    "pass": Verb(
        """Decline: take no tile, build nothing, sell nothing, load nothing more.

        An owner of guests who is asked before producing passes to produce now.
        """,
        options=(_NEW_ROW,),
        example="",
    ),
    UNDO: TAKES_BACK,
}

COMMANDS = Commands(
    verbs=_VERBS,
    players="Two to five names in clockwise order.",
    new=tuple(
        CommandOption(rule.name, rule.help, choices=tuple(rule.choices), default=rule.usual)
        for rule in HOUSE_RULES
    ),
    setup=(
        CommandOption("tiles", "Real table: the face-up plantations, like: corn sugar 3.", "TILES"),
        CommandOption(
            "violet",
            "Real table, with random buildings: the 17 violet kinds that were drawn.",
            "BUILDINGS",
            completion="violet-buildings",
            only_with=("buildings", "random"),
        ),
    ),
    help={
        "show": "● is a colonist and ○ an empty circle. The VP chips of a player are shown with "
        "--as, those of all when the game is over.",
        "moves": "More than 200 moves are not listed; the conditions for a move are shown instead.",
        "log": "The VP chips are shown when the game is over.",
        "score": "Until the game is over, a player sees their own VP chips with --as.",
    },
    synonyms={
        **dict.fromkeys(("settler", "mayor", "builder", "craftsman", "trader", "captain"), "role"),
        **dict.fromkeys(("prospector", "produce"), "role"),
        "settle": "take",
        **dict.fromkeys(("plant", "plantation", "tile"), "take"),
        "colonize": "place",
        "buy": "build",
        "trade": "sell",
        "ship": "load",
        "draft": "choose",
        "skip": "pass",
    },
    rules={
        "players": ("PR-SETUP-1", "PR-SETUP-2", "PR-TWO-1"),
        "table": ("PR-SETUP-4",),
        "first": ("PR-SETUP-1",),
        "secret": ("PR-SECRET-1",),
    },
)
