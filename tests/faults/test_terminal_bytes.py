"""The bytes on a real terminal hold no control sequence that came from a text (case 27).

Every hostile text carries a mark in its sequences, `7777`, that no program of ours ever sends as a
parameter. What is written to the pseudo-terminal is taken apart: a sequence with the mark, a
control character of its own, or a sequence of a kind that only texts have, is a failure.
"""

from __future__ import annotations

import io
import json
import os
import pty
import re
import signal
import sys
from pathlib import Path
from threading import Event
from time import monotonic

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memtui.agents import ActivityKind
from memtui.models import MemoryCreate, MemoryPatch, MemoryQuery, MemoryStatus, SavedView
from memtui.service import MemoryService
from tests.cli.conftest import Run, db, home, run  # noqa: F401 - fixtures
from tests.terminal import Terminal
from tests.tui.test_drafts import content_of, drafts_of

MARK = "7777"
SEQUENCES = [
    f"\x1b[{MARK}m", f"\x1b[?{MARK}h", f"\x1b[{MARK}J", f"\x9b{MARK}J", f"\x1b]0;{MARK}\x07",
    f"\x1b]8;;http://{MARK}.test\x1b\\link\x1b]8;;\x1b\\", f"\x1b]52;c;{MARK}\x07",
    f"\x9d0;{MARK}\x9c", f"\x1bP{MARK}q\x1b\\", f"\x90{MARK}q\x9c", f"\x1b_{MARK}\x1b\\",
    f"\x1b^{MARK}\x1b\\", f"\x1bX{MARK}\x1b\\", f"\x1b[{MARK};{MARK}H", f"\x1b[{MARK}t", "\x1bc",
    "\x08\x08\x7f", "\r", "\x07", "\x0e", "\x84\x85", "\u202e", "\u2066", "\u200b", "\u2028",
    f"[@click=app.bell]{MARK}[/]", f"[link=http://{MARK}]x[/link]",
]  # fmt: skip
TEXTS = [f"before {sequence} after" for sequence in SEQUENCES]
LINE = " ".join(SEQUENCES[:12])

_SEQUENCE = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]P_^X][^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?|[ -/]*[0-~])"
)
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200b\u2028]")
_STRINGS = re.compile(r"\x1b[\]P_^X](?!22;[a-z]+[\x07\x1b]|52;c;[A-Za-z0-9+/]*=*[\x07\x1b])")
"""All but two of ours: 22 is the shape of the pointer, 52 a copied text, encoded."""


def from_a_text(written: bytes) -> list[str]:
    """Return what of the bytes must come from a text and would act on a terminal."""
    text = written.decode("utf-8", "replace")
    found = [
        match.group()
        for match in _SEQUENCE.finditer(text)
        if MARK in match.group() or _STRINGS.match(match.group()) or match.group() == "\x1bc"
    ]
    return found + _CONTROL.findall(_SEQUENCE.sub("", text))


def so_far(written: io.BytesIO) -> bytes:
    """What was read until now, without a sequence whose end is still to come."""
    return re.sub(rb"\x1b(?:\[[0-?]*[ -/]*)?\Z", b"", written.getvalue())


