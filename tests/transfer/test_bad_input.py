"""Damaged, hostile and odd sources: good records come in, bad ones are named, and no more."""

from __future__ import annotations

import gzip
import io
import json
import os
import pickle
import stat
import zipfile
from pathlib import Path
from unittest.mock import patch

import pytest

from memtui.errors import InvalidError
from memtui.interchange import ImportOptions
from memtui.service import MemoryService
from memtui.transfer import sources
from memtui.transfer.importing import ReadingOptions

from .conftest import Bring, contents, everything, fates, new

GOOD = '{"content": "good"}'


def reasons(report) -> list[tuple[int, str]]:  # type: ignore[no-untyped-def]
    return [(skip.line, skip.reason) for skip in report.tally.skips]


# --- lines -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        ('{"content": "torn', "is not valid JSON: unterminated string starting at column 13"),
        ("not json", "is not valid JSON: expecting value at column 1"),
        ("null", "is null, not an object"),
        ("[]", "is a list, not an object"),
        ('"text"', "is text, not an object"),
        ("7", "is a number, not an object"),
        ('{"content": 7}', "has no text under content or text or memory"),
        ('{"tags": ["x"]}', "has no text under content or text or memory"),
        ('{"content": ""}', "content: String should have at least 1 character"),
        ('{"content": " \\n"}', "content: must not be only white space"),
        ('{"content": "a\\u0000b"}', "content: must not contain a NUL character (U+0000)"),
        ('{"content": "\\ud83d"}', "content: must not contain a lone surrogate"),
        ('{"content": "a", "content": "b"}', "gives the key 'content' twice"),
        ('{"content": ' + "[" * 5_000 + "1" + "]" * 5_000 + "}", "is nested too deeply"),
        ('{"content": "x", "n": ' + "9" * 5_000 + "}", "Exceeds the limit"),
        ('{"content": "' + "x" * 8_001 + '"}', "its content has 8,001 characters; at most 8,000"),
    ],
)  # fmt: skip
def test_a_bad_line_is_named_and_the_others_come_in(
    bring: Bring, service: MemoryService, bad: str, reason: str
) -> None:
    report = bring(f"{GOOD}\n{bad}\n{GOOD.replace('good', 'better')}\n")
    assert contents(service) == ["good", "better"]
    ((line, said),) = reasons(report)
    assert line == 2
    assert reason in said


def test_several_objects_on_a_line_and_odd_ends_between_them(
    bring: Bring, service: MemoryService
) -> None:
    bring('{"content": "a"}{"content": "b"}\\n{"content": "c"} \\r\\n {"content": "d"}\r\n\r\n')
    assert contents(service) == ["a", "b", "c", "d"]


def test_equal_values_under_one_key_twice_and_numbers_that_are_none_do_no_harm(
    bring: Bring, service: MemoryService
) -> None:
    bring('{"content": "a", "content": "a", "n": NaN, "created_at": 1e400, "m": -Infinity}')
    assert contents(service) == ["a"]


def test_separators_that_are_no_line_ends_stay_in_the_text(
    bring: Bring, service: MemoryService
) -> None:
    text = "a\u2028b\u2029c\x85d\x0be\x0cf\x1cg"
    bring(json.dumps({"content": text}, ensure_ascii=False) + "\n" + GOOD)
    bring(f"{text}\n", reading=ReadingOptions(format="text"))
    assert contents(service) == [text, "good", text]


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252"]
)
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_encodings_are_recognised(
    bring: Bring, service: MemoryService, encoding: str, ends: str
) -> None:
    lines = ['{"content": "naïve café", "tags": ["ä"]}', GOOD, ""]
    report = bring(ends.join(lines).encode(encoding))
    assert contents(service) == ["naïve café", "good"]
    assert report.tally.skipped == 0
    assert bool(report.tally.notes) == (encoding == "cp1252")


def test_what_is_in_no_encoding_is_named(bring: Bring, service: MemoryService) -> None:
    report = bring(GOOD.encode() + b'\n{"content": "\x81"}\n')
    assert contents(service) == ["good"]
    assert reasons(report) == [(2, "is neither UTF-8 nor Windows-1252 text")]


def test_a_line_without_end_is_skipped_whole(bring: Bring, service: MemoryService) -> None:
    with patch("memtui.transfer.texts.LINE_LIMIT", 1_000):
        long = '{"content": "' + "x" * 3_000 + '"}'
        report = bring(f"{GOOD}\n{long}\n{GOOD.replace('good', 'better')}")
    assert contents(service) == ["good", "better"]
    assert reasons(report) == [(2, "the line is longer than 1,000 bytes")]


