"""Positions: what is left out, what cannot be, and the way from a state to a file and back."""

from __future__ import annotations

import random

import pytest

from porto_cli.core.chance import seeded_chance
from porto_cli.core.yaml import InvalidFileError, read
from porto_cli.fields import Position, entry_lines, lines_of
from porto_cli.games.puerto_rico.engine import BASE_KINDS, GOODS
from porto_cli.games.puerto_rico.engine.effects import final_scores
from porto_cli.games.puerto_rico.engine.moves import FACE_DOWN, Take, TookTile
from porto_cli.games.puerto_rico.engine.play import apply, count_moves, deal_tiles, legal_moves
from porto_cli.games.puerto_rico.engine.state import OVER, PHASES, Config, State
from porto_cli.games.puerto_rico.position import (
    FIELDS,
    describe_position,
    read_position,
)
from porto_cli.kinds import Plain, words
from tests.puerto_rico.playing import plies
from tests.shares import for_each

NAMES = ("Inês", "Joana", "Afonso", "Duarte", "Rita")
FEW_LISTED = 60
GIVEN = [key for key, field in FIELDS.items() if field.given]
ASKED = [key for key, field in FIELDS.items() if field.find]


def config(players: int = 3, **options: str) -> Config:
    return Config(NAMES[:players], **options)


def read_text(text: str, game: Config, unchecked: bool = False) -> Position:
    inside = "\n".join(f"  {line}" for line in text.splitlines())
    root = read(f"position:\n{inside}" if text else "position: {}", "file.yaml")
    node = root["position"]
    return read_position(node, game, unchecked=unchecked)


def position(text: str = "", players: int = 3, unchecked: bool = False, **options: str) -> Position:
    return read_text(text, config(players, **options), unchecked)


def refusal(text: str, players: int = 3, **options: str) -> str:
    with pytest.raises(InvalidFileError) as caught:
        position(text, players, **options)
    return str(caught.value)


def value_of(state: State, key: str) -> str | tuple[str, ...] | dict[str, str]:
    """Return what a state has under a key, in words."""
    written = FIELDS[key].of(state)
    if isinstance(written, dict):
        return {name: words(inner, "[]") for name, inner in written.items()}
    return tuple(map(words, written)) if isinstance(written, tuple) else words(written)


def asked(state: State, **facts: object) -> None:
    """Compare what a state holds with what is written here, the dashes of keys as underscores."""
    for name, expected in facts.items():
        assert value_of(state, name.replace("_", "-")) == expected, name


def people(*values: str) -> dict[str, str]:
    return dict(zip(NAMES, values, strict=False))


# -- what is left out


def test_what_is_left_out_is_a_fresh_setup() -> None:
    state = position().state
    asked(
        state,
        phase="role",
        round="1",
        governor="Inês",
        chooser="none",
        to_move="Inês",
        ship="3",
        supply="55",
        vp_pool="75",
        quarries="8",
        trading_house="none",
        cargo={"4": "none", "5": "none", "6": "none"},
        doubloons=people("2", "2", "2"),
        vp=people("0", "0", "0"),
        san_juan=people("0", "0", "0"),
        goods=people("none", "none", "none"),
        island=people("indigo", "indigo", "corn"),
        city=people("none", "none", "none"),
        colonists=people("none", "none", "none"),
        goods_supply="corn 10 indigo 11 sugar 11 tobacco 9 coffee 9",
        end_triggered=(),
        tile_discards="none",
        face_down="false",
        produced="none",
        loaded=(),
        wharf_used=(),
        small_wharf_used=(),
        passes="0",
        stack="43",
        places=people("1", "1", "1"),
    )
    assert state.violet == BASE_KINDS
    assert set(value_of(state, "roles").values()) == {"none"}
    assert set(value_of(state, "role-doubloons").values()) == {"0"}
    assert value_of(state, "copies")["hacienda"] == "2"
    assert value_of(state, "copies")["statue"] == "0"


@pytest.mark.parametrize(
    ("players", "doubloons", "supply", "ship", "pool", "ships"),
    [
        (2, 3, 40, 2, 65, ["4", "6"]),
        (3, 2, 55, 3, 75, ["4", "5", "6"]),
        (4, 3, 75, 4, 100, ["5", "6", "7"]),
        (5, 4, 95, 5, 122, ["6", "7", "8"]),
    ],
)
def test_the_setup_follows_the_number_of_players(players, doubloons, supply, ship, pool, ships):
    state = position("", players).state
    asked(state, supply=str(supply), ship=str(ship), vp_pool=str(pool))
    assert set(value_of(state, "doubloons").values()) == {str(doubloons)}
    assert list(value_of(state, "cargo")) == ships
    assert sum(state.row) == players + 1


