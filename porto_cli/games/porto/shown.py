"""How Porto looks: the table and the standings as rows, for every medium, made from the view alone;
and the part ``shown``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from porto_cli.core import plural
from porto_cli.games.porto import phrases
from porto_cli.games.porto.editions import DEFAULT, shipped
from porto_cli.games.porto.engine.play import apply, as_built, vps_of
from porto_cli.games.porto.engine.scoring import LOST, SOLO_WIN, met_by, next_rank, ranks
from porto_cli.games.porto.engine.state import State
from porto_cli.games.porto.engine.turn import PRIVATE_CONTRACT, TOLD
from porto_cli.games.porto.notation import turn
from porto_cli.games.porto.phrases import (
    PAINTS,
    ROOF,
    TO_BE_MET,
    House,
    changed_by,
    chip,
    count_contract,
    houses_counted,
    private_contract,
    public_contract,
    sides,
    worth,
)
from porto_cli.games.porto.view import LATER, NEVER, NOW, standings, table, view
from porto_cli.paper import (
    Block,
    Cell,
    Chunk,
    Drawing,
    Flow,
    Heading,
    Items,
    Node,
    Paragraph,
    put,
)
from porto_cli.seam import Thing, later
from porto_cli.shown import TOTAL, Ranked, Shown, called, ranked
from porto_cli.term import BOLD, DIM, PLAIN, Line, Screen, Span, cells, cut, padded

if TYPE_CHECKING:
    from porto_cli.abilities import SoFar
    from porto_cli.paper.page import Story

# -- The rows of the table

Seen = dict[str, Any]
"""A view, as :func:`porto_cli.games.porto.view.table` or ``view`` returns it."""
SIGNS = {NOW: "●", LATER: "○", NEVER: "×"}
"""When a public contract can be met."""
MARKS = {NOW: "this turn", LATER: "later", NEVER: "no longer"}
TURN = "▸"
"""The mark in front of the player to move."""
LONGEST_CONTRACT = 16
"""Columns of the longest public contract."""
LONGEST_NAME = 24
"""The widest name, in columns, after which the scores are still aligned."""


def rows(view: Seen) -> Iterator[Node]:
    """Yield the table row by row."""
    yield from _street(view)
    yield Block("Cards", [Flow([*cards(view)])])
    if view["turned"]:
        yield Block("Timer", [Flow([[chip(card)] for card in view["turned"]])])
    yield Block("Public", [*_public(view)])
    yield Block("Players", [_player(player, view) for player in view["players"]])
    yield from _private(view)
    yield from _supplies(view)


# -- Whose turn it is


def situation(view: Seen) -> list[str]:
    """Return a few sentences: how far along the game is, whose turn it is, what is sealed."""
    when, who = whose_turn(view)
    sentences = [f"{when}: {who}" if who else when]
    end = view["end_triggered_round"]
    # In the last round, which comes after that one, the first sentence says so.
    if end and view["round"] <= end and view["phase"] != "over":
        sentences.append(f"The game ends after round {end + 1}.")
    sealed = view.get("sealed", {})
    if sealed.get("waiting"):
        sentences.append(
            f"{', '.join(view['to_move'])} is the first to see what comes up in the empty spaces."
        )
    out = [player["name"] for player in view["players"] if player["given_up"]]
    for player in sealed.get("key_missing", ()):
        if player not in out:
            sentences.append(
                f"The private contracts of {player} are sealed, and the key of {player} is not "
                "here: they are unknown."
            )
    return [*sentences, *(_given_up(player, view.get("reader")) for player in out)]


def _given_up(player: str, reader: str | None = None) -> str:
    """Say to a reader what it means that a player of a sealed game was given up."""
    if player == reader:
        return (
            "You were given up: your turns are left out, and your private contracts count nothing."
        )
    return (
        f"{player} was given up: the turns of {player} are left out, and no private contracts of "
        f"{player} count."
    )


def is_revealing(view: Seen) -> bool:
    """Return whether the last turn is over and private contracts wait to be revealed (P-END-2)."""
    return bool(view["phase"] == "keep" and view["turn"] == view["turns_over"])


def whose_turn(view: Seen, *, rank: bool = True) -> tuple[str, str]:
    """Return how far along the game is, in a solo game with the next ``rank`` if wanted, and who
    does what now; after the last turn both in the first text.
    """
    phase, player, turn = view["phase"], ", ".join(view["to_move"]), view["turns_over"] + 1
    if phase == "over":
        return "The game is over.", ""
    if is_revealing(view):
        when = f"Round {view['round']}. The last turn is over."
        return f"{when} Private contracts to reveal: {player}.", ""
    when = f"Round {view['round']}, turn {turn}"
    if view["timer"] is not None:
        left = (view["timer"] + len(view["turned"])) // 2
        when = f"Turn {turn} of {view['turns_over'] + left}" if left > 1 else "Last turn"
        when += f", {_goal(view['players'][0], rank=rank)}"
    elif view["end_triggered_round"] and view["round"] > view["end_triggered_round"]:
        when = f"Last turn, round {view['round']}, turn {turn}"
    elif view["roofs_to_end"] and not view["end_triggered_round"]:
        when += f", roofs {view['roofs']} of {view['roofs_to_end']}"
    what = {
        "keep": "chooses three private contracts to keep",
        "act": "is to move",
        "contracts": "has built and chooses public contracts",
        "timer": f"builds for the timer with {' and '.join(view['turned'])}",
    }
    return when, f"{player} {what[phase]}."


def _goal(player: Mapping[str, Any], *, rank: bool) -> str:
    """Return the VP of a solo player and the goal: to win, or after that the next ``rank`` if
    wanted, for which private contracts count (P-SOLO-6).
    """
    vp = player["score"]
    if vp < SOLO_WIN:
        return f"{vp} of {SOLO_WIN} VP"
    private = sum(one["vp"] for one in player["private_contracts"] or ())
    said = f"{vp}+{private} VP" if private else f"{vp} VP (goal {SOLO_WIN})"
    return f"{said}, {next_rank(vp + private)}" if rank else said


# -- What lies on the table


def _street(view: Seen) -> Iterator[Node]:
    """Yield the houses, with a dotted outline around what the last turn has built."""
    built = changed_by((view.get("last_turn") or {}).get("events", ()))
    said = ["The houses of the left side (L) and the right side (R), each from left to right:"]
    said += [_house(name, house, built) for name, house in view["houses"].items()]

    def draw(screen: Screen) -> list[Line]:
        legend = "Letters are floors of that color, numbers tokens of that many VP."
        drawn = phrases.street(view["houses"], built, screen)
        return [[], *drawn, [], *put([Paragraph([legend], DIM)], screen)]

    yield Drawing(draw, cells=lambda: _in_cells(view["houses"]), spoken=said)


def _house(name: str, house: Mapping[str, Any], built: phrases.Today) -> str:
    color, floors, height = house["color"], house["floors"], house["height"]
    if house["complete"]:
        said = f"{name} is {color} and complete, with {height} floors."
    elif floors:
        said = f"{name} is {color} and has {floors} of {height} floors."
    else:
        said = f"{name} is empty and has room for {height} floors."
    if new := built.floors.get(name, 0):
        said += f" The last turn built its {f'{new} top floors' if new > 1 else 'top floor'}."
    if house["ground_token"]:
        said += f" It has a token of {house['ground_token']} VP on its ground floor space."
    if house["roof_token"]:
        said += f" It has a token of {house['roof_token']} VP on its roof space."
    return said


def cards(view: Seen) -> Iterator[Chunk]:
    """Yield the face-up cards with their spaces."""
    for space, card in enumerate(view["cards"], start=1):
        yield [(f"{space} ", DIM), chip(card) if card else ("empty", DIM)]


def contracts(view: Seen) -> Items:
    """Return the public contracts and what they ask for, numbered by space."""
    items: list[Paragraph] = []
    for contract in view["public_contracts"]:
        if contract is None:
            items.append(Paragraph([], first=[("  empty", DIM)]))
            continue
        name, vp, when = contract["contract"], contract["vp"], contract["can_be_met"]
        style = {NOW: TO_BE_MET, LATER: PLAIN, NEVER: DIM}[when]
        meaning = public_contract(name)
        spoken = f"{name}, {vp} VP: {meaning}"
        if view["phase"] != "over":
            spoken += f" It can {'no longer be met' if when == NEVER else f'be met {MARKS[when]}'}."
        first: Chunk = [
            (f"{SIGNS[when]} ", style),
            (name.ljust(LONGEST_CONTRACT), DIM if when == NEVER else BOLD),
            f"{vp} VP ",
        ]
        items.append(
            Paragraph([meaning], DIM if when == NEVER else PLAIN, first, 4, spoken=[spoken])
        )
    return Items(items, numbered=True)


def _public(view: Seen) -> Iterator[Node]:
    """Yield the public contracts, and what the signs in front of them mean."""
    yield contracts(view)
    marks = {contract["can_be_met"] for contract in view["public_contracts"] if contract}
    if view["phase"] != "over" and marks:
        shown: list[Chunk] = [
            [(f"{SIGNS[when]} {MARKS[when]}", DIM)] for when in SIGNS if when in marks
        ]
        yield Flow(shown, first=[("Can be met: ", DIM)], spoken=[])


# -- The houses in a mail

_INK, _PAPER, _EMPTY = "#1f1c17", "#ffffff", "#e6e1d6"
"""The colors of letters, of the background, and of spaces without a floor."""


def _in_cells(houses: Mapping[str, House]) -> list[list[Cell]]:
    """Draw the houses for a mail, the highest spaces first, each with its name below."""
    left, right = sides(houses)
    width = max(len(left), len(right))
    rows = [*_side(left), *_side(right)]
    return [[*row, *[Cell([""], _INK, _PAPER)] * (width - len(row))] for row in rows]


def _side(side: Mapping[str, House]) -> list[list[Cell]]:
    top = max(house["height"] for house in side.values())
    rows = [[_cell(house, level) for house in side.values()] for level in range(top, -1, -1)]
    return [*rows, [_below(name, house) for name, house in side.items()]]


def _below(name: str, house: House) -> Cell:
    """Return the text below a house. It repeats the letter of the color, which may be hard to read
    on the color itself.
    """
    letter = f"\xa0{PAINTS[house['color']].letter}" if house["color"] else ""
    built = f"{house['floors']}/{house['height']}"
    return Cell([f"{name}{letter}", built], _INK, _PAPER, bold=True)


def _cell(house: House, level: int) -> Cell:
    """Draw a space of a house: level 0 is the ground floor, the house's height the roof."""
    if level > house["height"]:
        return Cell([""], _INK, _PAPER)
    if level == house["height"]:
        if house["complete"]:
            return Cell(["▲"], "#000000", ROOF)
        token = house["roof_token"]
        return Cell([str(token or "")], _INK, _PAPER, bold=bool(token))
    if level < house["floors"]:
        paint = PAINTS[house["color"]]
        return Cell([paint.letter], paint.ink, paint.shade if level % 2 else paint.fill)
    token = house["ground_token"] if level == 0 else None
    return Cell([str(token or "·")], _INK, _EMPTY, bold=bool(token))


