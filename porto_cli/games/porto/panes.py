"""What of the table is above a question of ``porto play``, see :mod:`porto_cli.asking`; and the
questions with a form of their own, in which a player keeps three private contracts, and reveals
them at a real table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import Any

from porto_cli.core import plural
from porto_cli.games.porto import phrases
from porto_cli.games.porto.engine import KEPT, PRIVATE_NAMES, private_ruling
from porto_cli.games.porto.engine.cards import KEEPS
from porto_cli.games.porto.engine.play import violations
from porto_cli.games.porto.engine.scoring import scale_of
from porto_cli.games.porto.engine.state import State
from porto_cli.games.porto.phrases import (
    PAINTS,
    TO_BE_MET,
    House,
    floors,
    private_contract,
    private_in_short,
    unrevealed,
)
from porto_cli.games.porto.shown import (
    SIGNS,
    Seen,
    contracts,
    name_column,
    named,
    situation,
    tiles,
    whose_turn,
    worths,
)
from porto_cli.games.porto.view import NEVER, NOW, view
from porto_cli.match.items import IllegalMoveError
from porto_cli.paper import BOLD, DIM, PLAIN, Block, Chunk, put, spans
from porto_cli.scene import HEAD, Pane, PaneForm, drawn, row
from porto_cli.term import Line, Screen, Span, beside, cut_line, width_of
from porto_cli.term.prompt import Asker, Choice, Rules

_SIDE_BY_SIDE = 56
"""Columns from which two players are beside each other."""
_BRIEF = 4
"""Columns of the names where hands would be cut else."""
_ROOMY = 72
"""Columns from which each private contract has a row of its own, with what it brings."""


def panes(table: Seen, then: Seen, shown: int) -> list[Pane]:
    """Return the table; ``then`` is it after a move that is not made yet."""
    after: Mapping[str, House] = then["houses"]
    people = len(table["players"])
    found: list[Pane] = [
        _street(table, after),
        [
            PaneForm(3, -(-people // 2), partial(_players, table, across=2)),
            PaneForm(8, people, partial(_players, table, across=1)),
        ],
        [_left(table)],
    ]
    # There are none in a first game: what others have is None.
    if any(player["private"] != [] or player["choosing"] for player in table["players"]):
        found.insert(-1, _private(table))
    return found


def title(table: Seen) -> list[str]:
    """Return how far it is to the end, and what else there is to know. What the timer builds with
    comes first, as it has to be seen on the narrowest screen.
    """
    is_timer = table["phase"] == "timer"
    # The rank that is aimed at is seen again in the next turn.
    (when, who), (first, *others) = whose_turn(table, rank=not is_timer), situation(table)
    timer = [f"Timer: {' and '.join(table['turned'])}."] if is_timer else []
    return [*timer, f"{when}." if who else first, *others]


def preview(table: Seen, after: Seen, vp: int) -> list[str]:
    """Return what a build would change and bring, in full and in short: without what the table
    shows besides. ``after`` is the table then.
    """
    built, where, more, token = "", "", "", ""
    ends = None if table["end_triggered_round"] else after["end_triggered_round"]
    roof = f", the last roof: round {ends + 1} is the last" if ends else " with the roof"
    for name, house in table["houses"].items():
        then = after["houses"][name]
        if then["floors"] > house["floors"]:
            where = name
            built = f"{floors(then['floors'] - house['floors'], then['color'])} on {name}"
        if then["complete"] > house["complete"]:
            more += roof
        elif then["roof_token"] and then["roof_token"] != house["roof_token"]:
            token = f", token {then['roof_token']} to roof {name}"
    scores = "" if table["phase"] == "timer" else f", +{vp} VP"
    told = (f"{built}{more}{token}", built + more, where + more)
    return [f"Preview{scores}: {what}" for what in told]


def why_over(table: Seen) -> str:
    """Return why the game is over; nothing if it is not."""
    if table["phase"] != "over":
        return ""
    if table["timer"] is not None:
        return f"The timer ran out after {table['turns_over']} turns."
    return f"The {table['roofs_to_end']}th roof ended the game."


def spoken(table: Seen) -> Iterator[str]:
    """Yield the situation, and what the reader's private contracts bring."""
    yield from situation(table)
    for player in table["players"]:
        for name, worth in zip(player["private"] or (), worths(player), strict=True):
            if worth:
                yield f"{name}: {worth}"


