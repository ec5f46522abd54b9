"""The manual: what its pages say is what the program does, and they render cleanly."""

from __future__ import annotations

import contextlib
import re
import runpy
import shlex
import shutil
import subprocess
import tempfile
import tomllib
from functools import cache
from pathlib import Path

import pytest

from porto_cli import scenario as runner
from porto_cli import settings
from porto_cli.cli.commands import COMMANDS, examples_of
from porto_cli.core.chance import choose
from porto_cli.core.yaml import InvalidFileError
from porto_cli.games import BOX, GAMES
from porto_cli.games.porto.editions import DEFAULT, edition_of_text, shipped
from porto_cli.games.porto.engine import PRIVATE_NAMES
from porto_cli.games.porto.position import FIELDS as PORTO_FIELDS
from porto_cli.games.puerto_rico.position import FIELDS as PUERTO_RICO_FIELDS
from porto_cli.match import record
from porto_cli.match.match import load, loads
from porto_cli.match.replay import Replay
from porto_cli.settings import INBOX_PORTS, PORTS, STARTTLS, TLS, Inbox, Mail
from tests.conftest import run_porto
from tests.shares import for_each

ROOT = Path(__file__).parent.parent
MAN = ROOT / "man"
PAGES = sorted(MAN.glob("man*/*.[1-8]"))
RECORD = (MAN / "man5" / "porto-record.5").read_text("utf-8")
SCENARIO = (MAN / "man5" / "porto-scenario.5").read_text("utf-8")

TOP = (*record._REQUIRED, *record._OPTIONAL)
OPTIONS = ("private-contracts", "tie-break", "timer")
SETUP = ("tokens", "cards", "contracts")
ITEMS = tuple(key for meta in GAMES.values() for key in meta.item_keys)
PUERTO_RICO = ("buildings", "tiles")


ESCAPES = {r"\-": "-", r"\(aq": "'", r"\(dq": '"', r"\(ti": "~", r"\&": "", r"\e": "\\"}


def plain(roff: str) -> str:
    """Return the text of an example as a reader sees it."""
    text = re.sub(r"\\f[BIR]", "", roff)
    text = re.sub(r"\\\[u([0-9A-F]{4})\]", lambda code: chr(int(code[1], 16)), text)
    for escape, char in ESCAPES.items():
        text = text.replace(escape, char)
    return text


def examples(page: str) -> list[str]:
    blocks = re.findall(r"^\.EX\n(.*?)^\.EE$", page, re.MULTILINE | re.DOTALL)
    return [plain(block) for block in blocks]


def example(beginning: str) -> str:
    return next(text for text in examples(RECORD) if text.startswith(beginning))


def described(page: str) -> set[str]:
    """Return the words in bold that begin a paragraph with a tag, or a row of a table."""
    tags = re.findall(r"^\.TP\n\.BR? (.*)", plain(page), re.MULTILINE)
    tags += re.findall(r"^([a-z-]+);T\{$", plain(page), re.MULTILINE)
    return set(re.findall(r"[a-z-]+", " ".join(tags)))


def replayed(text: str) -> Replay:
    return loads(text, "example").replay


# -- porto-record(5)

RECORDS = [text for text in examples(RECORD) if "\nsetup:" in text]


def test_there_are_examples_of_both_kinds_of_secrecy():
    kinds = {replayed(text).record.secrecy for text in RECORDS}
    assert kinds == {"open", "table"}


def test_the_fingerprint_of_the_example_is_the_one_named():
    game = replayed(RECORDS[0])
    assert len(game.steps) == 7
    assert f"\\fB{game.fingerprint}\\fR." in RECORD
    of_puerto_rico = replayed(next(text for text in RECORDS if "game: puerto-rico" in text))
    assert f"\\fB{of_puerto_rico.fingerprint}\\fR." in RECORD


