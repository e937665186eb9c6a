"""Memories as a document for an editor: exact, unambiguous, and clear about what is wrong."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.editing.document import in_words, read, write
from memtui.models import Memory, MemoryPatch, MemoryStatus, MemoryType

AT = datetime(2026, 4, 6, tzinfo=UTC)


def memory(id_: int, content: str, *tags: str, **other: object) -> Memory:
    values = {"memory_type": MemoryType.FACT, "status": MemoryStatus.ACTIVE, "version": 3} | other
    return Memory.model_construct(
        id=id_, content=content, tags=tags, created_at=AT, updated_at=AT, last_accessed_at=None,
        **values,
    )  # fmt: skip


TWO = [memory(7, "one\n---\n```\nid: 8\n```\n", "a", "b c"), memory(8, "two", version=1)]

texts = st.text(st.characters(exclude_characters="\x00", exclude_categories=("Cs",)), min_size=1)
odd_lines = st.lists(
    st.sampled_from(
        ["---", "id: 7", "version: 3", "<!-- memory x -->", "```", "", " ", "\r", "a", "tags:"]
    ),
    max_size=6,
).map("\n".join)
tags = st.lists(st.one_of(texts, st.sampled_from(["a,b", "[", '"', "x: y", "#"])), max_size=4)


@given(st.lists(st.tuples(st.one_of(texts, odd_lines), tags), min_size=1, max_size=4))
def test_an_untouched_document_changes_nothing_whatever_the_texts_hold(drawn):
    memories = [memory(id_, text, *tags) for id_, (text, tags) in enumerate(drawn, 1)]
    edits = read(write(memories), memories)
    assert edits.problems == ()
    assert edits.patches == {}
    assert edits.left_out == ()


@given(st.lists(st.one_of(texts, odd_lines), min_size=1, max_size=4), odd_lines)
def test_an_edited_text_comes_back_exactly(contents, added):
    memories = [memory(id_, text) for id_, text in enumerate(contents, 1)]
    # What a person adds may look like a document itself; only the mark counts.
    wanted = {one.id: f"new {one.id}\n{added}" for one in memories}
    document = write(memories)
    edited = document
    for one in memories:
        before = f"tags:\n---\n{one.content}\n<!--"
        place = edited.rindex(before) if one.id == len(memories) else edited.index(before)
        edited = (
            edited[:place] + f"tags:\n---\n{wanted[one.id]}\n<!--" + edited[place + len(before) :]
        )
    edits = read(edited, memories)
    assert edits.problems == ()
    wanted = {one.id: in_its_line_ends(one.content, wanted[one.id]) for one in memories}
    got = {id_: patch.content for id_, patch in edits.patches.items()}
    assert got == {one.id: wanted[one.id] for one in memories if one.content != wanted[one.id]}


def in_its_line_ends(before: str, after: str) -> str:
    """A text whose lines all end in CR LF keeps doing so; any other comes back as it was typed."""
    plain = before.replace("\r\n", "")
    if "\r\n" in before and "\n" not in plain:
        return after.replace("\r\n", "\n").replace("\n", "\r\n")
    return after


def test_each_field_can_be_changed_and_only_what_differs_is_in_the_patch():
    edited = (
        write(TWO)
        .replace(
            "type: fact\nstatus: active\ntags: a, b c", "type: event\nstatus: active\ntags: b c,a"
        )
        .replace(
            "type: fact\nstatus: active\ntags:\n", 'type: fact\nstatus: invalid\ntags: ["x,y"]\n'
        )
    )
    edits = read(edited, TWO)
    assert edits.problems == ()
    assert edits.patches == {
        7: MemoryPatch(memory_type="event", tags=("b c", "a")),
        8: MemoryPatch(status="invalid", tags=("x,y",)),
    }


def test_tags_that_commas_cannot_tell_apart_are_written_as_a_list():
    odd = [memory(1, "x", "a,b", "[c", "d\ne", "\u202e")]
    document = write(odd)
    assert r'tags: ["a,b", "[c", "d\ne", "\u202e"]' in document
    assert read(document, odd).patches == {}


def test_values_that_another_program_stored_stay_as_they_are():
    odd = [memory(1, " ", " a ", "", memory_type="goal", status="new\nline")]
    document = write(odd)
    assert read(document, odd).patches == {}
    edits = read(document.replace("---\n \n", "---\nnow\n"), odd)
    assert edits.patches == {1: MemoryPatch(content="now")}


@pytest.mark.parametrize("ending", ["\r\n", "\n"])
def test_an_editor_that_ends_lines_its_own_way_changes_nothing(ending):
    mixed = [memory(1, "a\r\nb\n"), memory(2, "a\r\nb"), memory(3, "a\nb")]
    document = write(mixed).replace("\r\n", "\n").replace("\n", ending)
    assert read(document, mixed).patches == {}
    edits = read(document.replace(f"---{ending}a", f"---{ending}A"), mixed)
    contents = {id_: patch.content for id_, patch in edits.patches.items()}
    assert contents[2] == "A\r\nb"
    assert contents[3] == "A\nb"


def test_a_part_that_is_removed_leaves_its_memory_alone():
    document = write(TWO)
    begin = document.rindex("<!-- memory")
    edits = read(document[:begin] + document[document.rindex("<!-- end") :], TWO)
    assert (edits.patches, edits.problems, edits.left_out) == ({}, (), (8,))
    assert read(" \n", TWO).left_out == (7, 8)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("type: fact", "type: goal", "memory 7, type: Input should be"),
        ("status: active", "status: deleted", "memory 7, status: Input should be"),
        ("tags: a, b c", f"tags: {'x' * 65}", "memory 7, tags: String should have at most 64"),
        ("tags: a, b c", "tags: [1]", "memory 7, tags: must be tags separated by commas"),
        ("tags: a, b c", 'tags: ["a', "memory 7, tags: must be tags separated by commas"),
        ("tags: a, b c", "colour: red", "memory 7, colour: is not a field here; there are: id, "),
        ("tags: a, b c", "status: active", "memory 7, status: is there twice"),
        ("one\n---", f"{'x' * 8000}\n---", "memory 7, content: String should have at most 8000"),
        ("\ntwo\n", "\n \n", "memory 8, content: must not be only white space"),
        ("id: 7", "id: 9", "part 1, id: is none of the memories that you are editing"),
        ("id: 8\nversion: 1", "id: 7\nversion: 3", "memory 7, id: is there twice"),
        ("version: 1", "version: 2", "memory 8, version: must stay 1"),
        ("version: 1\n", "", "memory 8, version: must stay 1"),
        ("---\nid: 7", "id: 7", 'has no header between two lines "---"'),
        ("<!-- end", "<!-- END", "the last line must be"),
        ("<!-- memory", "<!-- MEMORY", "are gone"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_memory_and_field(old, new, words):
    intro, begin, parts = write(TWO).partition("\n-->\n")
    edits = read(intro + begin + parts.replace(old, new), TWO)
    assert edits.patches == {}
    assert any(words in in_words(problem) for problem in edits.problems), edits.problems


def test_text_where_no_memory_has_it_is_not_lost_in_silence():
    document = write(TWO)
    first = document.index("-->\n<!-- memory") + len("-->\n")
    for place in (0, first - 1, first):
        edits = read(document[:place] + "typed here " + document[place:], TWO)
        assert edits.patches == {}
        assert edits.problems, place
    after = read(document + "typed at the end\n", TWO)
    assert in_words(after.problems[0]).startswith("there is text after the line")
    assert not read(document[first:], TWO).problems


def test_a_part_that_lost_its_first_line_is_not_taken_for_text():
    document = write(TWO)
    begin = document.rindex("<!-- memory")
    without = document[:begin] + document[document.index("\n", begin) + 1 :]
    edits = read(without, TWO)
    assert [in_words(one) for one in edits.problems] == [
        "memory 8: lost the line that begins its part"
    ]


def test_the_mark_occurs_in_no_text():
    mark = write(TWO).split("<!-- memory ")[1][:8]
    copied = [memory(1, write(TWO)), memory(2, f"<!-- memory {mark} -->")]
    assert read(write(copied), copied).patches == {}
    own = [memory(1, write(copied))]
    assert read(write(own), own).problems == ()