def test_a_player_whom_no_key_names_has_no_key() -> None:
    state = position("doubloons: {Joana: 4}\nisland: {Inês: quarry}").state
    asked(state, doubloons=people("0", "4", "0"), island=people("quarry", "none", "none"))


def test_round_and_governor_follow_from_each_other() -> None:
    asked(position("governor: Afonso").state, round="3", to_move="Afonso")
    asked(position("round: 5").state, governor="Joana", to_move="Joana")
    asked(position("round: 6\ngovernor: Afonso").state, governor="Afonso")
    assert "The governor of round 5 is Joana" in refusal("round: 5\ngovernor: Inês")


def test_who_has_taken_the_role_of_the_phase_is_the_chooser() -> None:
    asked(position("phase: captain").state, chooser="Inês", to_move="Inês")
    state = position("phase: captain\ngovernor: Joana").state
    asked(state, chooser="Joana", to_move="Joana")
    assert value_of(state, "roles")["captain"] == "Joana"
    state = position("phase: store\nroles: {settler: Inês, captain: Joana}").state
    asked(state, chooser="Joana", to_move="Joana")
    assert value_of(state, "roles")["settler"] == "Inês"


def test_in_phase_role_the_next_player_takes_a_card() -> None:
    asked(position("roles: {settler: Inês}").state, to_move="Joana")
    asked(position("round: 2\nroles: {settler: Joana, mayor: Afonso}").state, to_move="Inês")
    two = "roles: {settler: Inês, mayor: Joana, captain: Inês}"
    asked(position(two, 2).state, to_move="Joana")


def test_in_the_draft_the_kinds_are_those_chosen() -> None:
    state = position("phase: draft", buildings="draft").state
    asked(state, violet=(), to_move="Inês")
    state = position("phase: draft\nviolet: [church]", buildings="draft").state
    asked(state, violet=("church",), to_move="Joana")
    assert value_of(state, "copies")["church"] == "2"


def test_when_the_game_is_over_nobody_is_to_move() -> None:
    state = position("phase: over\nvp: {Inês: 75}").state
    asked(state, to_move="none", end_triggered=("vp",), places=people("1", "2", "2"))


def test_the_end_is_triggered_by_what_the_position_shows() -> None:
    city = "guild-hall residence fortress customs-house city-hall harbor wharf"
    asked(position(f"city: {{Joana: {city}}}").state, end_triggered=("city",))
    both = f"city: {{Joana: {city}}}\nvp: {{Inês: 40, Afonso: 36}}"
    asked(position(both).state, end_triggered=("city", "vp"), vp_pool="0")
    said = "supply: 0\nship: 0\nsan-juan: {Inês: 58}\nend-triggered: [colonists]"
    asked(position(said).state, end_triggered=("colonists",))


def test_nothing_of_a_phase_can_be_said_in_any() -> None:
    none = "face-down: false\nproduced: none\nloaded: []\nwharf-used: []\npasses: 0\nchooser: none"
    assert same(position(none).state, position().state)


def test_what_is_nowhere_is_in_the_box() -> None:
    state = position("""cargo: {5: corn 3, 6: none}
trading-house: coffee corn
goods: {Inês: corn 2 sugar}
island: {Inês: quarry 2 corn 3 forest-corn}
city: {Inês: hacienda hospice, Joana: hacienda}
colonists: {Inês: quarry hacienda}
san-juan: {Joana: 4}
vp: {Joana: 7}
tiles: corn 2 sugar 2
tile-discards: coffee 4""").state
    asked(
        state,
        goods_supply="corn 4 indigo 11 sugar 10 tobacco 9 coffee 8",
        quarries="6",
        supply="49",
        vp_pool="68",
        stack=str(50 - 4 - 4 - 4),
    )
    copies = value_of(state, "copies")
    assert (copies["hacienda"], copies["hospice"], copies["office"]) == ("0", "1", "2")


# -- what comes up