def test_an_array_goes_on_after_a_damaged_element(bring: Bring, service: MemoryService) -> None:
    report = bring('[\n  {"content": "a"},\n  {"content": "b",},\n  {"content": "c"}\n]\n')
    assert contents(service) == ["a", "c"]
    assert [line for line, _ in reasons(report)] == [3]


@pytest.mark.parametrize("text", ['[\n{"content": "a"},\n{"conte', '[{"content": "a"}, {"conte'])
def test_a_torn_array_gives_what_is_whole(bring: Bring, service: MemoryService, text: str) -> None:
    report = bring(text)
    assert contents(service) == ["a"]
    assert report.tally.skipped == 1


def test_a_large_document_is_read_in_pieces(bring: Bring, service: MemoryService) -> None:
    with patch("memtui.transfer.json_values._REFILL", 100):
        items = [{"id": n, "memory": f"memory {n}", "n": [n] * 20} for n in range(50)]
        report = bring(json.dumps({"results": items, "relations": []}, indent=2))
    assert new(report) == 50
    assert contents(service)[-1] == "memory 49"


# --- times -----------------------------------------------------------------------------------


def test_times_that_cannot_be_understood_are_counted_and_left_out_case_10(
    bring: Bring, service: MemoryService
) -> None:
    odd = ["yesterday", "06/04/2026", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", -1, True, []]
    report = bring([{"content": f"{value}", "created_at": value} for value in odd])
    assert fates(report) == {"new": len(odd)}
    (note,) = report.tally.notes.values()
    assert note.count == len(odd)
    created = {memory.created_at for memory in everything(service)}
    assert created == {service.batches()[0].at}


def test_times_never_go_backwards_nor_reach_into_the_future(
    bring: Bring, service: MemoryService
) -> None:
    bring(
        [
            {
                "content": "x",
                "created_at": "2026-04-06T10:00:00Z",
                "updated_at": "2026-04-05T10:00:00Z",
                "last_accessed_at": "2099-01-01T00:00:00Z",
            }
        ]
    )
    (memory,) = everything(service)
    assert memory.updated_at == memory.created_at
    assert memory.last_accessed_at == service.batches()[0].at


# --- what is no source -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("", "is empty"),
        (" \n\n", "is empty"),
        ("just text\n", "in no format that memtui knows"),
        ('{"a": 1}', "in no format that memtui knows"),
        ("[" * 3_000 + "]" * 3_000, "nested too deeply"),
        ("{torn", "damaged JSON"),
        (
            "usage: add [--tag T] [--type {preference,fact,identity}]\n\nStore a memory.\n",
            "no format",
        ),
        ("content,tags,content\na,b,c\n", "in no format that memtui knows"),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "in no format that memtui knows"),
        (pickle.dumps([{"content": "x"}]), "pickle"),
        (b"PK\x03\x04 nonsense", "damaged zip"),
        (b"\x1f\x8b nonsense", "damaged gzip"),
        (gzip.compress(GOOD.encode(), mtime=0)[:-9], "damaged gzip"),
        (b"SQLite format 3\x00 nonsense", "in no format that memtui knows"),
    ],
)
def test_a_file_that_is_nothing_known_is_refused(
    bring: Bring, service: MemoryService, given: bytes | str, words: str
) -> None:
    with pytest.raises(InvalidError, match=words):
        bring(given)
    assert everything(service) == []


def test_the_refusal_names_what_was_looked_for(bring: Bring) -> None:
    with pytest.raises(InvalidError) as refusal:
        bring("just text\n")
    for words in ("entities with a name", "objects with id and memory", "--format"):
        assert words in refusal.value.hint


def test_a_memtui_database_is_named_with_the_way_to_take_it_in(
    bring: Bring, service: MemoryService, other: MemoryService
) -> None:
    with pytest.raises(InvalidError, match="is a memtui database") as refusal:
        bring(Path(other.location), into=service)
    assert "export | memtui import -" in refusal.value.hint


def test_what_cannot_be_read_is_refused(bring: Bring, tmp_path: Path) -> None:
    with pytest.raises(InvalidError, match="No such file"):
        bring(tmp_path / "nothing")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InvalidError, match="holds no file with memories"):
        bring(tmp_path / "empty")
    with pytest.raises(InvalidError, match="/dev/zero is a device"):
        bring(Path("/dev/zero"))


