"""The moves that a reader of a mail can choose from, and the page of a turn: a table on which the
player clicks a move and mails it.

A click starts an answer: the moves in the words of the record, above a line that names the game and
its state, so that nothing depends on what a mail program adds, changes or leaves out.

The page's script knows no rules. The page has all legal moves as canonical words: clicks pick the
moves that have the clicked words, and only words of a remaining move can be clicked. Tens of
thousands of moves have few words, so they are stored as a graph that shares equal ends. Placements
and the like are one move with numbers to choose, see :class:`porto_cli.words.Counts`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from porto_cli.core import refuse
from porto_cli.core.shell import option, quoted
from porto_cli.games import Game
from porto_cli.mail.ids import ABOUT, Named, id_of, reference
from porto_cli.match.replay import Replay, path_of
from porto_cli.pages import table_html
from porto_cli.paper.html import Html, escaped, tag
from porto_cli.paper.page import with_script
from porto_cli.seam import MoveGroup, State
from porto_cli.words import MANY, Option

FEW = 12
"""The most moves that a text lists, and that come before the table."""


class ReplyTo(NamedTuple):
    """What all answers to one mail share.

    ``address``  where they go; empty if unknown, for the reader to fill in
    ``subject``  that of the mail, without ``Re:``
    ``named``    the game and the state that the mail is about
    """

    address: str
    subject: str
    named: Named

    def body(self, moves: Sequence[str]) -> str:
        """Return the text of an answer with these moves, in the order of play."""
        return "\n".join([*moves, "", f"{ABOUT} {reference(self.named)}", ""])

    def link(self, moves: Sequence[str]) -> str:
        """Return a ``mailto:`` link (RFC 6068) that starts an answer with these moves."""
        fields = {
            "subject": f"Re: {self.subject}",
            "In-Reply-To": id_of(self.named),
            "body": self.body(moves).replace("\n", "\r\n"),
        }
        written = "&".join(f"{name}={quote(text, safe='')}" for name, text in fields.items())
        return f"mailto:{quote(self.address, safe='@')}?{written}"


class Offers(NamedTuple):
    """The moves that one reader can choose from.

    ``groups``   the moves, the best-scoring first
    ``reply``    how to answer; ``None`` if nobody else can play the moves
    ``sender``   the player who plays them for the reader
    ``private``  whether they show the reader's secrets
    """

    groups: tuple[MoveGroup, ...]
    reply: ReplyTo | None
    sender: str
    private: bool

    @property
    def are_few(self) -> bool:
        """Whether they are few enough to come before the table, and to be listed in a text."""
        return sum(len(group.offers) for group in self.groups) <= FEW


# -- The page of a turn

DEEPEST = 3
"""The most moves of one turn that can be clicked in a row."""


def turn_page(replay: Replay, seat: int, offers: Offers, file: str | None = None) -> str:
    """Return the page for a seat, with its secrets if the offers show them.

    ``offers`` are shown where scripts do not run; without a reply moves cannot be mailed. ``file``
    is the record's name in commands, by default as it was read. Raises RefusedError if the player
    has nothing to choose, or only among secrets that the page does not show.
    """
    graph = _Graph(replay.game, seat, private=offers.private)
    start = graph.decision(replay.state, 1)
    player, reply = replay.holders[seat], offers.reply
    if start is None:
        if not replay.game.count_moves(replay.state, seat):
            refuse(f"There is no move that {player} can click now.")
        refuse(
            f"{player} has nothing to choose on a page without secrets. If only {player} gets "
            f"it, add: {option('--as', player)}"
        )
    path = path_of(replay, file)
    data: dict[str, object] = {
        "graph": graph.nodes,
        "notes": list(graph.notes),
        "start": start,
        "seat": seat,
        "quoted": {word: quoted(word) for word in graph.words if quoted(word) != word},
        "command": ["porto ", f" {path}", f" {option('--as', player)}"],
    }
    if reply:
        # The text around the moves.
        data["about"] = reply.body([""])
        data["link"] = reply.link([""]).partition("&body=")
    section = _file("turn_page.html").format(
        title=escaped(f"Your move, {player}"),
        offers="".join(map(str, _offered(offers))),
        mail=tag("a", "Mail it", id="mail") if reply else "",
        copy=_COPY if reply else "",
        choices=_json(data),
    )
    document = table_html(replay, seat if offers.private else None)
    return with_script(document, Html(section), _file("turn_page.css"), _file("turn_page.js"))


_COPY = '<div><pre id="text"></pre><button data-copy="text">Copy the words</button></div>'
"""Added to the page if a move can be mailed."""


def _file(name: str) -> str:
    return Path(__file__).with_name(name).read_text("utf-8")


def _json(data: object) -> Html:
    """Return JSON that is safe inside a page."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return Html(text.replace("<", "\\u003c"))