def turn_up(position: Position, times: int) -> list[str]:
    """Return the next tiles that come up, by a Hacienda."""
    state = position.state
    tiles = []
    for _ in range(times):
        state, events = apply(state, Take(FACE_DOWN), position.chance)
        tiles += [GOODS[event.tile] for event in events if isinstance(event, TookTile)]
        state = state.copy()
        state.face_down = False
    return tiles


SETTLER = """phase: settler
city: {Inês: hacienda}
colonists: {Inês: hacienda}
"""


def test_a_row_that_is_left_out_is_the_same_every_time() -> None:
    for players in (2, 3, 4, 5):
        row = deal_tiles(config(players), seeded_chance("scenario"))
        assert position("", players).state.row == row
    assert value_of(position().state, "tiles") == "corn 2 indigo tobacco"


def test_tiles_come_up_as_written_and_then_by_the_seed() -> None:
    known = position(f"{SETTLER}comes-up: [coffee, corn, coffee]")
    assert turn_up(known, 3) == ["coffee", "corn", "coffee"]
    first, second = (turn_up(position(f"{SETTLER}comes-up: [coffee]"), 6) for _ in range(2))
    assert first == second
    assert known.nodes["tiles"].line == 5


def test_the_index_of_the_seed_is_the_number_of_plantations_that_are_not_face_down() -> None:
    assert position().state.tiles_drawn == 3 + 4
    state = position("tile-discards: corn 5\nisland: {Inês: forest-sugar quarry}").state
    assert state.tiles_drawn == 1 + 4 + 5


def test_the_row_leaves_alone_what_comes_up() -> None:
    state = position("comes-up: [sugar, sugar, corn, corn, indigo, indigo, indigo]").state
    assert "sugar 11" not in value_of(state, "tiles")
    many = ", ".join(["sugar"] * 11 + ["corn"] * 9 + ["indigo"] * 10)
    state = position(f"comes-up: [{many}]").state
    assert all(not state.row[GOODS.index(good)] for good in ("sugar", "corn", "indigo"))


def test_what_comes_up_may_wait_for_a_reshuffle() -> None:
    rest = "corn 9 indigo 12 sugar 11 tobacco 9 coffee 7"
    waiting = f"""{SETTLER}island: {{}}
tiles: corn
tile-discards: {rest}
comes-up: [coffee, sugar, corn]"""
    assert turn_up(position(waiting), 3) == ["coffee", "sugar", "corn"]


# -- what is no position

MISTAKES = [
    ("houses: {}", "The key 'houses' is unknown here"),
    ("stack: 3", "The key 'stack' is unknown here"),
    ("phase: captains", "one of draft, role, settler"),
    ("round: 0", "a whole number from 1"),
    ("governor: Nobody", "There is no player 'Nobody'"),
    ("roles: {settler: Rita}", "There is no player 'Rita'"),
    ("roles: {prospector: Inês}", "There is no prospector with 3 players."),
    ("roles: {pilot: Inês}", "'pilot' is not a role"),
    ("roles: {settler: Inês, sett: Joana}", "'sett' is listed a second time."),
    ("role-doubloons: {trader: many}", "a whole number from 0"),
    ("violet: hacienda", "should be a list"),
    ("violet: [sugar-mill]", "sugar-mill is a production building"),
    ("violet: [church, church]", "'church' is listed a second time."),
    ("tiles: quarry", "'quarry' is not a plantation"),
    ("tiles: corn 41", "at most 40 of corn here, not 41"),
    ("tiles: corn 0", "Leave out corn"),
    ("comes-up: [forest-corn]", "'forest-corn' is not a plantation"),
    (
        "comes-up: [coffee, coffee, coffee, coffee, coffee, coffee, coffee, coffee, coffee]",
        "More coffee come up (9) than are face down (8).",
    ),
    ("cargo: {7: corn}", "There is no cargo ship '7'"),
    ("cargo: {4: corn 5}", "has room for 4 barrels, not 5"),
    ("cargo: {4: corn sugar}", "barrels of one kind, not corn and sugar"),
    ("trading-house: corn 5", "The trading house has room for 4"),
    ("doubloons: {Inês: -1}", "a whole number from 0"),
    ("goods: {Inês: [corn]}", "a single text"),
    ("goods: {Inês: quarry}", "'quarry' is not a good"),
    ("island: {Inês: harbor}", "'harbor' is not a tile"),
    ("city: {Inês: corn}", "'corn' is not a building"),
    ("city: {Inês: harbor 2}", "cannot have a building twice"),
    ("colonists: {Inês: san-juan}", "is not a tile or a building"),
    ("end-triggered: [money]", "one of colonists, city, vp"),
    ("end-triggered: [vp, vp]", "'vp' is listed a second time."),
    ("phase: settler\nface-down: maybe", "one of true, false"),
    ("face-down: true", "'face-down' requires phase settler"),
    ("produced: corn", "'produced' requires phase craftsman or privilege"),
    ("loaded: [Inês]", "'loaded' requires phase captain"),
    ("wharf-used: [Inês]", "'wharf-used' requires phase captain"),
    ("small-wharf-used: [Inês]", "'small-wharf-used' requires phase captain"),
    ("passes: 1", "'passes' requires phase captain"),
    ("phase: captain\npasses: 3", "a whole number from 0 to 2"),
    ("phase: captain\nloaded: [Inês, Inês]", "'Inês' is listed a second time."),
    ("chooser: Inês", "there is no chooser"),
    ("phase: captain\nchooser: none", "there is a chooser"),
    ("phase: over\nto-move: Inês", "no player is to move"),
    ("to-move: none", "a player is to move"),
]


