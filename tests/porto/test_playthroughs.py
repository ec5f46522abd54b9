"""Games, printed turn by turn as every seat sees them.

In the pictures of the games (``__snapshots__/test_playthroughs``) stands after each item what
happened, what has changed since the one before for somebody who only looks on, and for each player
what that player sees besides. A private contract or a face-down card that gets out shows up in the
diff.
The tests below change what is hidden, and demand that nobody notices.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

import porto_cli
from porto_cli.core.chance import Chance, seeded_chance
from porto_cli.games.porto import coach
from porto_cli.games.porto.engine import PRIVATE_NAMES
from porto_cli.games.porto.engine import state as state_module
from porto_cli.games.porto.engine.cards import Draw
from porto_cli.games.porto.engine.play import Build, legal_moves
from porto_cli.games.porto.engine.state import CONTRACTS, OVER, TIMER, Config, State
from porto_cli.games.porto.game import PORTO
from porto_cli.games.porto.notation import format_move
from porto_cli.games.porto.options import moves
from porto_cli.games.porto.view import table
from porto_cli.match import match as match_module
from porto_cli.match.replay import Replay
from porto_cli.pages import log_json
from tests.conftest import ROOT, Result

RECORDS = ROOT / "records" / "porto"


class PlainText(SingleFileSnapshotExtension):
    _write_mode = WriteMode.TEXT
    file_extension = "txt"


FIRST, LAST = 4, 2
"""Items of a record that are told: its beginning and its end."""


@pytest.mark.parametrize("name", ["two-players", "solo-won"])
def test_a_game_as_every_seat_sees_it(name, snapshot):
    game = porto_cli.load(RECORDS / f"{name}.yaml").replay
    assert "\n".join([*playthrough(game), ""]) == snapshot(extension_class=PlainText)


def playthrough(replay: Replay) -> Iterator[str]:
    """Tell a game, item by item, with what is new for everybody and for each seat."""
    turns = log_json(replay)["turns"]
    seen: dict[int | None, dict[str, str]] = {}
    items = range(len(replay.steps) + 1)
    for count in (*items[:FIRST], *items[-LAST:]):
        state = replay.steps[count - 1].after if count else replay.opening
        then = replay._replace(state=state, steps=replay.steps[:count])
        yield ""
        if count:
            turn = turns[count - 1]
            yield f"=== {turn['player']}: {'; '.join(turn['moves'])}"
            events = PORTO.events_text(replay.steps[count - 1].events, replay.config)
            yield from (f"    {sentence}" for sentence in events)
        else:
            yield "=== setup"
        everybody = facts(then, None)
        yield from changed(everybody, seen.get(None, {}), "")
        for seat, player in enumerate(state.config.players):
            own = {key: fact for key, fact in facts(then, seat).items() if fact != everybody[key]}
            yield from changed(own, seen.get(seat, {}), f"{player} sees: ")
            seen[seat] = own
        seen[None] = everybody


APART = {
    *("player", "fingerprint", "digest", "houses", "tiles", "players", "public_contracts"),
    *("roofs_to_end", "last_turn", "built"),
}
"""What a view has besides, or what is told in other words."""


def facts(replay: Replay, seat: int | None) -> dict[str, str]:
    """Return what a seat is shown, each fact under a name."""
    view = table(replay, seat)
    data = {key: fact for key, fact in view.items() if key not in APART}
    data["turn"] = data.pop("turns_over")
    found = {key: _text(fact) for key, fact in data.items()}
    found["tiles"] = ", ".join(
        f"{color} {left['ground']}+{left['floor']}" for color, left in view["tiles"].items()
    )
    found |= {name: _house(house) for name, house in view["houses"].items()}
    for player in view["players"]:
        name, private = player["name"], player["private_contracts"]
        found[name] = f"{player['score']} VP, fulfilled {player['fulfilled']}"
        found[f"{name}'s hand"] = _text(player["hand"])
        found[f"{name}'s private contracts"] = (
            "hidden"
            if private is None
            else ", ".join(f"{one['contract']} ({one['vp']} VP)" for one in private) or "none"
        )
    possible = moves(replay.state, seat)
    best = f", like {possible[0]['move']} ({possible[0]['vp']} VP)" if possible else ""
    found["legal moves"] = f"{len(possible)}{best}"
    return found


def _house(house: dict[str, Any]) -> str:
    parts = [f"{house['color'] or 'empty'} {house['floors']}/{house['height']}"]
    parts += ["complete"] if house["complete"] else []
    parts += [f"{house['ground_token']} VP on the ground"] if house["ground_token"] else []
    parts += [f"{house['roof_token']} VP on the roof"] if house["roof_token"] else []
    return ", ".join(parts)


def _text(fact: object) -> str:
    match fact:
        case None | [] | () | "":
            return "none"
        case dict():
            return ", ".join(f"{key} {_text(value)}" for key, value in fact.items())
        case list() | tuple():
            return " ".join(map(_text, fact))
    return str(fact)


def changed(now: dict[str, str], before: dict[str, str], lead: str) -> Iterator[str]:
    for key, fact in now.items():
        if before.get(key) != fact:
            yield f"  {lead}{key}: {fact}"


# --- what is hidden changes nothing -----------------------------------------------------------


class Hidden:
    """Changes what the seat that looks cannot know: the deals of others, and what comes up."""

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, looking: int | None, replay: Replay
    ) -> None:
        # What came up in a turn that was taken back is known as well.
        tables = [replay.opening, *(step.after for step in replay.steps)]
        total, timer = replay.state.config.public_total, replay.state.config.timer
        self.looking = looking
        self.came_up = {
            "cards": max(table.cards_drawn for table in tables),
            "contracts": max(total - len(table.contract_deck) for table in tables),
            "timer": max(timer - table.timer_left for table in tables),
        }
        self.deal_private = state_module.deal_private

        def otherwise(seed: str) -> Chance:
            usual = seeded_chance(seed)

            def position(stream: str, index: int, pile: bytes, /) -> int:
                found = usual(stream, index, pile)
                return (found + (index >= self.came_up.get(stream, 999))) % len(pile)

            return position

        monkeypatch.setattr(match_module, "seeded_chance", otherwise)
        monkeypatch.setattr(state_module, "deal_private", self.deal_otherwise)

    def deal_otherwise(self, config: Config, chance: state_module.Chance) -> tuple[bytes, ...]:
        dealt = self.deal_private(config, chance)
        left = [one for one in config.private_deck if one not in b"".join(dealt)]
        return tuple(
            hand if seat == self.looking else bytes(left.pop() for _ in hand)
            for seat, hand in enumerate(dealt)
        )


def shortened(record: str, items: int) -> str:
    """Return a record with so many items, or without so many of the last ones."""
    head, turns = (RECORDS / record).read_text("utf-8").split("turns:\n")
    return head + "turns:\n" + "".join(re.findall(r"^- .*\n(?:  .*\n)*", turns, re.M)[:items])


def contracts_phase(record: str) -> str:
    """Return a record that ends where a build waits for its contracts."""
    text = (RECORDS / record).read_text("utf-8")
    return text[: text.index("  contract:", len(text) // 2)]


def timer_phase(record: str) -> str:
    """Return a record of a solo game that ends where the timer waits for its build."""
    text = (RECORDS / record).read_text("utf-8")
    return text[: text.index("  timer-build:", len(text) // 2)]


GAMES = {
    "nobody has kept": shortened("three-players.yaml", 0),
    "one has kept": shortened("three-players.yaml", 1),
    "in the middle": shortened("three-players.yaml", 40),
    "a build waits": contracts_phase("two-players.yaml"),
    "the last turn": shortened("two-players.yaml", -2),
    "solo": shortened("solo-won.yaml", 9),
    "the timer waits": timer_phase("solo-won.yaml"),
}
UNEVENTFUL = ("in the middle", "solo", "nobody has kept", "the timer waits")


def words_of_commands(state: State, looking: int | None) -> Iterator[list[str]]:
    """Return the commands that a player may try, none of which may tell what is hidden."""
    players = state.config.players
    me = [] if looking is None else ["--as", players[looking]]
    game = ["game.yaml"]
    for form in ("text", "json", "svg", "html"):
        yield ["show", *game, "--format", form, *me]
    yield ["show", *game, "--plain", *me]
    yield ["show", *game, "--turn", "0", *me]
    for form in ("text", "json", "html"):
        yield ["log", *game, "--format", form]
    for form in ("text", "json"):
        yield ["verify", *game, "--format", form]
        yield ["moves", *game, "--format", form, *me]
        yield ["score", *game, "--format", form, *me]
    yield ["score", *game, "--plain", *me]
    yield ["games", *game]
    yield ["mail", *game, "--to", players[-1], "--format", "text"]
    if me:
        yield ["mail", *game, "--to", players[looking], "--private", "--format", "text"]
        yield ["hint", *game, "--format", "json", *me]
        yield ["analyze", *game, "--samples", "2", "--workers", "1", "--format", "json", *me]
    yield ["scenario", "--from", *game]
    yield ["scenario", "--from", *game, "--turn", "0"]
    simulate = ["simulate", "greedy", "--from", *game, "--seed", "x", "--games", "2"]
    yield [*simulate, "--workers", "1", "--format", "jsonl", *me]
    yield from dry_runs(state)
    yield ["undo", *game, "--dry-run"]
    for move in ("draw yellow-3 yellow-3", "build red-3 red-3 L4", "contract red+red", "pass"):
        verb, *words = move.split()
        yield [verb, *game, *words]
        yield [verb, *game, *words, "--as", players[0]]
    for kept in ("1 2", "1 2 9", "side palette ends-red", "trios-blue+green+red mirror-red 1"):
        if me:
            yield ["keep", *game, *kept.split(), *me]


def dry_runs(state: State) -> Iterator[list[str]]:
    """Return a command for some legal moves of each kind."""
    moves = legal_moves(state)
    draws = [move for move in moves if isinstance(move, Draw)]
    builds = [move for move in moves if isinstance(move, Build)]
    for move in [*draws[:1], *draws[-1:], *builds[:1], *builds[-1:], *moves[:1]]:
        verb, _, words = format_move(move, state).partition(" ")
        words = words.replace("token ", "--token ")
        for form in ("text", "json"):
            yield [verb, "game.yaml", *words.split(), "--dry-run", "--format", form]


@pytest.mark.parametrize(
    "name",
    # In hunts also where there is no turn that waits; the last turn has the most to be played on.
    [
        pytest.param(
            name,
            marks=[pytest.mark.slow] * (name in UNEVENTFUL)
            + [pytest.mark.long] * (name == "the last turn"),
        )
        for name in GAMES
    ],
)
@pytest.mark.long
def test_no_answer_depends_on_what_is_hidden(name, porto, monkeypatch):
    """Other private contracts of the others, and other cards to come: every answer is the same."""
    monkeypatch.setattr(coach, "SAMPLES", dict.fromkeys(range(1, 5), 4))
    Path("game.yaml").write_text(GAMES[name], "utf-8")
    match = porto_cli.load("game.yaml")
    state = match.state
    last = state.config.seats - 1
    for looking in (None, last):
        commands = list(words_of_commands(state, looking))
        usual = [porto(*words) for words in commands]
        tells_no_secret(match, looking, commands, usual)
        with monkeypatch.context() as patch:
            Hidden(patch, looking, match.replay)
            changed_state = porto_cli.load("game.yaml").state
            assert_all_but_hidden_is_the_same(state, changed_state, looking)
            for words, answer in zip(commands, usual, strict=True):
                assert porto(*words) == answer, words
        assert Path("game.yaml").read_text("utf-8") == GAMES[name]


def tells_no_secret(
    match: porto_cli.Match, looking: int | None, commands: list[list[str]], answers: list[Result]
) -> None:
    """Neither the seed nor the name of a private contract of somebody else is in an answer."""
    dealt = match.state.dealt
    own = b"" if looking is None else dealt[looking]
    secret = {PRIVATE_NAMES[one] for hand in dealt for one in hand if one not in own}
    # These two are words of the language as well.
    secret -= {"side", "palette"}
    assert match.record.seed
    for words, answer in zip(commands, answers, strict=True):
        assert answer.code in (0, 1, 2), words
        text = answer.out + answer.err
        assert match.record.seed not in text, words
        assert not {one for one in secret - set(words) if one in text}, words


def assert_all_but_hidden_is_the_same(state: State, other: State, looking: int | None) -> None:
    for seat in range(state.config.seats):
        same = set(other.dealt[seat]) & set(state.dealt[seat])
        assert other.dealt[seat] == state.dealt[seat] if seat == looking else not same
    facts, others = state.contents(), other.contents()
    for hidden in ("dealt", "kept"):
        del facts[hidden], others[hidden]
    assert facts == others


def test_what_is_hidden_has_changed_in_that_test(porto, monkeypatch):
    """The test before is worth something only if there was something to notice."""
    Path("game.yaml").write_text(GAMES["in the middle"], "utf-8")
    match = porto_cli.load("game.yaml")
    other = match.players[0]
    draws = (words for words in dry_runs(match.state) if words[0] == "draw")
    draw = max(draws, key=len)
    draw = [*draw[: draw.index("--dry-run")], "--quiet"]

    def answers() -> list[object]:
        Path("game.yaml").write_text(GAMES["in the middle"], "utf-8")
        shown = porto("show", "game.yaml", "--as", other)
        assert porto(*draw).code == 0
        return [shown, Path("game.yaml").read_text("utf-8").splitlines()[-1]]

    usual = answers()
    Hidden(monkeypatch, None, match.replay)
    for before, now in zip(usual, answers(), strict=True):
        assert before != now


def test_private_contracts_are_shown_at_the_end(porto):
    """Views that hide them before the end show them then."""
    match = porto_cli.load(RECORDS / "two-players.yaml")
    assert match.state.phase == OVER
    answer = porto("score", RECORDS / "two-players.yaml").out
    for kept in match.state.kept:
        assert all(PRIVATE_NAMES[one] in answer for one in kept)


def test_the_games_wait_for_what_they_should():
    states = {name: porto_cli.loads(text).state for name, text in GAMES.items()}
    last = states["the last turn"]
    assert last.turn + 1 == last.config.seats * (last.end_round + 1)
    phases = {name: state.phase for name, state in states.items()}
    assert phases["a build waits"] == CONTRACTS
    assert phases["the timer waits"] == TIMER
    assert phases["nobody has kept"] == "keep"
    assert OVER not in phases.values()
