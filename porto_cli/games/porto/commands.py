"""What Porto adds to the command line: verbs, their words, and options. Loads no other module."""

from __future__ import annotations

from porto_cli.seam import TAKES_BACK, UNDO, CommandOption, Commands, Verb

TIE_BREAKS = ("contracts-first", "seat-first")
"""What decides a tie first (P-RANK-1, P-RANK-2)."""

_REFILL = CommandOption(
    "refill",
    "Real table: the construction cards that came up, lowest empty space first.",
    "CARDS",
    many=True,
    completion="face-down-cards",
    stream="cards",
    thing="CARD",
)
_TURNS_UP = (
    _REFILL,
    CommandOption(
        "refill_contracts",
        "Real table: the public contracts that came up, lowest empty space first.",
        "CONTRACTS",
        many=True,
        completion="face-down-contracts",
        stream="contracts",
        thing="CONTRACT",
    ),
    _REFILL._replace(
        name="timer",
        help="Real table, solo game: the two timer cards that were turned up.",
        stream="timer",
    ),
)
_TOKEN = CommandOption(
    "token",
    "The same as the word token: the house whose empty roof gets the token.",
    "HOUSE",
    completion="roofs",
    is_word=True,
)
_CONTRACT = CommandOption(
    "contract",
    "A public contract to fulfill with this build, or none. Can be repeated.",
    "CONTRACT",
    many=True,
    completion="contracts-of-build",
    is_word=True,
)

_VERBS = {
    "keep": Verb(
        """Keep three of the five private contracts that you were dealt.

        This is possible at any time before your first turn, so a game by mail needs no extra round.
        At a real table, name the three at the end of the game, to reveal them.
        """,
        "CONTRACT…",
        "Three of your five private contracts: their numbers in 'porto show', or their names, "
        "like: palette side ends-blue.",
        example="1 2 5 --as Inês",
        does="keep three private contracts",
        secret=True,
    ),
    "draw": Verb(
        """Take face-up construction cards.

        If equal cards are face up, blue-1@4 takes the one in space 4.
        """,
        "CARD…",
        "One to three face-up cards with a total value of at most 3, like: blue-1 red-2.",
        _TURNS_UP,
        example="blue-1 red-2",
    ),
    "build": Verb(
        """Build floors with two cards of your hand, or with the two timer cards of a solo game.

        The first card says how many floors, the second in which color.
        """,
        "NUMBER-CARD COLOR-CARD HOUSE [token HOUSE]",
        "The card that says how many floors, like red-3; the card that says in which color, like "
        "blue-1; the house, like L4. Where the ground floor is built, also the word token, and the "
        "house whose empty roof gets its token. Then 'contract' and what the build fulfills can "
        "follow.",
        (_TOKEN, _CONTRACT, *_TURNS_UP),
        example="red-2 green-3 L3 token L6",
    ),
    "contract": Verb(
        """Fulfill public contracts after building, or say that you fulfill none.""",
        "CONTRACT…",
        "Public contracts that the build meets, like blue+red, or their spaces; or none.",
        _TURNS_UP,
        example="green+red 2-green-floors",
        does="say which public contracts the build fulfills",
    ),
    "pass": Verb(
        """Pass, which is allowed only if you can neither draw nor build.""",
        options=_TURNS_UP,
        example="",
    ),
    UNDO: TAKES_BACK,
}

COMMANDS = Commands(
    verbs=_VERBS,
    players="One to four names in clockwise order; one name is a solo game.",
    new=(
        CommandOption("first_game", "Play without private contracts.", default=False),
        CommandOption(
            "tie_break",
            "What decides a tie first.",
            choices=TIE_BREAKS,
            default=TIE_BREAKS[0],
        ),
        CommandOption("timer", "Solo game: timer cards; fewer is harder.", "28|26|24", default=28),
        CommandOption(
            "edition",
            "The component data of your box.",
            "NAME|FILE",
            completion="editions",
            files=True,
        ),
    ),
    setup=(
        CommandOption(
            "tokens", "Real table: the VP tokens on the ground floors, like: L3=1,L4=2,…", "TOKENS"
        ),
        CommandOption(
            "cards", "Real table: the five face-up construction cards, spaces 1 to 5.", "CARDS"
        ),
        CommandOption(
            "contracts",
            "Real table: the four face-up public contracts, spaces 1 to 4.",
            "CONTRACTS",
        ),
    ),
    moves=(
        CommandOption("house", "Only builds on this house.", "HOUSE", completion="houses"),
        CommandOption(
            "contract",
            "Only moves that could fulfill this public contract.",
            "CONTRACT",
            completion="face-up-contracts",
        ),
        CommandOption(
            "cards",
            "Only moves with this card. Can be repeated.",
            "CARD",
            many=True,
            completion="playable-cards",
        ),
    ),
    help={
        "show": "Hands are public. Private contracts have what they score now, what they can still "
        "score, and which houses can add to that. ● marks the contracts that can be met this "
        "turn, ○ those that could still be met later, × those that no house can meet anymore; ┋ "
        "is what the last turn built.",
        "moves": "The builds are grouped by house, the best first; their VP include the public "
        "contracts that they could fulfill.",
        "log": "Which private contracts each player has kept is shown when the game is over.",
        "score": "When the game is over the private contracts are scored house by house: what "
        "counted, which house was missing for more, and what decided a tie. With --as, a player "
        "sees what their own private contracts are worth now.",
        "play": "Private contracts are shown only after their owner has taken over the keyboard.",
    },
    synonyms={"take": "draw", "claim": "contract", "fulfill": "contract", "skip": "pass"},
    rules={
        "players": ("P-SETUP-1", "P-SETUP-4", "P-SOLO-1"),
        "table": ("P-SETUP-2", "P-SETUP-3"),
        "first": ("P-SETUP-4",),
        "secret": ("P-SETUP-5",),
    },
)