# -- The rows


def _letter(card: str | None) -> Span:
    """Return a card as the letter of its color and its value, ``b1``, or that there is none."""
    return _by_color(*card.split("-")) if card else ("··", DIM)


def _street(table: Seen, after: Mapping[str, House]) -> Pane:
    """Return the houses, with the public contracts and the cards beside them where rows are few,
    else below them: then the houses stand upright.
    """
    fronts, built = table["houses"], phrases.changed_by(table.get("new", ()))
    top, rows = max(one["height"] for one in fronts.values()), max(map(len, phrases.sides(fronts)))
    offers = table["public_contracts"] if table["phase"] != "over" else []
    every = [[*_public(offers, name)] for name in (str, _short)]

    def lying(screen: Screen) -> list[Line]:
        room = screen.width - 2 * phrases.lying_columns(0, top)
        nth = next((nth for nth, need in enumerate(_OFFERS) if room - need >= 2 * top), -1)
        room -= _OFFERS[nth] if offers else 0
        floor = max(1, min(_WIDEST_FLOOR, room // (2 * top)))
        street = phrases.lying(fronts, built, after, floor, top)
        right = [spans(one) for one in every[nth]]
        if not lacks_cards(screen):
            right += [*[Line()] * (rows - len(right) - 2), *numbers]
        lines = beside(street, right, 2 * phrases.lying_columns(floor, top))
        return phrases.in_alphabet(lines, screen)

    def lacks_cards(screen: Screen) -> bool:
        room = screen.width - 2 * phrases.lying_columns(1, top)
        return not offers or room < _OFFERS[0] or rows < len(offers) + 2

    low = PaneForm(1, rows, lying, not offers)
    # A space above the highest houses for their roofs, and the names below.
    standing = partial(phrases.row_of_fronts, fronts, built, after)
    high = PaneForm(5, top + 2, standing, not offers, partial(phrases.can_stand, fronts))
    if not offers:
        return [low, high]
    numbers = _in_two_rows(table["cards"])

    def named(screen: Screen) -> list[Line]:
        """Return the contracts in two rows with as many in each."""
        way, half = every[screen.width < HEAD + 2 * _OFFERS[0] + 2], -(-len(offers) // 2)
        rows = (("Public VP", way[:half]), ("", way[half:]))
        return [line for label, some in rows for line in row(label, some)(screen)]

    def both(screen: Screen) -> list[Line]:
        room = screen.width - max(map(width_of, numbers))
        return beside(named(screen._replace(width=room - 2)), numbers, room)

    said = Block(f"{'Public':{HEAD - 2}}", [contracts(table)])
    whole = PaneForm(0, len(offers), partial(put, [said]))
    places = enumerate(table["cards"], start=1)
    shown = [[(f"{space} ", DIM), _letter(card)] for space, card in places]
    in_a_row = PaneForm(0, 1, row("Cards", shown))
    return [
        low,
        _stacked(2, low, in_a_row)._replace(needed=lacks_cards),
        _stacked(5, high, PaneForm(0, 2, both))._replace(steady=4),
        _stacked(10, high, whole, in_a_row),
    ]


def _stacked(rank: int, *parts: PaneForm) -> PaneForm:
    """Return forms below each other as one, which is needed where the first of them is."""
    rows = sum(one.rows for one in parts)
    return PaneForm(rank, rows, partial(drawn, parts), needed=parts[0].needed)


def _in_two_rows(row: Sequence[str | None]) -> list[Line]:
    """Return the face-up cards, each below the number of its space."""
    places, shown = [("Cards", BOLD)], [(" " * 5, PLAIN)]
    for space, card in enumerate(row, start=1):
        places.append((f" {space} ", DIM))
        shown += [(" ", PLAIN), _letter(card)]
    return [places, shown]


_OFFERS = (20, 12)
"""Columns of the public contracts beside the houses: their names in full, and short."""
_WIDEST_FLOOR = 5


def _short(name: str) -> str:
    """Return a contract with the letters of its colors, where its name has no room: ``2-r`` for two
    red floors, ``r-house``, ``b+r``, ``pairs-b+r``.
    """
    for color, paint in PAINTS.items():
        name = name.replace(color, paint.letter)
    return name.partition("-floor")[0]


def _public(offers: Sequence[Any], called: Callable[[str], str]) -> Iterator[Chunk]:
    """Yield the public contracts by their spaces: whether they can be met, names, VP."""
    for space, contract in enumerate(offers, start=1):
        if contract is None:
            yield [(f"{space} empty", DIM)]
            continue
        when = contract["can_be_met"]
        yield [
            (f"{space}", DIM),
            (f"{SIGNS[when]} ", TO_BE_MET if when == NOW else PLAIN),
            (called(contract["contract"]), DIM if when == NEVER else PLAIN),
            f" {contract['vp']}",
        ]


def _players(table: Seen, screen: Screen, *, across: int) -> list[Line]:
    """Return names, scores and hands in the order of the seats, all in the first way in which all
    fit, of bots with their levels where columns are wide. Only hands that are set closer move the
    second column.
    """
    across = across if screen.width >= _SIDE_BY_SIDE else 1
    levels = screen.width // across >= _SIDE_BY_SIDE
    ways = (_hands(player, table, levels) for player in table["players"])
    for nth, hands in enumerate(zip(*ways, strict=True)):
        left, right = (max(map(width_of, hands[nth::across]), default=0) for nth in (0, across - 1))
        least = left + 1 if nth > levels else 0
        column = max(screen.width // across, least) if across > 1 else 0
        if (across == 1 or left < column) and column + right <= screen.width:
            break
    rows = beside(hands[::2], hands[1::2], column) if across > 1 else hands
    return [cut_line(one, screen.width) for one in rows]


def _hands(player: Mapping[str, Any], table: Seen, levels: bool) -> Iterator[Line]:
    """Yield name, score and hand, of bots first with their ``levels``: the values of each color
    behind its letter, ``r1,1,2`` for two red ones and a two. Where that is too long it loses the
    end of the name, then its commas, at last the blanks between colors.
    """
    bare = {**table, "bots": {}}
    by_bot = spans(named(player, table))
    line, brief = (spans(named(player, bare, most)) for most in (name_column(bare), _BRIEF))
    colors = groupby(sorted(player["hand"]), lambda card: card[:-2])
    values = [(color, [card[-1] for card in some]) for color, some in colors]
    for first, sign, blank in (
        *[(by_bot, ",", " ")] * levels,
        (line, ",", " "),
        (brief, ",", " "),
        (brief, "", " "),
        (brief, "", ""),
    ):
        held = [_by_color(one, sign.join(some)) for one, some in values]
        shown = [span for one in held for span in (one, (blank, PLAIN))][:-1]
        yield [*first, *(shown or [("no cards", DIM)])]


def _by_color(color: str, values: str = "") -> Span:
    return f"{PAINTS[color].letter}{values}", PAINTS[color].chip


def _private(table: Seen) -> Pane:
    """Return the reader's private contracts: what they bring, and what they still can."""
    player = next((one for one in table["players"] if one["private"]), None)
    progress = (player["private_progress"] if player else None) or ()
    if player is None or player["choosing"]:
        said = "choose three; only completed houses count" if player else "hidden"
        shown = row("Private", [[(said, DIM)]])
        # The question says the same.
        return [PaneForm(4, 1, shown, idle=True), PaneForm(7, KEPT, shown, needed=_is_roomy)]
    full, short = (
        [[_brief(shape(one["contract"]), one)] for one in progress] for shape in (str, _short)
    )
    closer = [[" ".join(text for (text,) in short)]]

    def each(screen: Screen) -> list[Line]:
        ways = zip(*(worths(player, limit) for limit in (None, 4, 3, 2, 1)), strict=True)
        longest, lines = max(map(len, player["private"])), list[Line]()
        room = screen.width - HEAD - longest - 2
        for name, said in zip(player["private"], ways, strict=True):
            head, brief = f"{name:{longest}}  ", f"{said[0].partition(':')[0]}."
            short = next((one for one in said if len(one) <= room), brief)
            lines.append([(head, BOLD), (short, PLAIN)])
        return beside([[("Private", BOLD)]], lines, HEAD)

    return [
        PaneForm(4, 1, row("Private VP", full, short, closer)),
        PaneForm(7, KEPT, each, needed=_is_roomy),
    ]


def _is_roomy(screen: Screen) -> bool:
    return screen.width >= _ROOMY


def _brief(name: str, one: Mapping[str, Any]) -> str:
    return f"{name} {one['vp']}/{one['most']}" if one["most"] else f"{name} lost"


def _left(table: Seen) -> PaneForm:
    """Return what is left: tiles with what their numbers mean, else not at all; and cards."""
    cards = plural(table["deck"], "card")
    if table["timer"] is not None:
        cards += f", {plural(table['timer'], 'timer card')}"
    left, meaning = [*tiles(table, _by_color)], "ground+upper floors"
    least, most = ([*left, [(said, DIM)]] for said in (meaning, f"{meaning}; {cards}"))
    explained = row("Left", least, gap=1)
    said = row("Left", most, least, gap=1)
    return PaneForm(9, 1, said, needed=lambda screen: len(explained(screen)) == 1, idle=True)


# -- Questions with a form of their own


def ask_to_keep(asker: Asker, state: State, seat: int, rules: Rules) -> str:
    """Ask a player which three of the five private contracts to keep (P-SETUP-5).

    Raises IllegalMoveError where the deal is sealed.
    """
    faults = violations(state, KEEPS[0], seat) if state.seals else []
    if faults:
        raise IllegalMoveError(faults)
    player = view(state, seat)["players"][seat]
    choices: list[Choice[int]] = []
    for nth, one in enumerate(player["private_contracts"], start=1):
        name, scale = one["contract"], one["scale"]
        short = private_in_short(name, scale), f"{', '.join(map(str, scale))} VP"
        note = private_contract(name, scale)
        choices.append(Choice([(name, BOLD)], nth, note=note, short=short))
    question = f"{player['name']}, choose {KEPT} contracts to keep."
    kinds = dict.fromkeys(map(private_ruling, player["private"]))
    kept = asker.choose_several(question, choices, KEPT, rules=(*rules, *kinds))
    return " ".join(["keep", *map(str, kept)])


def ask_to_reveal(asker: Asker, state: State, seat: int, rules: Rules) -> str:
    """Ask a player for the three private contracts that were kept at a real table (P-END-2).

    Raises CancelledError from the first question.
    """
    question = f"{state.config.players[seat]}, reveal {KEPT} private contracts."
    choices = [Choice(_revealed(state, name), name) for name in unrevealed(state).elements()]
    revealed = asker.choose_several(question, choices, KEPT, rules=rules)
    return " ".join(["keep", *revealed])


def _revealed(state: State, name: str) -> Line:
    scale = scale_of(state.config.edition, PRIVATE_NAMES.index(name))
    return [(f"{name}: ", BOLD), (private_contract(name, scale), PLAIN)]
