"""The address book: what is an address, whose it is, and a file that people write into as well."""

from __future__ import annotations

from pathlib import Path

import pytest

from porto_cli.core.yaml import InvalidFileError
from porto_cli.mail.addresses import Entry, Mailbox, NoAddressError, mailbox, read_book
from tests.documents import validated
from tests.mails import message_of, plain_text


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "home" / "porto"
    monkeypatch.setenv("PORTO_HOME", str(home))
    return home


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("rui@example.org", Mailbox("", "rui@example.org")),
        ("Rui Costa <rui@example.org>", Mailbox("Rui Costa", "rui@example.org")),
        (
            '"Costa, Rui" <rui+porto@mail.example.org>',
            Mailbox("Costa, Rui", "rui+porto@mail.example.org"),
        ),
        ("inês@example.org", None),
        ("rui@exämple.org", Mailbox("", "rui@xn--exmple-cua.org")),
        ("ana@localhost", Mailbox("", "ana@localhost")),
        ("rui", None),
        ("rui@", None),
        ("@example.org", None),
        ("rui@example..org", None),
        ("rui@-example.org", None),
        ("rui @example.org", None),
        ("rui@example.org, eva@example.org", None),
        ("rui@example.org\r\nBcc: eva@example.org", None),
        ("Rui\n <rui@example.org>", None),
        ("Rui <rui@example.org\n>", None),
        ("x" * 65 + "@example.org", None),
        ("", None),
    ],
)
def test_what_an_address_is(text: str, found: Mailbox | None) -> None:
    """Above all nothing that would begin another line in the head of a mail."""
    if found:
        assert mailbox(text) == found
    else:
        with pytest.raises(NoAddressError):
            mailbox(text)


def test_addresses_are_kept_listed_changed_and_forgotten(porto, home: Path) -> None:
    assert "No addresses are stored" in porto("address").out
    assert "Mail to Rui goes to rui@example.org" in porto("address", "Rui", "rui@example.org").out
    assert porto("address", "Inês", "Inês <ines@example.org>").code == 0
    assert porto("address").out == "Rui: rui@example.org\nInês: ines@example.org\n"
    assert porto("address", "rui", "costa@example.org").code == 0
    assert porto("address", "ines").out == "Inês: ines@example.org\n"
    removed = porto("address", "Rui", "--remove")
    assert removed.out.startswith("The address of rui was removed")
    assert "it was costa@example.org" in removed.out
    assert porto("address").out == "Inês: ines@example.org\n"
    assert porto("address", "Rui").code == 2
    assert porto("address", "Rui", "--remove").code == 2


def test_what_people_write_into_the_file_stays(porto, home: Path) -> None:
    home.mkdir(parents=True)
    book = home / "addresses.yaml"
    book.write_text("# friends\nRui: rui@example.org  # at work\n\n'no': no@example.org\n", "utf-8")
    assert porto("address", "Eva", "eva@example.org").code == 0
    assert porto("address", "no", "yes@example.org").code == 0
    assert book.read_text("utf-8") == (
        "# friends\nRui: rui@example.org  # at work\n\n"
        '"no": yes@example.org\nEva: eva@example.org\n'
    )


def test_an_entry_of_several_lines_is_changed_and_removed_whole(porto, home: Path) -> None:
    home.mkdir(parents=True)
    book = home / "addresses.yaml"
    book.write_text(
        "Rui:  # at work\n  rui@example.org\nEva: eva@example.org  # home\n"
        "Inês:\n  address: ines@example.org  # evenings\n  program: false\n# end\n",
        "utf-8",
    )
    assert "without the program" in porto("address", "Inês").out
    assert porto("address", "Rui", "costa@example.org").code == 0
    assert porto("address", "Inês", "--no-html").code == 0
    assert porto("address", "Eva", "--remove").code == 0
    assert book.read_text("utf-8") == (
        "# at work\nRui: costa@example.org\n# home\n"
        "# evenings\nInês: {address: ines@example.org, program: false, html: false}\n# end\n"
    )


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("Rui: rui\n", "a.yaml:1:6: 'rui' is not an e-mail address"),
        ('Rui: "rui@example.org\\nBcc: eva@example.org"\n', "is not an e-mail address"),
        ("Rui: [rui@example.org]\n", "single text"),
        ("{Rui: rui@example.org}\n", "Each line has one player"),
        ("Rui: rui@example.org\nRui: eva@example.org\n", "Duplicate key"),
        ("- rui@example.org\n", "Each line has one player"),
        ("' ': rui@example.org\n", "cannot be a player's name"),
    ],
)
def test_a_file_that_cannot_be_right_is_refused_with_the_place(text: str, complaint: str) -> None:
    with pytest.raises(InvalidFileError, match=complaint):
        read_book(text, "a.yaml")