def test_what_must_not_be_written_is_recognised() -> None:
    for text in TEXTS[:24]:
        assert from_a_text(text.encode()) or "\r" in text, ascii(text)
    assert from_a_text(b"\x1b[1;31mred\x1b[0m\x1b[?1049h plain \r\n") == []


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A database whose every place for a text holds hostile ones, under a hostile name."""
    path = tmp_path / f"m{SEQUENCES[0]}{SEQUENCES[3]}\u202e.db"
    with MemoryService.open(path, actor=f"agent {LINE}"[:60]) as service:
        made = service.create_many(
            [MemoryCreate(content=text, tags=(text, f"tag {LINE}"[:60])) for text in TEXTS]
        )
        service.save_view(SavedView(name=f"view {LINE}"[:40], query=MemoryQuery(q=TEXTS[0])))
        for memory in made[:3]:
            service.delete(memory.id)
        for memory in made[3:6]:
            change = {"status": MemoryStatus.INVALID, "content": f"changed {memory.content}"}
            service.as_actor(f"mcp:{LINE}"[:60]).patch(
                memory.id, MemoryPatch.model_validate(change)
            )
        reader = service.as_actor(f"mcp:{LINE}"[:60])
        reader.note_activity(ActivityKind.QUERIED, [made[7].id], f"asked {LINE}"[:200])
        service.rename_tag(f"tag {LINE}"[:60], f"new {LINE}"[:60])
    return path


def environment(folder: Path, **more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("MEMTUI_")}
    config = folder / "config.toml"
    config.touch()
    return {**kept, "MEMTUI_CONFIG": str(config), "XDG_STATE_HOME": str(folder), **more}


def memtui(path: Path, env: dict[str, str], *words: str) -> tuple[Terminal, io.BytesIO]:
    terminal = Terminal([sys.executable, "-m", "memtui", "--db", str(path), *words], env)
    written = terminal.child.logfile_read = io.BytesIO()
    return terminal, written


AT_HOME = "newest change first"
PLACES = {
    "the table and the detail": "jjjjjlJJJJ",
    "the form": "e\x1b",
    "a changed form": "ex\x1b",
    "the history": "hjj",
    "the activity": "Hjjjj",
    "what agents read": "wjj",
    "the filters": "2jjjj\r",
    "a search": "/before \x1b",
    "the tag manager": "Mjjjj\r",
    "the saved views": "Vjj",
    "the undo list": "Ujj",
    "the review": "ris",
    "the stale ones": "z",
    "the figures": "S",
    "marks and a dialog of tags": "aT",
    "a change to all": "atnew\r",
    "a message": "dju",
    "the palette": ":view",
    "a duplicate of a text to copy": "Y",
    "an import": "I",
    "an export": "W",
    "a backup": "B",
}


def test_screens_of_the_terminal_ui(hostile: Path, tmp_path: Path) -> None:
    """One walk through all places, on one terminal."""
    terminal, written = memtui(hostile, environment(tmp_path, MEMTUI_ACTOR=f"me {LINE}"[:50]))
    assert terminal.shows(AT_HOME), terminal.text
    seen = set()
    for place, keys in PLACES.items():
        for key in keys:
            terminal.child.send(key)
            terminal.follow(0.15 if key == "\x1b" else 0.03)
        terminal.follow(0.15)
        assert "Traceback" not in terminal.text, place
        assert from_a_text(so_far(written)) == [], place
        seen.add(terminal.text)
        _back_to_the_table(terminal)
    assert len(seen) > len(PLACES) * 0.7, "the keys lead nowhere"
    terminal.child.send("q")
    assert terminal.ends() == 0
    assert from_a_text(written.getvalue()) == []


def _back_to_the_table(terminal: Terminal) -> None:
    for key in ("\x1b", "y", "\x1b", "\x1b"):
        if AT_HOME in terminal.text and key != "\x1b":
            continue
        terminal.child.send(key)
        terminal.follow(0.15)


VERBS = [
    ["list"], ["list", "--status", "deleted"], ["search", "before"], ["get", "8"], ["history"],
    ["history", "8"], ["tags"], ["views"], ["stats"], ["stale"], ["duplicates"], ["activity"],
    ["related", "8"], ["review"], ["doctor"], ["config"], ["list", "--json"],
    ["export", "-"], ["edit", "8", "--add-tag", LINE[:60]], ["delete", "9"], ["get", "9"],
    ["bulk", "--all", "--remove-tag", TEXTS[8]], ["undo"], ["undo"], ["list", "--tag", LINE[:60]],
    ["list", "--status", LINE[:60]], [LINE[:60]], ["list", f"--{LINE[:20]}"],
    ["backup", "/no/" + LINE[:20]], ["import", LINE[:40]], ["tags", "rename", LINE[:60], "x"],
    ["views", "show", LINE[:40]],
    ["tags", "remove", f"new {LINE}"[:60]], ["purge", "--yes"],
]  # fmt: skip


def test_verbs_on_a_terminal(hostile: Path, tmp_path: Path) -> None:
    bad_file = tmp_path / f"notes {SEQUENCES[0]}{SEQUENCES[4]}.jsonl"
    bad_file.write_text(json.dumps({"content": LINE, "tags": TEXTS[:2], "memory_type": LINE}))
    verbs = [*VERBS, ["import", str(bad_file), "--dry-run"], ["import", str(bad_file)]]
    written = one_after_the_other(hostile, tmp_path, verbs)
    said = written.split(b"--- next ---")
    assert len(said) == len(verbs) + 1
    for words, part in zip(verbs, said, strict=False):
        assert from_a_text(part) == [], words
        assert b"Traceback" not in part, part
        assert part.strip(), words


_EACH = """
import json, sys
from memtui.cli.main import main
for words in json.loads(sys.argv[1]):
    try:
        main(words)
    except SystemExit:
        pass
    print("--- next ---", flush=True)