def test_the_canonical_form_is_how_the_example_begins():
    whole = "\n".join(RECORDS[0].splitlines()[: RECORDS[0].splitlines().index("turns:") + 2])
    game = replayed(whole)
    from hashlib import sha256

    canonical = example("porto: 1\nrules: 1\nplayers: [Inês, Joana, Afonso]\nedition")
    assert sha256(canonical.rstrip("\n").encode()).hexdigest()[:8] == game.fingerprint


def test_the_vectors_are_what_the_chance_gives():
    tables = [text for text in examples(RECORD) if text.startswith("SEED ")]
    vectors = [line.split() for table in tables for line in table.splitlines()[1:]]
    assert len(vectors) > 10
    for seed, stream, index, count, choice in vectors:
        assert choose(seed, stream, int(index), int(count)) == int(choice)
    assert {stream for _, stream, *_ in vectors} == {
        *("tokens", "cards", "contracts", "private", "timer", "first", "buildings", "tiles")
    }


def test_the_deal_of_the_example_is_the_one_named():
    game = replayed(RECORDS[0])
    words = example("Inês    pairs").split()
    for seat, player in enumerate(game.record.config.players):
        dealt = [PRIVATE_NAMES[contract] for contract in game.opening.dealt[seat]]
        where = words.index(player)
        assert words[where + 1 : where + 6] == dealt


def test_the_example_edition_is_the_default_under_another_name():
    edition = edition_of_text(example("name: our-box"), "example")
    assert edition._replace(name=DEFAULT) == shipped(DEFAULT)


def test_the_example_result_has_the_form_of_a_result():
    head = RECORDS[0][: RECORDS[0].index("\n- Inês: draw")]
    result = example("- result:")
    with pytest.raises(InvalidFileError, match="The result comes after the last turn"):
        replayed(f"{head}\n{result}")
    keys = re.findall(r"^(?:- |  )([a-z]+):", result, re.MULTILINE)
    assert keys == ["result", "private", "fingerprint"]


def test_an_undo_can_stand_after_the_result():
    match = load(ROOT / "records" / "porto" / "solo-lost.yaml")
    assert match.over
    match.undo()
    assert match.record.text.endswith(": undo\n")
    assert not loads(match.record.text).over


def test_every_key_of_a_record_is_described():
    keys = {*TOP, *ITEMS, *OPTIONS, *SETUP, *PUERTO_RICO}
    assert keys - set(described(RECORD)) == set()


# -- porto-scenario(5)

KEYS = (*PORTO_FIELDS, *PUERTO_RICO_FIELDS)
SCENARIOS = [text for text in examples(SCENARIO) if "\ncases:" in text]


@pytest.mark.parametrize("text", SCENARIOS, ids=range(len(SCENARIOS)))
def test_an_example_scenario_passes(text):
    found = runner.scenario_of_text(text, "example").cases
    assert found
    for case in found:
        assert runner.run(case).differences == ()


def test_every_key_of_a_scenario_is_described():
    keys = {*runner._REQUIRED, *runner._OPTIONAL, *runner._CASE, *KEYS}
    assert keys - set(described(SCENARIO)) == set()


# -- the pages that are made of the program

BUILD = runpy.run_path(str(MAN / "build.py"))
FACTS = BUILD["facts"]()
GAME = (
    "new friday.yaml Inês Joana --seed tram --first Inês",
    "keep friday.yaml 1 2 5 --as Inês",
    "keep friday.yaml 2 3 4 --as Joana",
    "draw friday.yaml green-3",
    "draw friday.yaml blue-1",
    "draw friday.yaml red-2",
    "draw friday.yaml red-3",
    "build friday.yaml red-2 green-3 L3 --token L6",
)
"""What is played before the examples of the pages are tried out; ``BEFORE`` says how far."""
ARRIVED = {"receive": ("friday(1).yaml", "friday.eml", "inbox")}
"""What has come by mail before the examples of a page are tried out."""
BEFORE = {"porto": 0, "new": 0, "keep": 1, "draw": 3, "move": 3, "build": 7, "contract": 8}


@pytest.mark.outside
def test_the_generated_pages_are_up_to_date():
    pages = {name: page() for name, page in BUILD["PAGES"].items()}
    old = [name for name, page in pages.items() if (MAN / name).read_text("utf-8") != page]
    assert old == [], "run: python man/build.py"