def _offered(offers: Offers) -> Iterator[Html]:
    """Return the moves for readers without scripts: links if they can be mailed, else words."""
    reply = offers.reply
    for group in offers.groups:
        yield tag("h3", group.title)
        items = []
        for offer in group.offers:
            text = tag("a", offer.label, href=reply.link(offer.moves)) if reply else offer.label
            items.append(tag("li", text, f" {offer.note}" if offer.note else ""))
        yield tag("ul", *items)
        if group.more:
            yield tag("p", group.more)


# -- The moves as data


class _Graph:
    """The legal moves of a turn as a graph of words.

    ``nodes``   for each possible next word, the number of its node; at the end of a move, under an
                empty word, the number of its note, then, if any, the node of the next decision,
                whether that is the same command, and the numbers to choose
    ``notes``   what moves bring, the best first
    """

    def __init__(self, game: Game, seat: int, *, private: bool) -> None:
        self.game, self.seat, self.private = game, seat, private
        self.nodes: list[dict[str, Any]] = []
        self.notes: dict[str, int] = {}
        self._numbers: dict[str, int] = {}

    def decision(self, state: State, depth: int) -> int | None:
        """Return the node of the seat's choices in a state; ``None`` if there are none."""
        choices = self.game.words.choices(state, self.seat, private=self.private)
        for one in choices:
            self.notes.setdefault(one.brings, len(self.notes))
        ends = [(tuple(one.move.split()), self._end(state, one, depth)) for one in choices]
        return self._node(ends) if ends else None

    @property
    def words(self) -> set[str]:
        """All words of moves."""
        ends = [node[""] for node in self.nodes if "" in node]
        names = {name for end in ends if len(end) > 3 for name in end[3][0]}
        return names.union(*self.nodes) - {"", MANY}

    def _node(self, ends: Sequence[tuple[tuple[str, ...], list[Any]]]) -> int:
        node: dict[str, Any] = {}
        following: dict[str, list[tuple[tuple[str, ...], list[Any]]]] = {}
        for words, end in ends:
            if words:
                following.setdefault(words[0], []).append((words[1:], end))
            else:
                node[""] = end
        for word, rest in following.items():
            node[word] = self._node(rest)
        number = self._numbers.setdefault(json.dumps(node), len(self.nodes))
        if number == len(self.nodes):
            self.nodes.append(node)
        return number

    def _end(self, state: State, choice: Option, depth: int) -> list[Any]:
        end: list[Any] = [self.notes[choice.brings]]
        if choice.counts:
            return [*end, None, False, [*choice.counts]]
        after = self._after(state, choice.move) if depth < DEEPEST else None
        following = None if after is None else self.decision(after, depth + 1)
        if after is None or following is None:
            return end
        return [*end, following, self.game.follow_up(after) is not None]

    def _after(self, state: State, text: str) -> State | None:
        """Return the state after a move, if the same player is to move again and nothing comes up
        before that.
        """
        game, unknown = self.game, []

        def chance(stream: str, index: int, pile: bytes, /) -> int:
            unknown.append(stream)
            return 0

        move = game.parse_move(text, state, self.seat)
        after, events = game.apply(state, move, chance, self.seat)
        if unknown or any(map(game.stops_foresight, events)):
            return None
        return after if game.to_move(after) == (self.seat,) else None
