"""Files are their owner's alone, whatever the umask, and a bug report holds nothing private."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path
from time import monotonic

from memtui.models import MemoryCreate
from memtui.service import MemoryService
from memtui.store import migrations
from tests.store.test_index_upkeep import DAMAGES, change
from tests.terminal import Terminal
from tests.tui.test_drafts import drafts_of

_LOOK = '#!/bin/sh\nls -ld "$1" "$(dirname "$1")" > {seen}\necho changed > "$1"\n'


def open_to_others(folder: Path) -> list[str]:
    """Files that anyone but their owner may read or write."""
    return [
        f"{stat.filemode(path.stat().st_mode)} {path.relative_to(folder)}"
        for path in sorted(folder.rglob("*"))
        if path.stat().st_mode & 0o077
    ]


def test_every_file_that_is_made_is_its_owners_alone(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    db = home / "made" / "m.db"
    seen, editor = tmp_path / "seen", tmp_path / "editor"
    editor.write_text(_LOOK.format(seen=seen))
    editor.chmod(0o755)
    env = {**os.environ, "HOME": str(home), "XDG_STATE_HOME": str(home / "state"),
           "MEMTUI_CONFIG": "", "EDITOR": str(editor)}  # fmt: skip

    def memtui(*words: str) -> None:
        command = ["sh", "-c", 'umask 0; exec "$@"', "-", sys.executable, "-m", "memtui"]
        done = subprocess.run(
            [*command, "--db", str(db), *words],
            env=env, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        assert done.returncode == 0, done

    memtui("add", "first")
    memtui("edit", "1", "--editor")
    assert {line[:10] for line in seen.read_text().splitlines()} == {"-rw-------", "drwx------"}
    memtui("backup", str(home / "copy.db"))
    memtui("export", str(home / "out.jsonl"))
    memtui("export", str(home / "out.csv"))
    change(db, *DAMAGES["counts"])
    memtui("doctor", "--fix")
    assert list(db.parent.glob("*.bak"))
    assert open_to_others(home) == []
    with MemoryService.open(db) as service:
        service.create(MemoryCreate(content="while it is open"))
        assert Path(f"{db}-wal").exists()
        assert open_to_others(home) == []


def test_a_draft_of_the_real_program_is_its_owners_alone(tmp_path: Path) -> None:
    db = tmp_path / "made" / "m.db"
    db.parent.mkdir(mode=0o700)
    with MemoryService.open(db) as service:
        service.create(MemoryCreate(content="First."))
    config = tmp_path / "config.toml"
    config.touch(mode=0o600)
    command = ["sh", "-c", 'umask 0; exec "$@"', "-", sys.executable, "-m", "memtui", "--db"]
    terminal = Terminal([*command, str(db)], {**os.environ, "MEMTUI_CONFIG": str(config)})
    assert terminal.shows("First.")
    terminal.child.send("e")
    assert terminal.shows("Edit memory #1")
    terminal.child.send("typed")
    patience = monotonic() + 20
    while not drafts_of(db):
        assert terminal.child.isalive()
        assert monotonic() < patience, "no draft was written"
        terminal.follow(0.05)
    assert open_to_others(db.parent) == []
    terminal.child.close(force=True)


def test_the_copy_before_a_migration_is_its_owners_alone(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "m.db") as raw:
        before = os.umask(0)
        try:
            migrations._copy_aside(raw, tmp_path / "m.db", 3)
        finally:
            os.umask(before)
    raw.close()
    assert (tmp_path / "m.db.schema-3.bak").stat().st_mode & 0o077 == 0


def test_what_doctor_prints_is_fit_for_a_bug_report(tmp_path: Path) -> None:
    home = tmp_path / "home-of-kim"
    db = home / "m.db"
    with MemoryService.open(db, actor="mcp:Kims agent") as service:
        service.create(MemoryCreate(content="private words", tags=("private tag",)))
    config = home / "config.toml"
    config.write_text('theme = "memtui-light"\nactor = "Kim Private"\n[tags]\nstandard = ["own"]\n')
    env = {**os.environ, "HOME": str(home), "MEMTUI_CONFIG": str(config), "MEMTUI_TOKEN": "s3cret"}
    done = subprocess.run(
        [sys.executable, "-m", "memtui", "--db", str(db), "doctor", "--json"],
        env=env, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done
    facts = json.loads(done.stdout)
    for name in ("memtui", "python", "sqlite", "system", "textual", "mcp", "configuration",
                 "settings", "database", "file", "search index", "memories", "state"):  # fmt: skip
        assert facts[name], name
    assert facts["database"] == "~/m.db"
    assert "theme" in facts["settings"]
    for private in ("private", "Kim", "s3cret", 'own"', str(home)):
        assert private not in done.stdout, private
    shutil.rmtree(home)