def test_every_command_has_a_page_and_no_other():
    commands = {path.stem.removeprefix("porto-") for path in MAN.glob("man1/porto-*.1")}
    assert commands == set(COMMANDS) >= set(FACTS["commands"])
    # What has another name would be left out of the pages without a word.
    known = {"name", "description", "on-arrival", "recipes", "exit", "examples", "see"}
    known |= {"language", "grammar", "meaning"}
    assert {key for page in FACTS["commands"].values() for key in page} <= known


COMMON = ("FILES", "ENVIRONMENT")
"""Sections that only porto(1) has, because they are the same for all commands."""


def test_what_holds_for_all_commands_is_on_the_page_of_the_program_alone():
    for page in MAN.glob("man1/*.1"):
        text = page.read_text("utf-8")
        assert [f".SH {title}\n" in text for title in COMMON] == [page.name == "porto.1"] * 2, page
        assert ".SH EXIT STATUS\n" in text


@for_each("name", COMMANDS)
def test_an_option_is_explained_on_the_page_of_its_command_or_of_the_program(name):
    """A page names the options that it shares with others, and porto(1) explains those."""
    own, of_all = (
        plain((MAN / "man1" / f"{page}.1").read_text("utf-8"))
        for page in (f"porto-{name}", "porto")
    )
    _, command, _ = BUILD["program"]()[0].resolve_command(BUILD["program"]()[1], [name])
    for param in command.params:
        if param.param_type_name == "option" and not param.hidden:
            flag = re.escape(max(param.opts, key=len))
            explained = rf"^\.TP\n.*{flag}\b(?!-)"
            assert re.search(rf"{flag}\b(?!-)", own), flag
            assert re.search(explained, own, re.MULTILINE) or re.search(
                explained, of_all.partition(".SH COMMON OPTIONS")[2], re.MULTILINE
            ), flag


@for_each("verb", sorted({verb for meta in BOX.values() for verb in meta.verbs}))
def test_the_page_of_a_verb_says_of_which_game_it_is(verb):
    """A verb of one game has its title and rules on the page, and not those of the other game."""
    page = plain((MAN / "man1" / f"porto-{verb}.1").read_text("utf-8"))
    name = page[page.index(".SH NAME") : page.index(".SH SYNOPSIS")]
    for game, meta in BOX.items():
        has_it = verb in meta.verbs
        if verb != "undo":  # It is the same in every game.
            assert (f"({meta.title})" in name) == has_it
        assert (BUILD["RULES_PAGES"][game] in page) == has_it


# -- porto-config(5)

CONFIG = FACTS["config"]


def test_every_setting_of_the_program_is_on_the_page_and_no_other():
    names = [name for name, _ in settings.all_keys()]
    assert sorted(CONFIG["keys"]) == sorted(names)
    assert set(names) == set(
        re.findall(r"^\.TP\n\\fB([a-z: ]+)\\fR$", config_section("KEYS"), re.MULTILINE)
    )


def config_section(title: str) -> str:
    text = (MAN / "man5" / "porto-config.5").read_text("utf-8")
    return text[text.index(f".SH {title}\n") :].split("\n.SH", 2)[0]


def test_the_example_of_the_settings_is_valid_and_complete():
    found = settings.read(CONFIG["example"], "config.yaml")
    assert found.mail == Mail(
        *("Ana <ana@example.org>", "smtp.example.org", 587, STARTTLS, "ana"),
        password_command="",
        inbox=Inbox(account=Mail("", "imap.example.org", 993, TLS, "ana", "")),
    )
    assert found.players.keys() == {"mine"}
    assert all(f"{key}:" in CONFIG["example"] for key in settings.KEYS)


def test_the_usual_ports_are_those_of_the_program():
    for security, port in PORTS.items():
        found = settings.read(f"mail: {{server: localhost, security: {security}}}", "config.yaml")
        assert found.mail.port == port
    for security, port in INBOX_PORTS.items():
        told = CONFIG["keys"]["mail: inbox"]["text"].replace("\n", " ")
        assert f"{port} with `{security}`" in told