# -- Players


def _player(player: Mapping[str, Any], view: Seen) -> Flow:
    """Return name, score and hand of a player."""
    hand, fulfilled = player["hand"], player["fulfilled"]
    kinds = [[chip(card, count)] for card, count in sorted(Counter(hand).items())]
    held = f"cards in hand: {', '.join(hand)}" if hand else "no cards"
    return Flow(
        [*(kinds or [[("no cards", DIM)]]), [(f"(public contracts: {fulfilled})", DIM)]],
        first=named(player, view),
        indent=name_column(view) + 11,
        spoken=[
            f"{called(view, player['name'])} has {player['score']} VP, "
            f"public contracts fulfilled: {fulfilled}, {held}."
        ],
    )


def named(player: Mapping[str, Any], view: Seen, most: int = 0) -> Chunk:
    """Return a player's mark (for the one to move), name and score, aligned with the others; with
    ``most`` in few columns, at most that many for the name.
    """
    mark, style = (TURN, BOLD) if player["name"] in view["to_move"] else (" ", PLAIN)
    name = cut(player["name"], most) if most else called(view, player["name"])
    line = padded([(f"{mark} ", BOLD), (name, style)], 2 + (most or name_column(view)))
    return [*line, (f"{player['score']:3} VP " if most else f"{player['score']:4} VP  ", BOLD)]