@pytest.mark.parametrize("text", ["", "\n", "# nobody\n"])
def test_a_file_that_says_nothing_knows_nobody(text: str) -> None:
    book = read_book(text, "a.yaml")
    assert book.entries == {}
    assert book.of("Rui") is None
    assert read_book(book.with_entry("Rui", Entry("rui@example.org")), "a").of("Rui")


def test_an_address_belongs_to_this_player_and_to_nobody_with_a_longer_name() -> None:
    book = read_book("Ruiz: ruiz@example.org\nInês: ines@example.org\n", "a.yaml")
    assert book.of("Rui") is None
    assert book.of("ines") == Mailbox("ines", "ines@example.org")
    both = read_book("Ines: a@example.org\nInês: b@example.org\n", "a.yaml")
    assert both.of("Inês") == Mailbox("Inês", "b@example.org")


def test_lines_that_another_system_ended(porto, home: Path) -> None:
    home.mkdir(parents=True)
    (home / "addresses.yaml").write_bytes(b"Rui: rui@example.org\r\nEva: eva@example.org\r\n")
    assert porto("address", "Rui", "costa@example.org").code == 0
    assert porto("address").out == "Rui: costa@example.org\nEva: eva@example.org\n"


@pytest.mark.parametrize(
    "args",
    [
        ("rui@example.org", "Rui"),
        ("Rui", "rui"),
        ("result", "rui@example.org"),
        ("Rui", "rui@example.org", "--remove"),
        ("--remove",),
    ],
)
def test_wrong_usage_changes_nothing(porto, home: Path, args: tuple[str, ...]) -> None:
    porto("address", "Rui", "rui@example.org")
    before = (home / "addresses.yaml").read_bytes()
    assert porto("address", *args).code == 2
    assert (home / "addresses.yaml").read_bytes() == before


def test_what_cannot_be_a_name_is_not_proposed(porto, home: Path) -> None:
    done = porto("address", "")
    assert (done.code, done.out) == (2, "")
    assert "'' cannot be a player's name" in done.err
    assert "porto address" not in done.err


def test_addresses_for_programs(porto, home: Path) -> None:
    porto("address", "Inês", "ines@example.org")
    porto("address", "Rui", "rui@example.org")
    found = validated("addresses", porto("address", "--format", "json").out)
    assert found["addresses"] == {"Inês": "ines@example.org", "Rui": "rui@example.org"}
    found = validated("addresses", porto("address", "Rui", "--format", "json").out)
    assert found["addresses"] == {"Rui": "rui@example.org"}
    changed = porto("address", "Rui", "rui@example.com", "--format", "json").out
    assert validated("addresses", changed)["addresses"] == {"Rui": "rui@example.com"}
    removed = porto("address", "Rui", "--remove", "--format", "json").out
    assert validated("addresses", removed)["addresses"] == {}


# -- What a player does without


def test_who_plays_without_the_program_and_wants_text_alone_is_remembered(porto, home) -> None:
    porto("address", "Rui", "rui@example.org")
    done = porto("address", "Inês", "ines@example.org", "--no-program", "--no-html")
    assert "(without the program, text alone)" in done.out
    lines = (home / "addresses.yaml").read_text("utf-8").splitlines()[1:]
    assert lines == [
        "Rui: rui@example.org",
        "Inês: {address: ines@example.org, program: false, html: false}",
    ]
    assert porto("address").out == (
        "Rui: rui@example.org\nInês: ines@example.org (without the program, text alone)\n"
    )
    found = validated("addresses", porto("address", "--format", "json").out)
    assert (found["without_program"], found["text_alone"]) == (["Inês"], ["Inês"])