@for_each("key", CONFIG["keys"])
def test_the_page_has_what_the_program_says_about_a_wrong_setting(key):
    for wrong in CONFIG["keys"][key]["wrong"]:
        with pytest.raises(InvalidFileError) as refused:
            settings.read(wrong, "config.yaml")
        assert str(refused.value) in plain(config_section("ERRORS"))


def command_lines(lines: str) -> list[list[str]]:
    joined = lines.replace("\\\n", " ").strip().splitlines()
    return [shlex.split(line.partition(" | ")[0])[1:] for line in joined]


@cache
def begun(count: int) -> dict[str, bytes]:
    """Return the files that so many lines of the game leave."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for line in GAME[:count]:
            assert run_porto(*shlex.split(line)).code == 0
        return {path.name: path.read_bytes() for path in Path().iterdir()}


SEALED = {"join", "reveal"}
"""Commands whose examples are typed by several people, each at an own computer."""


LASTING = {"analyze", "hint", "scenario", "simulate"}
"""Commands whose examples play many games or cases."""
ALWAYS = {"key", "new", "receive"}
"""Commands whose examples do what no other ordinary test does."""


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(
            name,
            marks=[pytest.mark.long] * (name in LASTING)
            + [pytest.mark.outside] * (name not in ALWAYS),
        )
        for name in ("porto", *sorted(COMMANDS.keys() - SEALED))
    ],
)
def test_the_examples_of_a_page_can_be_typed(name, porto, tmp_path):
    page = FACTS["porto"] if name == "porto" else FACTS["commands"].get(name, {})
    examples = page.get("examples") or [(line, "") for line in examples_of(name, BOX)]
    assert examples
    for nth, (lines, _) in enumerate(examples):
        if not nth or name not in ("porto", "keep"):
            for path in tmp_path.iterdir():
                path.unlink()
            for path, data in begun(BEFORE.get(name, len(GAME) - 1)).items():
                Path(path).write_bytes(data)
            for path in ARRIVED.get(name, ()):
                shutil.copy("friday.yaml", path)
        of_puerto_rico = name not in ("new", "porto") and re.search(r"sunday|table", lines)
        for line in PUERTO_RICO_GAMES if of_puerto_rico else ():
            assert porto(*shlex.split(line)).code == 0
        for words in command_lines(lines):
            if "theirs" in lines:
                continue  # A sealed game: see tests/sealed/test_cli_sealed.py.
            words = [
                found
                for word in words
                for found in ((word != "." and sorted(tmp_path.glob(word))) or [word])
            ]
            result = porto(*words)
            if of_puerto_rico:
                assert result.code in (0, 1) or "that can" in result.err, result.err
            else:
                assert result.code == NOT_DONE.get(words[0], 0), result.err


@pytest.mark.long
def test_the_examples_of_a_sealed_game_can_be_typed(porto, monkeypatch, tmp_path):
    def at(name: str, words: list[str]) -> int:
        monkeypatch.setenv("PORTO_HOME", str(tmp_path / "homes" / name))
        return porto(*words).code

    new, join, unlock = (
        command_lines(lines)[0] for lines, _ in FACTS["commands"]["join"]["examples"]
    )
    assert at("Inês", new) == 0
    for name in ("Joana", "Afonso"):
        assert at(name, [word if word != "Joana" else name for word in join]) == 0
    for name in ("Inês", "Joana"):
        assert at(name, unlock) == 0
    reveal, without = (
        command_lines(lines)[0] for lines, _ in FACTS["commands"]["reveal"]["examples"]
    )
    assert at("Inês", reveal) == 1
    assert at("Inês", without) == 0


PUERTO_RICO_GAMES = (
    "new sunday.yaml Inês Joana Afonso --game puerto-rico --seed arecibo --first Inês",
    "new table.yaml Inês Joana Afonso --game puerto-rico --secrecy table --tiles 'corn sugar 3'",
)
"""The moves in the examples of Puerto Rico can be read; for each to be legal it takes a table.