def name_column(view: Seen) -> int:
    """Return the width of the names in columns."""
    return min(LONGEST_NAME, max(cells(called(view, one["name"])) for one in view["players"]))


def _private(view: Seen) -> Iterator[Node]:
    """Yield the private contracts as far as they are known, numbered while three are chosen."""
    for player in view["players"]:
        if not player["private"]:
            continue
        yield Heading(_private_heading(player, view), 3)
        items = []
        for private, said in zip(player["private_contracts"], worths(player), strict=True):
            meaning = private_contract(private["contract"], private["scale"])
            first = [(f"{private['contract']}:", BOLD), (" ", PLAIN)]
            items.append(Paragraph([meaning, said] if said else [meaning], first=first, indent=4))
        yield Items(items, numbered=player["choosing"])


def _private_heading(player: Mapping[str, Any], view: Seen) -> str:
    if player["choosing"]:
        return f"{player['name']}, keep three of these private contracts:"
    heading = f"Private contracts of {player['name']}"
    if view["phase"] == "over" or len(view["players"]) == 1:
        return heading
    return f"{heading}, hidden from the others"


_LEAST_TRACK = 60
"""VP at the end of the score track, unless somebody has more."""


def track_of(*tables: Seen) -> int:
    """Return the length of the score track, in VP, that these tables need."""
    most: int = max(player["score"] for table in tables for player in table["players"])
    return max(_LEAST_TRACK, -(-most // 10) * 10)


def worths(player: Mapping[str, Any], limit: int | None = None) -> list[str]:
    """Return what each private contract of a player is worth now, and what it can still bring. With
    a ``limit``, in few words and with at most that many houses or groups of houses.

    The texts are empty while the player chooses.
    """
    contracts = player["private_contracts"] or []
    if player["choosing"]:
        return [""] * len(contracts)
    if not player["private_progress"]:
        return [f"Now {private['vp']} VP." for private in contracts]
    both = zip(contracts, player["private_progress"], strict=True)
    return [worth({**private, **progress}, limit) for private, progress in both]


# -- What is left


def _supplies(view: Seen) -> Iterator[Node]:
    piles = {
        "timer card": view["timer"],
        "construction card": view["deck"],
        "public contract": view["contract_deck"],
    }
    face_down = [[plural(count, pile)] for pile, count in piles.items() if count is not None]
    yield Block("Face down", [Flow([*face_down, [(f"{view['discards']} discarded", DIM)]])])
    if end := view["roofs_to_end"]:
        placed, triggered = view["roofs"], view["end_triggered_round"]
        said = f"{placed} placed, {end - placed} to go."
        if triggered:
            said = f"{placed} placed; the end was triggered in round {triggered}."
        drawn = "▲" * placed + "△" * (end - placed)
        yield Block("Roofs", [Paragraph([said], first=[(f"{drawn} ", ROOF)], spoken=[said])])
    yield Block("Tiles", [Flow([*tiles(view), [("ground floors + upper floors left", DIM)]])])


def tiles(view: Seen, called: Callable[[str], Span] = chip) -> Iterator[Chunk]:
    """Yield the ground and upper floors left of each color, drawn by ``called``."""
    for color, left in view["tiles"].items():
        yield [called(color), f" {left['ground']}+{left['floor']}"]


# -- The standings

Standings = Mapping[str, Any]
_INDENT = 7


def standing_rows(played: SoFar, seat: int | None) -> Iterator[Node]:
    """Yield the standings, then the private contracts as far as a seat may see them."""
    now = standings(played, seat)
    yield ranked([*map(_standing, now["players"])])
    note = "Ground and roof are VP tokens, public and private are contracts."
    yield Paragraph([note], DIM, spoken=[])
    yield from notes(now)
    for player in now["players"]:
        if player["private"]:
            yield Heading(_heading(player, now), about=player["name"])
            for contract in player["private"]:
                yield from _counted(contract)


def _counted(contract: Mapping[str, Any]) -> Iterator[Paragraph]:
    """Yield a private contract: its VP and what it pays for, then the houses that count."""
    meaning = private_contract(contract["contract"], contract["scale"])
    head = f"{contract['vp']:3} VP {contract['contract']}: "
    yield Paragraph([meaning], DIM, first=[(head, BOLD)], indent=_INDENT)
    yield Paragraph(houses_counted(contract), first=[" " * _INDENT], indent=_INDENT)


def _standing(player: Mapping[str, Any]) -> Ranked:
    place, name, score, sources = (player[key] for key in ("place", "name", "score", "sources"))
    vp = {TOLD[kind].head: number for kind, number in sources.items()} | {TOTAL: score}
    parts = ", ".join(f"{TOLD[kind].name} {number}" for kind, number in sources.items())
    return Ranked(place, name, vp, f"{place}. {name}, {score} VP: {parts}.")


def notes(standings: Standings) -> Iterator[Paragraph]:
    """Yield what broke the tie of two players with the same VP (P-RANK-1, P-RANK-2), but for that
    of the first two, which :func:`how_it_ended` tells; and who was given up.
    """
    best = {player["name"] for player in standings["players"][:2]}
    for tie in standings["tie_breaks"]:
        if {tie["winner"], tie["other"]} == best:
            continue
        both = f"{tie['winner']} and {tie['other']} both have {tie['vp']} VP"
        yield Paragraph([f"{both}{_tie_break(tie)}."])
    for player in standings.get("given_up", ()):
        yield Paragraph([_given_up(player)])


def _heading(player: Mapping[str, Any], standings: Standings) -> str:
    whose = f"Private contracts of {player['name']}"
    vp = sum(contract["vp"] for contract in player["private"])
    if standings["private_counted"]:
        return f"{whose}: {vp} VP"
    if standings["over"]:
        return f"{whose}, which do not count after a loss"
    return f"{whose}, {vp} VP as of now"


def how_it_ended(played: SoFar) -> str:
    """Say who won a finished game and by how much; of a solo game, whether it was won, and the rank
    or the VP missing (P-SOLO-6).
    """
    final = standings(played)
    first, *others = final["players"]
    name, vp = first["name"], first["score"]
    if others:
        by, second = vp - others[0]["score"], others[0]["name"]
        margin = f"{by} ahead of {second}"
        if not by:
            margin = f"tied with {second} on VP{_tie_break(final['tie_breaks'][0])}"
        return f"The game is over: {name} wins with {vp} VP, {margin}."
    if not final["private_counted"]:
        return f"The game is over: {name} loses with {vp} VP, {SOLO_WIN - vp} short of {SOLO_WIN}."
    return f"The game is over: {name} wins with {vp} VP, {ranks(vp)}."


def decided(played: SoFar) -> str:
    """Return a sentence if private contracts decided the game: without them another player would
    have won, or been level with the winner.
    """
    players = [(one["sources"][PRIVATE_CONTRACT], one) for one in standings(played)["players"]]
    without = [(one["score"] - vp, vp, one["name"]) for vp, one in players]
    (own, vp, winner), (most, less, ahead) = without[0], max(without[1:], default=(-1, 0, ""))
    if own > most or vp == less:
        return ""
    would = f"{ahead} would have been {most - own} VP ahead"
    if own == most:
        would = f"{winner} and {ahead} would have been tied"
    return (
        f"The private contracts decided it: they brought {winner} {vp} VP and {ahead} {less}. "
        f"Without them, {would}."
    )


def _tie_break(tie: Mapping[str, Any]) -> str:
    """Return the end of a sentence about a tie in VP: what broke it."""
    winner, more, fewer = tie["winner"], tie["winner_fulfilled"], tie["other_fulfilled"]
    by_seat = f"{winner} sits further from the first player"
    if tie["decided_by"] != "seat":
        return f"; {winner} fulfilled more public contracts: {more} against {fewer}"
    if more == fewer:
        return f"; they fulfilled the same number of public contracts, and {by_seat}"
    return f"; this game is played with the tie-break by seat, and {by_seat}"


# -- The part ``shown``


class Look(Shown):
    """The part ``shown`` of Porto; the base class says what each member means."""

    def view(self, state: State, seat: int | None, *, is_open: bool = False) -> Seen:
        """Return what a seat may see; private contracts stay secret even if all else is open."""
        return view(state, seat)

    seen = staticmethod(table)
    situation = staticmethod(situation)
    rows = staticmethod(rows)

    pictures = later(".picture:pictures")
    shapes = later(".picture:shapes")

    def illustrated(self, story: Story, played: SoFar, states: Sequence[State]) -> Story:
        """Return a story with pictures, and the scores after each turn.

        Earlier tables show what everybody could see then; private contracts are turned up and
        scored after the last turn.
        """
        from porto_cli.paper.page import Measure

        tables = [view(state, None) for state in states]
        frames = [*story.frames]
        if story.result:
            if tables[-2]["result"]:
                tables[-2] = _unrevealed(tables[-2], tables[-3])
            frames[-1] = frames[-1]._replace(body=[*frames[-1].body, *_scored(tables[-1])])
        track = track_of(*tables)
        for index, seen in enumerate(tables):
            before = tables[index - 1] if index else None
            scores = [[(f"{player['name']} {player['score']}", DIM)] for player in seen["players"]]
            frames[index] = frames[index]._replace(
                body=[*frames[index].body, Flow(scores)],
                numbers=[[player["score"] for player in seen["players"]]],
                pictures=self.pictures(seen, before, track),
            )
        return story._replace(frames=frames, measures=[Measure("VP")], shapes=self.shapes())

    def things(self) -> dict[str, Thing]:
        """Return the contracts, with what they pay in the usual edition."""
        return phrases.contracts(shipped(DEFAULT))

    panes = later(".panes")

    def new_to(self, played: SoFar, reader: int) -> Seen:
        """Return the events of the turns that follow the reader's last one, or of that one where
        nobody has moved since: the timer has built in it; and who the reader is.
        """
        turns = played.turns()
        own = max((nth for nth, one in enumerate(turns) if one.seat == reader), default=-1)
        steps = turns[own + 1 :] or turns[-1:]
        events = [event for step in steps for event in turn(step).facts["events"]]
        return {"new": events, "reader": played.config.players[reader]}

    def foreseen(self, state: State, move: str, seat: int | None) -> Seen:
        """Return the table after a move, without what takes long to work out."""
        then = self.after(state, move)
        return view(then, foresight=False) if then else {}

    def preview(self, state: State, seen: Seen, then: Seen, move: str) -> Sequence[str]:
        """Return what a build would change and bring, in full and in short: with the chosen public
        contracts, or by default all that it meets.
        """
        if then["houses"] == seen["houses"]:
            return ()
        first, _, chosen = move.partition("\n")
        build = self.rules.parse_move(first, state, state.seat)
        spaces = met_by(as_built(state, build), state.contracts)
        if chosen:
            built, _ = apply(state, build, None)
            spaces = self.rules.parse_move(chosen, built, state.seat).spaces
        met = (state.config.public[state.contracts[space]] for space in spaces)
        vp = sum(vps_of(state, build)) + sum(met)
        return [*self.panes.preview(seen, then, vp)]

    standings = staticmethod(standings)
    standing_rows = staticmethod(standing_rows)

    def explanation(self, players: Sequence[str], state: State) -> list[str]:
        """Say what the private contracts of players are worth, house by house."""
        return [
            f"{one['contract']} of {player}, as of now: {one['vp']} VP. "
            + " ".join(houses_counted(one))
            for player in players
            for contract in state.kept[state.config.players.index(player)]
            for one in [count_contract(state, contract)]
        ]


def _private_vp(seen: Seen) -> dict[str, int]:
    """Return the VP from private contracts in the score of each player."""
    result = seen["result"]
    if result["level"] == LOST:
        return {}
    return {name: sum(vp for _, vp in kept) for name, kept in result["private"].items() if kept}


def _unrevealed(after: Seen, before: Seen) -> Seen:
    """Return the table of the last turn, before private contracts are turned up."""
    hidden = ("private", "private_progress", "private_contracts")
    scored = _private_vp(after)
    players = [
        {
            **new,
            "score": new["score"] - scored.get(new["name"], 0),
            **{key: old[key] for key in hidden},
        }
        for new, old in zip(after["players"], before["players"], strict=True)
    ]
    return {**after, "players": players}


def _scored(seen: Seen) -> list[Node]:
    """Return rows with the VP that each player gets for private contracts."""
    return [
        Paragraph([f"{name} scores {vp} VP for private contracts."])
        for name, vp in _private_vp(seen).items()
    ]
