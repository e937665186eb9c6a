"""Settings: where they come from, and what is said of those that cannot be used (case 41)."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtui.cli.ui import check_keys
from memtui.config import SETTINGS, load

from .conftest import Run


@pytest.fixture
def file(home: Path) -> Path:
    path = home / ".config" / "memtui" / "config.toml"
    path.parent.mkdir(parents=True)
    return path


def test_flag_beats_variable_beats_file_beats_default(
    file: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def actor(*words: str) -> tuple[object, object]:
        entry = run("config", "--json", *words).json["settings"]["actor"]
        return entry["value"], entry["place"] or entry["source"]

    assert actor() == (None, "default")
    file.write_text('# mine\nactor = "file"\n')
    assert actor() == ("file", f"{file}:2")
    monkeypatch.setenv("MEMTUI_ACTOR", "variable")
    assert actor() == ("variable", "MEMTUI_ACTOR")
    assert actor("--actor", "flag") == ("flag", "--actor")


def test_an_empty_variable_is_unset(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMTUI_ACTOR", "")
    assert run("config", "--json").json["settings"]["actor"]["source"] == "default"


def test_paths_in_the_file_start_at_its_folder(file: Path) -> None:
    file.write_text('db = "mine.db"\n')
    assert load(environ={}).settings.db == str(file.parent / "mine.db")
    file.write_text('db = "~/mine.db"\n')
    assert load(environ={}).settings.db == str(Path.home() / "mine.db")
    file.write_text('db = "sqlite:///x.db"\n')
    assert load(environ={}).settings.db == "sqlite:///x.db"


def test_another_file_can_be_named_and_must_exist(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other.toml"
    assert run("--config", other, "list").code == 2
    other.write_text('actor = "other"\n')
    assert run("config", "--config", other, "--json").json["settings"]["actor"]["value"] == "other"
    monkeypatch.setenv("MEMTUI_CONFIG", str(other))
    assert run("config", "--json").json["settings"]["actor"]["value"] == "other"


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("a = \n", 1, "is not TOML"),
        ("peek = true\npeek = true\n", 2, "is not TOML"),
        ("[server\n", 1, "is not TOML"),
        ('theme = "x"\n\ncolour = "red"\n', 3, "unknown setting 'colour'"),
        ("read-only = true\n", 1, "unknown setting 'read-only'"),
        ("[server]\nprot = 1\n", 2, "unknown setting 'server.prot'"),
        ("peek = 1\n", 1, "peek must be true or false, not a number"),
        ('peek = "yes"\n', 1, "peek must be true or false, not text"),
        ("\ndb = 3\n", 2, "db must be text in quotes, not a number"),
        ('db = ""\n', 1, "db must not be empty"),
        ('actor = "a\\u0000b"\n', 1, "actor must not contain a NUL"),
        ("[server]\nport = 70000\n", 2, "server.port must be from 0 to 65535"),
        ("[server]\nallow_host = [\n  1,\n]\n", 2, "must be text in quotes"),
        ("\ufeffpeek = true\n", 1, "byte order mark"),
    ],
)  # fmt: skip
@pytest.mark.usefixtures("made")
def test_what_cannot_be_used_is_named_by_file_line_and_reason(
    file: Path, run: Run, text: str, line: int, reason: str
) -> None:
    file.write_text(text)
    for words in (["list"], ["add", "x"], ["config"]):
        answer = run(*words)
        assert answer.code == 2, words
        assert f"{file}:{line}: " in answer.err
        assert reason in answer.err
        assert "Traceback" not in answer.err
    file.unlink()
    assert run("list", "--json").json["total"] == 0, "nothing was done"


def test_a_setting_that_cannot_be_used_is_json_with_json(file: Path, run: Run) -> None:
    file.write_text("peek = 3")
    assert run("list", "--json").error["code"] == "config"


def test_a_file_in_another_encoding(file: Path, run: Run) -> None:
    file.write_bytes(b'theme = "nord"\nactor = "M\xfcller"\n')
    assert f"{file}:2: is not UTF-8" in run("list").err
    file.write_bytes('actor = "x"\n'.encode("utf-16"))
    assert f"{file}:1: begins with a byte order mark" in run("list").err


def test_a_file_that_cannot_be_read(file: Path, run: Run) -> None:
    file.mkdir()
    answer = run("list")
    assert answer.code == 2
    assert f"{file}: cannot be read: is a directory" in answer.err


@pytest.mark.parametrize(
    ("name", "text"),
    [("MEMTUI_PEEK", "maybe"), ("MEMTUI_SERVER_PORT", "x"), ("MEMTUI_SERVER_PORT", "99999")],
)
def test_variables_are_checked_too(
    run: Run, name: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, text)
    answer = run("list")
    assert answer.code == 2
    assert f"{name}: must be" in answer.err


def test_the_rest_stays_in_force(file: Path) -> None:
    file.write_text('actor = "me"\npeek = 3\ntheme = "nord"\n')
    loaded = load(environ={})
    assert (loaded.settings.actor, loaded.settings.peek, loaded.settings.theme) == (
        "me",
        False,
        "nord",
    )
    assert [finding.setting for finding in loaded.findings] == ["peek"]


@pytest.mark.usefixtures("made")
def test_settings_of_the_ui_do_not_stop_the_verbs(file: Path, run: Run) -> None:
    file.write_text('theme = 5\n[keys]\nnonsense = "n"\n')
    assert run("list").code == 0
    answer = run("config")
    assert answer.code == 2
    assert f"{file}:1: theme must be text" in answer.err
    assert f"{file}:3: nonsense is not an action" in answer.err


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ('[keys]\nnew = "N"\nnonsense = "n"\n', 3, "nonsense is not an action"),
        ('[keys]\nnew = "e"\n', 2, "bound twice"),
        ('[keys]\n\nnew = ["f2", "f2"]\n', 3, "twice"),
        ('[keys]\nnew = "no-key"\n', 2, "is not a key"),
        ("[keys]\nnew = 5\n", 2, "must be a key or a list of keys"),
        ("keys = 5\n", 1, "must be a table of keys"),
        ('[keys]\nnew = "N"\nnew = "M"\n', 3, "is not TOML"),
    ],
)  # fmt: skip
def test_keys_are_checked_against_the_actions(
    file: Path, text: str, line: int, reason: str
) -> None:
    file.write_text(text)
    loaded = load(environ={}, check_keys=check_keys)
    (finding,) = loaded.findings
    assert finding.error.message.startswith(f"{file}:{line}: ")
    assert reason in finding.error.message


def test_good_keys_survive_a_bad_one(file: Path) -> None:
    file.write_text('[keys]\nnew = ["f2", "N"]\nnonsense = "n"\n')
    assert load(environ={}, check_keys=check_keys).settings.keys == {"new": ("f2", "N")}


def test_config_shows_every_setting_and_makes_nothing_case_41(run: Run, home: Path) -> None:
    shown = run.ok("config")
    for info in SETTINGS:
        assert info.name in shown
        assert info.doc.endswith(".")
    assert list(home.rglob("*")) == []


def test_the_default_places(run: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    loaded = load(environ={})
    assert Path(loaded.settings.db).name == "memories.db"
    assert Path(loaded.settings.db).parent.name == "memtui"
    assert loaded.file.name == "config.toml"
    assert str(home) in loaded.settings.db