A placement that is typed in short is read by the table alone, which says what it lacks.
"""
NOT_DONE = {"pass": 1, "play": 2}
"""Commands whose examples cannot be tried out in the game above, and how they end there."""


# -- all pages


def test_a_wheel_installs_every_page_where_man_looks():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    installed = project["tool"]["hatch"]["build"]["targets"]["wheel"]["shared-data"]
    assert installed == {f"man/man{section}": f"share/man/man{section}" for section in (1, 5, 7)}
    assert {f"man/{page.parent.name}" for page in PAGES} == set(installed)
    for page in PAGES:
        assert page.parent.name == f"man{page.suffix[1]}", page
    for folder in installed:
        # Whatever is in these folders is installed.
        assert {path.suffix[1:] for path in (ROOT / folder).iterdir()} == {folder[-1]}


@pytest.mark.outside
@pytest.mark.skipif(not shutil.which("man"), reason="needs man")
@pytest.mark.parametrize("width", ["60", "80"])
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_renders_without_a_warning(page, width):
    shown = subprocess.run(
        ["man", "--warnings", "-l", str(page)],
        capture_output=True,
        env={
            "LC_ALL": "C.UTF-8",
            "MANWIDTH": width,
            "PATH": "/usr/bin:/bin",
            "MAN_KEEP_FORMATTING": "",
        },
        check=True,
    )
    assert shown.stderr == b""
    assert len(shown.stdout) > 500
    # A word that is cut would be typed in two parts.
    assert "\u2010\n" not in shown.stdout.decode()


TYPED = re.compile(
    r'\\fBporto ([a-z][^\\]*?)\\fR|^\.BR? "?porto ([a-z][^"\n]*)|^porto ([a-z][^\n|]*)',
    re.MULTILINE,
)
LABEL = "sealed 1/"
"""What porto-sealed(7) has in bold as well, and is no command."""


@for_each("page", PAGES)
def test_a_command_on_a_page_exists_and_has_these_options(page):
    """Also those within sentences, and those with words like FILE in them."""
    group, context = BUILD["program"]()
    text = page.read_text("utf-8").replace(r"\-", "-").replace(r"\(aq", "'")
    for found in TYPED.finditer(text):
        name, *words = next(filter(None, found.groups())).split()
        if [name, *words] == LABEL.split():
            continue
        _, command, _ = group.resolve_command(context, [name])
        params = command.get_params(context)
        known = {word for one in params for word in (*one.opts, *one.secondary_opts)}
        typed = {word.partition("=")[0] for word in words if re.match("--?[a-z]", word)}
        assert typed <= known, found[0]


def test_the_example_edition_can_be_played_with_as_the_rules_say(porto):
    rules = plain((MAN / "man7" / "porto-rules.7").read_text("utf-8"))
    Path("our-box.yaml").write_text(example("name: our-box"), "utf-8")
    line = "porto new friday.yaml Inês Joana --edition our-box.yaml"
    assert line in " ".join(re.sub(r"\\f.", "", rules).split())
    assert porto(*line.split()[1:]).code == 0


def test_pages_refer_to_pages_that_exist():
    for page in PAGES:
        text = plain(page.read_text("utf-8"))
        names = set(re.findall(r"(porto[a-z-]*)[ \"]*\(([1-8])\)", text))
        assert names, page.name
        for name, section in names:
            other = MAN / f"man{section}" / f"{name}.{section}"
            assert other.exists(), f"{page.name}: {name}({section})"


def test_hyphens_that_are_typed_are_escaped():
    for page in PAGES:
        for line in page.read_text("utf-8").splitlines():
            if line.startswith((".TH", '.\\"', "'\\\"")):
                continue
            bare = re.findall(r"(?<!\\)-", line)
            words = re.findall(r"\b[a-z]+(?<!\\)-[a-z]+\b", line)
            assert len(bare) == len(words), f"{page.name}: {line}"