@for_each(("text", "message"), MISTAKES)
def test_an_invalid_position_is_reported_with_its_place(text: str, message: str) -> None:
    with pytest.raises(InvalidFileError) as caught:
        position(text, unchecked=True)
    assert message in str(caught.value)
    assert caught.value.place.line == 1 + len(text.splitlines())


VIOLET = """violet: [small-market, hacienda, construction-hut, small-warehouse, hospice, office,
  large-market, large-warehouse, factory, university, harbor, wharf, guild-hall, residence,
  fortress, customs-house, {}]"""
FULL = "guild-hall residence fortress customs-house city-hall harbor wharf"

# What no game could lead to: the text, the key that the message names, and some of its words.
IMPOSSIBLE = [
    ("goods: {Inês: corn 6, Joana: corn 5}", "goods", "10 barrels of corn"),
    ("cargo: {6: coffee 6}\ntrading-house: coffee 4", "cargo", "needs 10"),
    ("island: {Inês: corn 6 forest-corn 5}", "island", "10 plantations of corn"),
    ("tile-discards: coffee 9", "tile-discards", "8 plantations of coffee"),
    ("tiles: coffee 9", "tiles", "8 plantations of coffee"),
    ("island: {Inês: quarry 5, Joana: quarry 4}", "island", "8 quarries"),
    ("tiles: corn 5", "tiles", "at most 4 plantations are face up, not 5"),
    ("supply: 54", "supply", "58 colonists"),
    ("ship: 59", "ship", "58 colonists"),
    ("san-juan: {Inês: 56}", "san-juan", "the players have 56"),
    (
        "colonists: {Joana: indigo 2}",
        "colonists",
        "Joana has 1 circle on indigo, but 2 colonists there",
    ),
    ("colonists: {Joana: harbor}", "colonists", "Joana has 0 circles on harbor"),
    ("island: {Inês: corn 9 sugar 4}", "island", "12 spaces there, but this position needs 13"),
    (f"city: {{Inês: {FULL} office}}", "city", "12 spaces there, but this position needs 13"),
    ("city: {Inês: residence, Joana: residence}", "city", "This game has 1 residence, but"),
    ("city: {Inês: church}", "city", "has no church, but"),
    ("violet: [hacienda]", "violet", "17 violet kinds are in a game, not 1"),
    (VIOLET.format("wharf, union-hall").replace("wharf, guild", "guild"), "violet", "cost 9"),
    (
        VIOLET.replace("construction-hut", "forest-house").format("city-hall"),
        "violet",
        "never in the same game",
    ),
    ("cargo: {5: corn, 6: corn}", "cargo", "corn is on two ships"),
    ("cargo: {4: corn 4}", "cargo", "phase empties full ships"),
    ("trading-house: corn 4", "trading-house", "phase empties a full trading house"),
    ("roles: {settler: Joana}", "roles", "taken in this round: 1; as Inês is governor"),
    ("roles: {settler: Inês, mayor: Inês}", "roles", "Inês has taken 1 of them, not 2"),
    ("roles: {settler: Inês, mayor: Joana, captain: Afonso}", "roles", "The round is over"),
    ("phase: trader\nroles: {settler: Inês}", "roles", "Inês is the chooser"),
    ("phase: trader\nroles: {trader: Joana}", "roles", "as Inês is governor"),
    ("phase: trader\nchooser: Joana", "chooser", "the last one is Inês's, not Joana's"),
    ("phase: trader\nroles: {trader: Inês}\nchooser: Joana", "roles", "Joana is the chooser"),
    ("roles: {settler: Inês}\nrole-doubloons: {settler: 1}", "role-doubloons", "has taken the"),
    ("to-move: Joana", "to-move", "It is Inês's turn here"),
    ("phase: privilege\nto-move: Joana", "to-move", "It is Inês's turn here"),
    ("vp: {Inês: 75}\nend-triggered: []", "end-triggered", "vp is missing"),
    (f"city: {{Inês: {FULL}}}\nend-triggered: []", "end-triggered", "city is missing"),
    ("end-triggered: [vp]", "end-triggered", "VP in the pool: 75"),
    ("end-triggered: [city]", "end-triggered", "No city is full"),
    ("end-triggered: [colonists]", "end-triggered", "Colonists in the supply: 55"),
    ("phase: over", "phase", "Nothing has triggered the end"),
    ("phase: over\nvp: {Inês: 75}\nroles: {settler: Inês}", "roles", "when 3 roles are taken"),
    ("phase: draft", "phase", "only with the option 'buildings: draft'"),
    ("phase: library", "phase", "no occupied Library"),
    ("phase: craftsman\nproduced: corn", "produced", "has not produced yet"),
    ("phase: captain\nwharf-used: [Inês]", "wharf-used", "Inês has no wharf"),
    (
        "phase: captain\ncity: {Inês: wharf}\nloaded: []\nwharf-used: [Inês]",
        "wharf-used",
        "belongs under 'loaded'",
    ),
]


