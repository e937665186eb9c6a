"""Two terminal UIs and a command-line writer at random work: `python -m tests.tui.soak`.

Real programs in real pseudo-terminals on one database, for a minute or `--seconds N`; `--seed N`
repeats the same work. Afterwards every memory is held against its journal: no change is lost, none
is there twice, and what the command line was told is what was stored.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from memtui.models import Memory, MemoryCreate, MemoryQuery, Revision, RevisionAction, RevisionQuery
from memtui.service import MemoryService
from tests.terminal import Terminal

WORDS = ("falcon", "tea", "Straße", "日本", "the", "meeting", "no such text")
TAGS = ("soak", "falcon", "café", "old")
_UI = ("ui-one", "ui-two")
_WRITER = "command-line"
_BROKEN = ("Traceback", "Something went wrong inside memtui")
_UNDO_SAYS = re.compile(r"taken|nothing to undo|Could not|meanwhile")  # lines may break
_ESCAPE = "\x1b"
_ESCAPED = 0.3
"""Seconds after Escape: what follows at once is taken for a part of the same key."""
_HOME = (_ESCAPE, "y", _ESCAPE, "y", _ESCAPE, _ESCAPE)
"""Back to the table from anywhere, with yes to whatever is asked on the way."""


@dataclass
class Tally:
    """What was done and what is wrong."""

    keys: int = 0
    undos: int = 0
    writes: list[Memory] = field(default_factory=list)
    refused: int = 0
    wrong: list[str] = field(default_factory=list)


def soak(path: Path, seconds: float, seed: int) -> Tally:
    """Work on a new database at `path`, then check it; `wrong` says what did not hold."""
    _seed(path)
    path.with_name("none.toml").touch()
    tally = Tally()
    end = time.monotonic() + seconds
    with ThreadPoolExecutor() as pool:
        workers = [pool.submit(_person, path, name, seed, end, tally) for name in _UI]
        workers.append(pool.submit(_writer, path, seed, end, tally))
    for worker in workers:
        worker.result()
    tally.wrong += _disagreements(path, tally)
    return tally


def _seed(path: Path) -> None:
    with MemoryService.open(path, actor="seed") as service:
        service.create_many(
            [
                MemoryCreate(content=f"{word} number {n}, as it was first", tags=(tag,))
                for n in range(60)
                for word in WORDS[:5]
                for tag in (TAGS[n % len(TAGS)],)
            ]
        )


# --- a person at a terminal -----------------------------------------------------------------------


def _person(path: Path, name: str, seed: int, end: float, tally: Tally) -> None:
    chance = random.Random(f"{name} {seed}")
    terminal = Terminal(
        [sys.executable, "-m", "memtui", "--db", str(path), "--actor", name],
        {**_environment(path), "EDITOR": "sed -i s/first/last/"},
    )
    try:
        if not terminal.shows("page 1 of "):
            tally.wrong.append(f"{name}: no first page:\n{terminal.text}")
            return
        while time.monotonic() < end:
            if chance.random() < 0.2:
                _undo(terminal, name, tally)
            else:
                keys = _gesture(chance)
                tally.keys += len(keys)
                for key in keys:
                    _press(terminal, key, chance.choice((0.01, 0.03, 0.1)))
            if broken := [words for words in _BROKEN if words in terminal.text]:
                tally.wrong.append(f"{name}: {broken[0]}\n{terminal.text}")
                return
        _leave(terminal, name, tally)
    finally:
        terminal.child.close(force=True)


def _press(terminal: Terminal, key: str, seconds: float) -> None:
    terminal.child.send(key)
    terminal.follow(_ESCAPED if key == _ESCAPE else seconds)


def _undo(terminal: Terminal, name: str, tally: Tally) -> None:
    for key in (*_HOME, "u"):
        _press(terminal, key, 0.1)
    tally.undos += 1
    if not terminal.shows_match(_UNDO_SAYS, seconds=20):
        tally.wrong.append(f"{name}: an undo said nothing:\n{terminal.text}")


def _leave(terminal: Terminal, name: str, tally: Tally) -> None:
    for key in (*_HOME, *_HOME, "q"):
        _press(terminal, key, 0.1)
    code = terminal.ends()
    if code != 0:
        tally.wrong.append(f"{name} ended with {code}:\n{terminal.text}")


def _gesture(chance: random.Random) -> list[str]:
    """Return keys as a person would press them, or as a cat would."""
    word, tag = chance.choice(WORDS), chance.choice(TAGS)
    down = ["j"] * chance.randrange(8)
    return chance.choice(
        [
            [*_HOME, "/", "\x15", *word, "\r"],
            [*_HOME, *down, "t", *tag, "\r", "\r", "y"],
            [*_HOME, *down, " ", "j", " ", "j", "v", "j", "x", "y"],
            [*_HOME, *down, "e", *"typed ", "\x13", "s"],
            [*_HOME, *down, "d", "y"],
            [*_HOME, "a", "T", *tag, "\r", "\r", "y"],
            [*_HOME, *down, "E", "y"],
            [*_HOME, "n", *f"new {word}", "\x13"],
            [*_HOME, "\x12"],
            [*_HOME, "r", chance.choice("iasd"), chance.choice("iasdu"), "q"],
            [*_HOME, "z", chance.choice("ax7s"), "u", "q"],
            [*_HOME, "o", "o", "o", *down, "R", "y"],
            [*_HOME, chance.choice("hHUVMSO?"), *down, "\x1b"],
            [*_HOME, "]", "]", "[", "s", "p", "f", "D"],
            [
                chance.choice("jkgGxtTdRuyYUMhHrzf+_1234psmoOiaA v?nNceVS[]{}\r\t")
                for _ in range(12)
            ],
        ]
    )


# --- a program that writes ------------------------------------------------------------------------


def _writer(path: Path, seed: int, end: float, tally: Tally) -> None:
    chance = random.Random(f"writer {seed}")
    while time.monotonic() < end:
        words = _command(chance)
        done = subprocess.run(
            [sys.executable, "-m", "memtui", "--db", str(path), "--actor", _WRITER, *words],
            env=_environment(path),
            capture_output=True,
            text=True,
            check=False,
        )
        if any(words in done.stderr for words in _BROKEN):
            tally.wrong.append(f"memtui {' '.join(words)}: {done.stderr}")
        elif done.returncode:
            tally.refused += 1
        else:
            tally.writes.append(Memory.model_validate(json.loads(done.stdout)))


def _command(chance: random.Random) -> list[str]:
    id_ = str(chance.randrange(1, 320))
    return chance.choice(
        [
            ["add", f"written {chance.randrange(1000)}", "--tag", chance.choice(TAGS), "--json"],
            ["edit", id_, "--content", f"written {chance.randrange(1000)}", "--json"],
        ]
    )


def _environment(path: Path) -> dict[str, str]:
    return {**os.environ, "MEMTUI_CONFIG": str(path.with_name("none.toml"))}


# --- afterwards -----------------------------------------------------------------------------------


def _disagreements(path: Path, tally: Tally) -> list[str]:
    """Return what the database has that it should not have, or lacks."""
    doctor = subprocess.run(
        [sys.executable, "-m", "memtui", "--db", str(path), "doctor"],
        env=_environment(path),
        capture_output=True,
        text=True,
        check=False,
    )
    wrong = [doctor.stdout + doctor.stderr] if doctor.returncode else []
    with MemoryService.open(path, read_only=True) as service:
        memories = _all(service)
        for id_, memory in memories.items():
            wrong += _against_journal(memory, _journal(service, id_))
        for told in tally.writes:
            if not any(_same(told, one) for one in _journal(service, told.id)):
                wrong.append(f"#{told.id} version {told.version} was told, and is not there")
    return wrong


def _all(service: MemoryService) -> dict[int, Memory]:
    found: dict[int, Memory] = {}
    for status in ("active", "invalid", "deleted"):
        offset = 0
        while page := service.search(
            MemoryQuery.model_validate({"status": status, "offset": offset, "limit": 100}),
            touch=False,
        ).items:
            found |= {memory.id: memory for memory in page}
            offset += len(page)
    return found


def _journal(service: MemoryService, id_: int) -> list[Revision]:
    """Return a memory's revisions, the oldest first."""
    revisions: list[Revision] = []
    while page := service.history(
        RevisionQuery(memory_id=id_, limit=100, offset=len(revisions))
    ).items:
        revisions += page
    return revisions[::-1]


def _against_journal(memory: Memory, revisions: list[Revision]) -> list[str]:
    patches = [one.version for one in revisions if one.action is RevisionAction.PATCH]
    if patches != list(range(2, memory.version + 1)):
        return [f"#{memory.id} is at version {memory.version}, its journal has {patches}"]
    if not _same(memory, revisions[-1]):
        return [f"#{memory.id} is not as its newest revision says"]
    return []


def _same(memory: Memory, revision: Revision) -> bool:
    names = ("version", "content", "tags", "memory_type", "status")
    return all(getattr(memory, name) == getattr(revision, name) for name in names)


def main() -> int:
    """Work, then say what was done and what was wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.tui.soak", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        tally = soak(Path(folder) / "m.db", options.seconds, options.seed)
    print(
        f"{tally.keys:,} keys, {tally.undos} undos, {len(tally.writes)} writes, "
        f"{tally.refused} refused, {len(tally.wrong)} things wrong"
    )
    print("\n".join(tally.wrong[:20]))
    return 1 if tally.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
