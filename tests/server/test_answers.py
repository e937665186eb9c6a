"""The fast writer of pages writes what the models themselves write."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from memtui.models import Memory, MemoryPage, MemoryStatus, MemoryType
from memtui.server.answers import page_to_json, to_json

MOMENTS = st.datetimes(timezones=st.just(UTC)) | st.just(datetime(1, 1, 1, tzinfo=UTC))
TEXT = st.text(st.characters(exclude_categories=["Cs"]))


@st.composite
def pages(draw: st.DrawFn) -> MemoryPage:
    shared = draw(st.lists(MOMENTS, min_size=1, max_size=3))
    moments = st.sampled_from(shared) | MOMENTS
    fields = st.fixed_dictionaries(
        {
            "id": st.integers(1, 2**63 - 1),
            "content": TEXT,
            "tags": st.lists(TEXT, max_size=3).map(tuple),
            "created_at": moments,
            "updated_at": moments,
            "last_accessed_at": st.none() | moments,
            # Another program may have stored a type or a status that is none of ours.
            "memory_type": st.sampled_from(MemoryType) | TEXT,
            "status": st.sampled_from(MemoryStatus) | TEXT,
            "version": st.integers(1, 2**63 - 1),
        }
    )
    items = tuple(Memory.stored(row) for row in draw(st.lists(fields, max_size=5)))
    total = draw(st.integers(0, 2**40))
    return MemoryPage(items=items, total=total, limit=100, offset=0, has_more=draw(st.booleans()))


@given(pages())
def test_a_page_is_written_as_its_model_writes_it(page: MemoryPage) -> None:
    before = [dict(memory) for memory in page.items]
    assert page_to_json(page) == to_json(page)
    assert [dict(memory) for memory in page.items] == before