@for_each(("text", "key", "message"), IMPOSSIBLE)
def test_what_no_game_could_lead_to_is_refused_unless_artificial(text, key, message) -> None:
    error = refusal(text)
    assert f": {key}: " in error
    assert message in error
    line = next(nth for nth, line in enumerate(text.splitlines(), 2) if line.startswith(key))
    assert error.startswith(f"file.yaml:{line}:")
    state = position(text, unchecked=True).state
    assert len(legal_moves(state, limit=FEW_LISTED)) >= (state.phase != OVER)


def test_impossible_in_the_draft() -> None:
    assert "before the first round" in refusal("phase: draft\nround: 2", buildings="draft")
    seventeen = VIOLET.format("city-hall")
    assert "the draft is over" in refusal(f"phase: draft\n{seventeen}", buildings="draft")
    assert "It is Inês's turn" in refusal("phase: draft\nto-move: Joana", buildings="draft")


def test_the_black_market_gives_vp_and_colonists_back() -> None:
    text = VIOLET.replace("construction-hut", "black-market").format("city-hall")
    asked(position(f"{text}\nend-triggered: [vp, colonists]").state, vp_pool="75")


def test_players_may_be_called_like_words() -> None:
    game = Config(("none", "true", "corn"))
    state = read_text("phase: captain\nloaded: [corn]\ngoods: {true: corn}", game).state
    again = read_text("\n".join(lines_of(describe_position(state))), game).state
    assert same(state, again)
    asked(again, chooser="none", loaded=("corn",))


# -- back and forth


def same(one: State, other: State) -> bool:
    """Return whether two states are the same but for the number of tiles that have come up."""
    left, right = one.contents(), other.contents()
    assert set(left) == set(right)
    return all(left[name] == right[name] for name in left if name != "tiles_drawn")


def round_trip(state: State) -> State:
    return read_text("\n".join(lines_of(describe_position(state))), state.config).state


def states_by_phase(seeds: range) -> dict[str, State]:
    found: dict[str, State] = {}
    for seed in seeds:
        for ply in plies((2 + seed % 4, "draft", "printed"), random.Random(seed)):
            found[ply.before.phase] = ply.before
            found[ply.after.phase] = ply.after
            if len(found) == len(PHASES):
                return found
    return found


@pytest.mark.long
def test_what_is_said_can_be_read_back() -> None:
    """The canonical text of every key is read as the same value."""
    state = states_by_phase(range(40))["captain"]
    for key in ASKED:
        field = FIELDS[key]
        node = read("\n".join(entry_lines(key, field.of(state))), "file.yaml")[key]
        assert field.kind.read(node, state.config) == field.find(state)