"""


def one_after_the_other(path: Path, folder: Path, verbs: list[list[str]]) -> bytes:
    """Verbs on one terminal, in one process."""
    more = {"MEMTUI_ACTOR": f"me {LINE}"[:50], "MEMTUI_DB": str(path)}
    command = [sys.executable, "-c", _EACH, json.dumps(verbs)]
    terminal = Terminal(command, environment(folder, **more))
    written = terminal.child.logfile_read = io.BytesIO()
    assert terminal.ends(60) == 0, written.getvalue()[-2000:]
    return written.getvalue()


def test_settings_and_names_in_messages(tmp_path: Path) -> None:
    env = environment(tmp_path)
    hostile = f"{SEQUENCES[0]}{SEQUENCES[3]}"
    (tmp_path / "config.toml").write_text(
        f"theme = {json.dumps(hostile)}\n{json.dumps('no such ' + hostile)} = 1\n"
        f"[keys]\nnew = {json.dumps(hostile)}\n"
    )
    for words in (["config"], ["list"], ["doctor"]):
        terminal, written = memtui(tmp_path / "m.db", env, *words)
        terminal.ends()
        assert from_a_text(written.getvalue()) == [], words
    for name, value in [("MEMTUI_DB", f"/no/{hostile}/m.db"), ("MEMTUI_CONFIG", f"/no/{hostile}"),
                        ("MEMTUI_PEEK", hostile), ("EDITOR", f"/no/{hostile}")]:  # fmt: skip
        terminal = Terminal([sys.executable, "-m", "memtui", "list"], {**env, name: value})
        written = terminal.child.logfile_read = io.BytesIO()
        terminal.ends()
        assert from_a_text(written.getvalue()) == [], name


@settings(
    deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(st.sampled_from(SEQUENCES) | st.text(min_size=1), min_size=1, max_size=6))
def test_any_mix_of_them_in_a_table(run: Run, parts: list[str]) -> None:  # noqa: F811
    text = "".join(parts).replace("\0", "")
    if not text.strip():
        return
    run("add", "--", text)
    run("bulk", "--all", "--add-tag", text.strip()[:60])
    for words in (["list"], ["get", "1"], ["history"], ["list", "--q", text[:50]]):
        answer = run(*words)
        assert from_a_text((answer.out + answer.err).encode()) == []
    run("bulk", "--all", "--delete")
    run("purge", "--yes")


# --- a terminal that goes away --------------------------------------------------------------------


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM])
def test_a_terminal_that_goes_away_keeps_the_unsaved_text(tmp_path: Path, number: int) -> None:
    path = tmp_path / "m.db"
    with MemoryService.open(path) as service:
        service.create(MemoryCreate(content="Before."))
    terminal, _ = memtui(path, environment(tmp_path))
    assert terminal.shows("Before.")
    terminal.child.send("e")
    assert terminal.shows("Edit memory #1")
    terminal.child.send(" And typed.")
    assert terminal.shows("And typed.")
    patience = monotonic() + 20
    while not (drafts_of(path) and "And typed." in content_of(drafts_of(path)[0])):
        assert terminal.child.isalive()
        assert monotonic() < patience, "no draft was written"
        terminal.follow(0.05)
    terminal.child.kill(number)
    terminal.ends()
    assert "And typed." in content_of(drafts_of(path)[0])
    with MemoryService.open(path) as service:
        assert service.get(1).content == "Before."
        assert service.check() == ()


@pytest.mark.parametrize("ignored", [False, True])
def test_a_terminal_that_is_closed_ends_the_program(tmp_path: Path, ignored: bool) -> None:
    """Also where hang-ups are ignored, as under `nohup`."""
    path = tmp_path / "m.db"
    with MemoryService.open(path) as service:
        service.create(MemoryCreate(content="Before."))
    env = environment(tmp_path, MEMTUI_DB=str(path))
    ignore = "import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN)\n" if ignored else ""
    start = f"{ignore}import sys; from memtui.__main__ import main; sys.exit(main())"
    child, master = pty.fork()
    if child == 0:
        os.execve(sys.executable, [sys.executable, "-c", start], {**env, "TERM": "xterm"})
    shown = b""
    while b"Before." not in shown:
        shown += os.read(master, 65_536)
    os.close(master)
    patience = monotonic() + 20
    while os.waitpid(child, os.WNOHANG) == (0, 0):
        if monotonic() > patience:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            pytest.fail("it runs on without a terminal")
        Event().wait(0.05)
    with MemoryService.open(path) as service:
        assert service.check() == ()
