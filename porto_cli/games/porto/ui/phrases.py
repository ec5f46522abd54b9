"""The words of the rulebook for contracts, turns and reasons, as whole sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from porto_cli.core.message import Sentence, both, say
from porto_cli.games.porto.engine.components import COLORS, PRIVATE, PUBLIC
from porto_cli.games.porto.engine.moves import Refilled, Scored, TimerTurned
from porto_cli.games.porto.engine.state import CONTRACTS, KEEP, OVER, TIMER
from porto_cli.games.porto.event_text import UNDO, Turn
from porto_cli.games.porto.event_text import reason as reason
from porto_cli.games.porto.event_text import reasons as reasons
from porto_cli.games.porto.notation import PRIVATE_NAMES, PUBLIC_NAMES
from porto_cli.games.porto.observation import Player, Private, Table

if TYPE_CHECKING:
    from porto_cli.games.porto.engine.scoring import Progress

GAME = "Porto"
"""What a game without a title is called."""
CHANCES = {"now": "this turn", "later": "later", "never": "no longer"}
"""When a public contract can be met, see :class:`porto_cli.games.porto.observation.Contract`."""

SOURCES = {
    "floors": "floors",
    "neighbors": "neighbors",
    "ground-token": "ground tokens",
    "roof-token": "roof tokens",
    "contract": "public contracts",
    "private": "private contracts",
}
"""Where VP come from, as headings."""


def turn_sentences(turn: Turn) -> list[Sentence]:
    """Return what happened in a turn, without its VP and without the cards that came up."""
    own, timer = own_and_timer(turn)
    return [*own, *timer]


def own_and_timer(turn: Turn) -> tuple[list[Sentence], list[Sentence]]:
    """Return the same as :func:`turn_sentences`: what the player and what the timer did."""
    if turn.kind == UNDO:
        return [say("{player} takes back the last turn.", player=turn.player)], []
    own: list[Sentence] = []
    timer: list[Sentence] = []
    sentences = own
    for sentence, event in zip(turn.sentences, turn.events, strict=True):
        if isinstance(event, TimerTurned):
            sentences = timer
        if not isinstance(event, (Scored, Refilled)):
            sentences.append(sentence)
    return own, timer


def scored(turn: Turn) -> Sentence | None:
    """Return what a turn scored and where it came from, or None if it scored nothing."""
    if not turn.scores:
        return None
    return say("{vp} VP: {reasons}.", vp=turn.vp, reasons=reasons(turn.scores))


def floors(count: int, color: str) -> Sentence:
    """Return how many floors of a color."""
    if count == 1:
        return say("1 {color} floor", color=color)
    return say("{count} {color} floors", count=count, color=color)


def public_contract(name: str) -> Sentence:
    """Return what a public contract asks of a turn (P-PUBLIC-1)."""
    contract = PUBLIC[PUBLIC_NAMES.index(name)]
    colors = [COLORS[color] for color in contract.colors]
    if contract.kind == "floors":
        if contract.floors == 1:
            return say("Build exactly 1 {color} floor.", color=colors[0])
        return say("Build exactly {count} {color} floors.", count=contract.floors, color=colors[0])
    if contract.kind == "house":
        return say("Complete a {color} house.", color=colors[0])
    if colors[0] == colors[1]:
        return say("Play two {color} cards.", color=colors[0])
    return say("Play a {one} and a {other} card.", one=colors[0], other=colors[1])


_PRIVATE = {
    "houses": "{counts} completed {one} houses: {vps} VP.",
    "pairs": "{counts} pairs of completed neighbors, {one} and {two}: {vps} VP.",
    "trios": "{counts} trios of completed neighbors, {one}, {two} and {three}: {vps} VP.",
    "mirror": "A completed {one} house on each side, both of the same height: {vps} VP.",
    "ends": "{counts} completed {one} houses at the ends of the sides: {vps} VP.",
    "palette": "A completed house of each color on one side: {vps} VP.",
    "side": "All houses of one side completed: {vps} VP.",
}


def private_contract(name: str, scale: tuple[int, ...]) -> Sentence:
    """Return what a private contract pays; ``scale`` is its VP for one, two …

    Completed houses count, whoever built them (P-PRIV-0), so no player is asked to build.
    """
    kind, colors = private_kind(name)
    return say(
        _PRIVATE[kind],
        vps="/".join(map(str, scale)),
        counts="/".join(str(count + 1) for count in range(len(scale))),
        **colors,
    )


def private_kind(name: str) -> tuple[str, dict[str, str]]:
    """Return the kind of a private contract, and its colors as placeholders."""
    contract = PRIVATE[PRIVATE_NAMES.index(name)]
    colors = (COLORS[color] for color in contract.colors)
    return contract.kind, dict(zip(("one", "two", "three"), colors, strict=False))


def worth_now(contract: Private) -> Sentence:
    """Return what a private contract is worth now, and what it can still bring."""
    if contract.progress is None:
        return say("Now {vp} VP.", vp=contract.vp)
    return progress(contract.name, contract.vp, contract.scale, contract.progress)


_MOST_HOUSES, _MOST_GROUPS = 5, 3
"""Maximum numbers of houses, and of groups, that are named as ways to fulfill a contract."""


def progress(name: str, vp: int, scale: tuple[int, ...], far: Progress) -> Sentence:
    """Return what a private contract brings now, what it still can, and by which houses."""
    if far.most == vp:
        if vp == scale[-1]:
            return say("Now {vp} VP, which is all it pays.", vp=vp)
        return say("Now {vp} VP; it can bring no more.", vp=vp)
    facts: dict[str, object] = {"vp": vp, "most": far.most}
    nearest = far.ways[0]
    kind = private_kind(name)[0]
    if kind in ("palette", "side"):
        side = "left" if nearest[0][0].startswith("L") else "right"
        if kind == "palette" and len(nearest) == len(COLORS):
            return say("Now {vp} of {most} VP: both sides lack every color.", **facts)
        lacking = both([color if kind == "palette" else house for house, color in nearest])
        return say(_LACKING[side], lacking=lacking, **facts)
    named_at_most = _MOST_HOUSES if len(nearest) == 1 else _MOST_GROUPS
    ways = ["+".join(house for house, _ in way) for way in far.ways]
    if len(ways) > named_at_most:
        named, more = ", ".join(ways[: named_at_most - 1]), len(ways) - named_at_most + 1
        return say(
            "Now {vp} of {most} VP: {named} and {more} more are open.",
            named=named,
            more=more,
            **facts,
        )
    if len(ways) == 1:
        return say("Now {vp} of {most} VP: {named} is open.", named=ways[0], **facts)
    return say("Now {vp} of {most} VP: {named} are open.", named=both(ways), **facts)


_LACKING = {
    "left": "Now {vp} of {most} VP: the left side lacks {lacking}.",
    "right": "Now {vp} of {most} VP: the right side lacks {lacking}.",
}


def private_heading(player: Player, table: Table) -> Sentence:
    """Return the heading of the private contracts of a player."""
    if player.choosing:
        return say("{player}, keep three of these private contracts:", player=player.name)
    if table.phase == OVER or len(table.players) == 1:
        return say("Private contracts of {player}", player=player.name)
    return say("Private contracts of {player}, hidden from the others", player=player.name)


def fulfilled(player: Player) -> Sentence:
    """Return how many public contracts a player has fulfilled."""
    return say("(public contracts: {count})", count=player.fulfilled)


def decks(table: Table) -> Sentence:
    """Return how many cards lie face down or are discarded."""
    if table.timer is None:
        return say(
            "{deck} construction cards and {contracts} public contracts lie face down; "
            "{discards} cards are discarded.",
            deck=table.deck,
            contracts=table.contract_deck,
            discards=table.discards,
        )
    return say(
        "{timer} timer cards, {deck} construction cards and {contracts} public contracts lie face "
        "down; {discards} cards are discarded.",
        timer=table.timer,
        deck=table.deck,
        contracts=table.contract_deck,
        discards=table.discards,
    )


def roofs(table: Table) -> Sentence:
    """Return how far it is to the end (P-END-1)."""
    left = (table.roofs_to_end or 0) - table.roofs
    if table.end_round is not None:
        return say(
            "{placed} placed; the end was triggered in round {round}.",
            placed=table.roofs,
            round=table.end_round,
        )
    return say("{placed} placed, {left} to go.", placed=table.roofs, left=left)


def situation(table: Table) -> list[Sentence]:
    """Return in a few sentences whose turn it is, how long the game will be, what is sealed."""
    return [*whose_turn(table), *sealed(table)]


def sealed(table: Table) -> list[Sentence]:
    """Return what is particular to a sealed game: what waits, what is unknown, who was given up."""
    found = []
    if table.waiting:
        found.append(
            say(
                "What comes up in the empty spaces is not known before {player} looks.",
                player=", ".join(table.to_move),
            )
        )
    for player in table.players:
        if player.sealed and not player.given_up:
            found.append(
                say(
                    "The private contracts of {player} are sealed, and the key of {player} is not "
                    "here: they are unknown.",
                    player=player.name,
                )
            )
    for player in table.players:
        if player.given_up:
            found.append(given_up(player.name))
    return found


def given_up(player: str) -> Sentence:
    """Return what it means that a player of a sealed game was given up."""
    return say(
        "{player} was given up: the turns of {player} are left out, and no private contracts of "
        "{player} count.",
        player=player,
    )


def whose_turn(table: Table) -> list[Sentence]:
    """Return in a sentence or two whose turn it is and how long the game will be."""
    facts: dict[str, object] = {
        "round": table.round,
        "turn": table.turn + 1,
        "turns": table.turn + ((table.timer or 0) + len(table.turned)) // 2,
        "player": ", ".join(table.to_move),
    }
    if table.phase == OVER:
        return [say("The game is over.")]
    if table.revealing or (table.phase == KEEP and len(table.to_move) != 1):
        sentence = say("The last turn is over. Private contracts to reveal: {player}.", **facts)
    elif table.phase == KEEP:
        sentence = say(
            "Round {round}, turn {turn}: {player} has to keep three private contracts.", **facts
        )
    elif table.phase == CONTRACTS:
        sentence = say(
            "Round {round}, turn {turn}: {player} has built and chooses public contracts.", **facts
        )
    elif table.phase == TIMER:
        one, other = table.turned
        sentence = say(
            "Turn {turn} of {turns}: {player} has to build with the timer's {one} and {other}.",
            one=one,
            other=other,
            **facts,
        )
    elif table.timer is not None:
        sentence = say("Turn {turn} of {turns}: {player} is to move.", **facts)
    else:
        sentence = say("Round {round}, turn {turn}: {player} is to move.", **facts)
    if table.last_round is not None:
        return [sentence, say("The game ends after round {last}.", last=table.last_round)]
    return [sentence]


def in_short(turn: Turn) -> Sentence:
    """Return a turn in the notation, with what it scored."""
    facts: dict[str, object] = {"player": turn.player, "moves": ", ".join(turn.moves)}
    if not turn.scores:
        return say("The last turn of {player}: {moves}.", **facts)
    return say("The last turn of {player}: {moves}, for {vp} VP.", vp=turn.vp, **facts)


def in_a_line(turn: Turn) -> Sentence:
    """Return a turn as briefly as it can be said."""
    facts: dict[str, object] = {"player": turn.player, "moves": ", ".join(turn.moves)}
    if turn.kind == UNDO:
        return say("{player} takes back the last turn.", **facts)
    if turn.scores:
        return say("{player}: {moves} for {vp} VP.", vp=turn.vp, **facts)
    return say("{player}: {moves}.", **facts)