def test_a_pipe_is_read(bring: Bring, service: MemoryService, tmp_path: Path) -> None:
    reader, writer = os.pipe()
    os.write(writer, GOOD.encode())
    os.close(writer)
    bring(Path(f"/dev/fd/{reader}"))
    os.close(reader)
    assert contents(service) == ["good"]


def test_one_bad_source_among_several_imports_nothing(
    service: MemoryService, tmp_path: Path, bring: Bring
) -> None:
    from memtui.transfer.importing import open_plan

    (tmp_path / "good").write_text(GOOD)
    (tmp_path / "bad").write_text("just text")
    with (
        pytest.raises(InvalidError, match="bad is in no format"),
        open_plan([str(tmp_path / "good"), str(tmp_path / "bad")]) as plan,
    ):
        plan.apply(service)
    assert everything(service) == []


# --- archives --------------------------------------------------------------------------------


def archive(path: Path, members: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in members.items():
            made.writestr(name, data)
    return path


def test_members_that_lead_out_of_an_archive_are_named_and_nothing_is_written(
    bring: Bring, service: MemoryService, tmp_path: Path
) -> None:
    path = archive(
        tmp_path / "a.zip",
        {
            "../../outside.json": GOOD.encode(),
            "/absolute.json": GOOD.encode(),
            "C:\\windows.json": GOOD.encode(),
            "a\\..\\..\\b.json": GOOD.encode(),
            "inside.json": GOOD.encode(),
        },
    )
    before = sorted(tmp_path.rglob("*"))
    report = bring(path)
    assert contents(service) == ["good"]
    assert report.tally.reasons == {"its name leads out of the archive": 4}
    assert [entry for entry in sorted(tmp_path.rglob("*")) if entry not in before] == []


def test_links_and_encrypted_members_are_named(
    bring: Bring, service: MemoryService, tmp_path: Path
) -> None:
    path = tmp_path / "a.zip"
    link = zipfile.ZipInfo("link.json")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(path, "w") as made:
        made.writestr(link, "/etc/passwd")
        made.writestr("inside.json", GOOD)
        made.writestr("locked.json", GOOD)
    data = bytearray(path.read_bytes())
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        place = data.rfind(signature)
        data[place + offset] |= 1
    path.write_bytes(data)
    report = bring(path)
    assert contents(service) == ["good"]
    assert report.tally.reasons == {"is a link": 1, "is encrypted": 1}


@pytest.mark.parametrize("kind", ["zip", "gzip"])
def test_what_unpacks_to_too_much_is_refused(
    bring: Bring, service: MemoryService, tmp_path: Path, kind: str
) -> None:
    bomb = b'{"content": "x"}\n' + b"\n" * (3 * 1024 * 1024)
    path = tmp_path / "bomb"
    if kind == "zip":
        archive(path, {"bomb.jsonl": bomb})
    else:
        path.write_bytes(gzip.compress(bomb))
    with patch.object(sources, "RATIO_FREE", 1024), pytest.raises(InvalidError, match="unpacks to"):
        bring(path)
    with (
        patch.object(sources, "UNPACKED_LIMIT", 1024 * 1024),
        pytest.raises(InvalidError, match="unpacks to"),
    ):
        bring(path)
    assert everything(service) == []


def test_an_archive_with_too_many_files_is_refused(bring: Bring, tmp_path: Path) -> None:
    path = archive(tmp_path / "a.zip", {f"{n}.json": GOOD.encode() for n in range(20)})
    with (
        patch.object(sources, "MEMBER_LIMIT", 10),
        pytest.raises(InvalidError, match="holds 20 files"),
    ):
        bring(path)


def test_archives_inside_archives_are_not_opened(
    bring: Bring, service: MemoryService, tmp_path: Path
) -> None:
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as made:
        made.writestr("deep.json", GOOD)
    path = archive(
        tmp_path / "a.zip",
        {"inner.zip": inner.getvalue(), "b.json": GOOD.replace("good", "seen").encode()},
    )
    report = bring(path)
    assert contents(service) == ["seen"]
    assert report.tally.left_out == {"files that hold no memories": 1}
    twice = gzip.compress(gzip.compress(GOOD.encode()))
    with pytest.raises(InvalidError, match="no format"):
        bring(twice)


def test_sources_are_never_changed_case_25(bring: Bring, tmp_path: Path) -> None:
    path = tmp_path / "source.jsonl"
    path.write_text(GOOD + "\nbroken\n")
    path.chmod(0o400)
    before = (path.read_bytes(), path.stat().st_mtime_ns, sorted(tmp_path.iterdir()))
    bring(path, dry=True)
    bring(path)
    assert (path.read_bytes(), path.stat().st_mtime_ns, sorted(tmp_path.iterdir())) == before


# --- tags and types --------------------------------------------------------------------------


def test_tags_are_fitted_and_what_is_lost_is_counted(bring: Bring, service: MemoryService) -> None:
    tags = [" a ", "a", "", "  ", 7, None, True, ["x"], "n\x00l", "\ud800", "y" * 70]
    report = bring([{"content": "x", "tags": tags}])
    assert everything(service)[0].tags == ("a", "7", "y" * 63 + "…")
    assert report.tally.left_out == {
        "tags that are no text": 2,
        "tags with characters that can't be stored": 2,
    }
    assert report.tally.notes["tags cut to 64 characters"].count == 1


def test_more_tags_than_a_memory_holds(bring: Bring, service: MemoryService) -> None:
    report = bring([{"content": "x", "tags": [f"t{n}" for n in range(25)]}])
    assert len(everything(service)[0].tags) == 20
    assert report.tally.left_out == {"tags beyond the first 20": 5}


def test_unknown_types_and_statuses_are_mapped_and_counted(
    bring: Bring, service: MemoryService
) -> None:
    report = bring(
        [
            {"content": "a", "memory_type": "goal"},
            {"content": "b", "memory_type": "Preferences", "status": "ARCHIVED"},
            {"content": "c", "memory_type": 7, "status": "draft"},
        ]
    )
    assert [(one.memory_type, one.status, one.tags) for one in everything(service)] == [
        ("fact", "active", ("type:goal",)),
        ("preference", "invalid", ("status:ARCHIVED",)),
        ("fact", "active", ("type:7", "status:draft")),
    ]
    assert sum(note.count for note in report.tally.notes.values()) == 4


def test_ids_that_cannot_be_kept_do_no_harm(bring: Bring, service: MemoryService) -> None:
    records = '{"content": "a", "id": "\\ud800"}\n{"content": "b", "id": {"x": 1}}\n'
    assert new(bring(records)) == 2
    assert new(bring(records)) == 0


# --- long texts and credentials --------------------------------------------------------------


def test_long_texts_are_split_at_the_ends_of_paragraphs(
    bring: Bring, service: MemoryService
) -> None:
    paragraphs = [f"{n} " + "word " * 700 for n in range(5)]
    record = [{"content": "\n\n".join(paragraphs), "tags": ["t"]}]
    split = ReadingOptions(split=True)
    report = bring(record, reading=split)
    found = everything(service)
    assert [memory.tags for memory in found] == [("t", f"part:{n}/3") for n in (1, 2, 3)]
    assert "\n\n".join(memory.content for memory in found) == "\n\n".join(paragraphs)
    assert list(report.tally.notes) == ["texts of more than 8,000 characters, split"]
    assert fates(bring(record, reading=split)) == {"same": 3}


@pytest.mark.parametrize("filler", ["x", "x ", "x. ", "x\n", "記憶"])
def test_texts_without_paragraphs_are_split_too(
    bring: Bring, service: MemoryService, filler: str
) -> None:
    text = filler * (20_000 // len(filler))
    bring([{"content": text}], reading=ReadingOptions(split=True))
    joined = "".join(contents(service))
    assert joined.replace(" ", "").replace("\n", "") == text.replace(" ", "").replace("\n", "")


def test_credentials_stop_the_import_or_are_left_out_case_26(
    bring: Bring, service: MemoryService
) -> None:
    from memtui.errors import SecretsError
    from memtui.interchange import SecretPolicy
    from memtui.transfer.secrets import detect

    key = "ghp_" + "a1B2" * 9
    records = [{"content": "harmless"}, {"content": f"the token is {key}"}]
    dry = bring(records, ImportOptions(detect=detect), dry=True)
    assert (dry.secrets, fates(dry)) == (1, {"new": 1, "secret": 1})
    with pytest.raises(SecretsError) as stopped:
        bring(records, ImportOptions(detect=detect))
    assert "line 2: a GitHub token" in stopped.value.message
    assert key not in stopped.value.message + stopped.value.hint
    assert everything(service) == []
    skip = ImportOptions(detect=detect, secrets=SecretPolicy.SKIP)
    assert fates(bring(records, skip)) == {"new": 1, "secret": 1}
    assert contents(service) == ["harmless"]
    allow = ImportOptions(detect=detect, secrets=SecretPolicy.ALLOW)
    assert fates(bring(records, allow)) == {"same": 1, "new": 1}
    assert fates(bring(records, ImportOptions(detect=detect))) == {"same": 2}