@pytest.mark.long
def test_who_cannot_sign_is_told_when_a_sealed_game_is_set_up(porto, home: Path) -> None:
    porto("address", "Inês", "ines@example.org", "--no-program")
    sealed = ("--secrecy", "sealed")
    done = porto("new", "sealed.yaml", "Rui", "Inês", *sealed)
    assert done.code == 0
    assert "according to the address book Inês does not have it" in done.err
    invited = porto("mail", "sealed.yaml")
    assert "according to the address book Inês does not have it" in invited.err
    assert "if you do not have it, ask Rui for it" in " ".join(
        plain_text(message_of(invited.out)).split()
    )
    assert "address book" not in porto("new", "open.yaml", "Rui", "Inês").err
    assert "address book" not in porto("new", "others.yaml", "Rui", "Eva", *sealed).err
    (home / "addresses.yaml").write_text("[", "utf-8")
    assert porto("new", "again.yaml", "Rui", "Inês", *sealed).code == 0


def test_it_stays_when_the_address_changes_and_until_it_is_undone(porto, home: Path) -> None:
    porto("address", "Inês", "ines@example.org", "--no-program")
    porto("address", "Inês", "--no-html")
    porto("address", "ines", "costa@example.org")
    text = (home / "addresses.yaml").read_text("utf-8")
    assert "{address: costa@example.org, program: false, html: false}" in text
    porto("address", "ines", "--program", "--html")
    assert porto("address", "ines").out == "ines: costa@example.org\n"


@pytest.mark.parametrize(
    "args",
    [
        ("--no-program",),
        ("Eva", "--no-program"),
        ("Rui", "--remove", "--no-html"),
    ],
)
def test_it_is_said_of_players_with_an_address(porto, home: Path, args: tuple[str, ...]) -> None:
    porto("address", "Rui", "rui@example.org")
    before = (home / "addresses.yaml").read_bytes()
    assert porto("address", *args).code == 2
    assert (home / "addresses.yaml").read_bytes() == before


@pytest.mark.parametrize(
    ("value", "complaint"),
    [
        ("{address: rui@example.org, program: never}", "should be one of true, false"),
        ("{address: rui@example.org, programm: false}", "The key 'programm' is unknown here"),
        ("{program: false}", "'address' is missing"),
        ("{address: rui}", "is not an e-mail address"),
        ("{address: [rui@example.org]}", "single text"),
    ],
)
def test_a_line_with_keys_is_read_strictly(value: str, complaint: str) -> None:
    with pytest.raises(InvalidFileError, match=complaint):
        read_book(f"Rui: {value}\n", "a.yaml")
    assert read_book("Rui: {address: rui@example.org, program: true}\n", "a").entry("Rui").program


def test_an_address_with_signs_of_yaml(porto, home: Path) -> None:
    porto("address", "Rui", "{r}@example.org", "--no-program")
    assert porto("address", "Rui").out == "Rui: {r}@example.org (without the program)\n"


def test_a_move_says_how_it_is_mailed_to_who_is_next(porto, home: Path) -> None:
    words = ("--game", "puerto-rico", "--seed", "yauco", "--first", "Ana")
    assert porto("new", "sunday.yaml", "Ana", "Rui", "Eva", *words).code == 0
    assert "mail" not in porto("role", "sunday.yaml", "settler").out
    assert "mail" not in porto("take", "sunday.yaml", "quarry").out, "there are no addresses"
    porto("undo", "sunday.yaml")
    porto("address", "Rui", "rui@example.org")
    done = porto("take", "sunday.yaml", "quarry")
    assert "\nTo mail it to Rui: porto mail sunday.yaml\n" in done.out
    assert "mail" not in porto("undo", "sunday.yaml").out, "it is Ana's turn again"
    assert "mail" not in porto("take", "sunday.yaml", "quarry", "--dry-run").out
    assert "mail" not in porto("take", "sunday.yaml", "quarry", "--quiet").out
    assert "mail" not in porto("take", "sunday.yaml", "corn").out, "Eva's address is not known"