def test_every_key_is_given_or_asked() -> None:
    assert {*GIVEN, *ASKED} == {*FIELDS}
    assert {*GIVEN} - {*ASKED} == {"comes-up"}


def test_what_comes_up_can_be_written() -> None:
    state = position("tiles: corn 4").state
    keys = describe_position(
        state,
        [
            TookTile(seat=0, tile=tile, source="stack", forest=False, colonist=False)
            for tile in (4, 0)
        ],
    )
    again = read_text("\n".join(lines_of(keys)), state.config)
    assert keys["comes-up"] == ("coffee", "corn")
    assert same(state, again.state)
    assert again.chance("tiles", state.tiles_drawn, state.stack) == state.stack.index(4)


def test_a_fresh_table_needs_nothing_but_its_row() -> None:
    assert [*describe_position(position().state)] == ["tiles", "doubloons", "island"]


def test_long_keys_are_broken_between_their_items() -> None:
    names = [f"name {nth}" for nth in range(30)]
    lines = entry_lines("loaded", tuple(names))
    assert len(lines) > 1
    assert max(map(len, lines)) <= 100
    node = read("\n".join(lines), "file.yaml")["loaded"]
    assert [item.text() for item in node.items()] == names


# -- damages

JUNK = """
    none 0 1 2 40 41 999 1000 -1 corn coffee quarry forest-corn harbor wharf statue san-juan A B
    Nobody true role captain settler store over draft library mayor craftsman city vp ' { - #
"""
WORDS = JUNK.split()


def damaged(described: dict[str, Plain], rnd: random.Random) -> str:
    """Return the text of a position with one or two keys, entries, words or letters changed."""
    values = dict(described)
    for _ in range(rnd.randint(1, 2)):
        key = rnd.choice(list(values))
        value = values[key]
        kind = rnd.randrange(8)
        if kind == 0:
            values[rnd.choice(GIVEN)] = rnd.choice(WORDS)
        elif kind == 1:
            values[rnd.choice(GIVEN)] = values.pop(key)
        elif kind == 2:
            del values[key]
            if not values:
                return ""
        elif isinstance(value, dict) and value:
            name = rnd.choice(list(value))
            changed = {**value, name: _reworded(words(value[name]), rnd)}
            values[key] = changed if rnd.random() < 0.9 else {"A": rnd.choice(WORDS)}
        elif isinstance(value, tuple):
            values[key] = value[:-1] if rnd.random() < 0.5 else (*value, rnd.choice(WORDS))
        elif not isinstance(value, dict):
            values[key] = _reworded(words(value), rnd)
    text = "\n".join(line for key, value in values.items() for line in entry_lines(key, value))
    if rnd.random() < 0.1:
        at = rnd.randrange(len(text))
        text = text[:at] + rnd.choice("0159 ,:{}[]x'#") + text[at + 1 :]
    return text


def _reworded(text: str, rnd: random.Random) -> str:
    """Return a text with a word changed, left out or added; numbers are likely."""
    parts = text.split() or ["none"]
    nth = rnd.randrange(len(parts))
    kind = rnd.randrange(4)
    if kind == 0:
        parts[nth] = rnd.choice(WORDS)
    elif kind == 1 and len(parts) > 1:
        del parts[nth]
    else:
        parts.insert(nth + 1, str(rnd.randrange(1, 14)))
    return " ".join(parts)


@pytest.mark.long
@pytest.mark.parametrize("damages", [600, pytest.param(3000, marks=pytest.mark.long)])
def test_damaged_positions_are_refused_or_can_be_played_on(damages: int) -> None:
    """Damages of all sorts never raise anything else; what is accepted has its moves."""
    rnd = random.Random(11)
    states = list(states_by_phase(range(40)).values())
    texts = [(describe_position(state), state.config) for state in states]
    refused = accepted = 0
    for nth in range(damages):
        described, game = texts[nth % len(texts)]
        text = damaged(described, rnd)
        unchecked = nth % 2 == 0
        try:
            state = read_text(text, game, unchecked).state
        except InvalidFileError as error:
            refused += bool(str(error.sentence))
            continue
        accepted += 1
        moves = legal_moves(state, limit=FEW_LISTED)
        assert unchecked or len(moves) == min(count_moves(state), FEW_LISTED)
        assert len(final_scores(state)) == game.seats
        assert all(value_of(state, key) is not None for key in ASKED)
        assert unchecked or same(state, round_trip(state)), text
    assert refused > damages / 4
    assert accepted > damages / 8
