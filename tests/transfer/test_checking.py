"""The quick check of records agrees with the models, and loaded memories with created ones."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memtui.errors import InvalidError
from memtui.interchange import ImportRecord, Origin, Tally
from memtui.models import MemoryCreate, MemoryQuery
from memtui.service import MemoryService
from memtui.service.checking import RecordChecker
from memtui.text import fingerprint, folded_row

from .conftest import Bring, everything

ANY_TEXT = st.one_of(
    st.text(st.characters(), max_size=12),
    st.text(st.sampled_from(" \t\n\u2003\x1c\x00\ud800a"), max_size=4),
    st.sampled_from(["x" * 8_000, "x" * 8_001, "😀" * 8_000]),
)
ANY_TAG = st.one_of(
    st.text(st.characters(), max_size=8), st.sampled_from(["", " a", "a", "x" * 64, "x" * 65])
)


@given(
    content=ANY_TEXT,
    tags=st.lists(ANY_TAG, max_size=22),
    memory_type=st.sampled_from(["fact", "event", "goal", "Fact", ""]),
    status=st.sampled_from(["active", "invalid", "gone"]),
)
def test_what_is_accepted_is_what_the_models_accept_unchanged(
    content: str, tags: list[str], memory_type: str, status: str
) -> None:
    record = ImportRecord(
        content, tuple(tags), memory_type, status, None, None, None, "i", None, Origin("f", "s"), 1
    )
    values = {"content": content, "tags": tags, "memory_type": memory_type, "status": status}
    try:
        made = MemoryCreate.parse(values)
        sound = (made.content, made.tags) == (content, tuple(tags))
    except InvalidError:
        sound = False
    tally = Tally()
    assert RecordChecker(tally).accepts(record) == sound
    assert tally.skipped == (not sound)


def test_a_loaded_memory_is_as_one_that_was_created(
    bring: Bring, service: MemoryService, other: MemoryService
) -> None:
    values = [
        {"content": "Straße", "tags": ["Café", "x"], "memory_type": "event", "status": "invalid"},
        {"content": "plain", "tags": [], "memory_type": "fact", "status": "active"},
        {"content": "日本語の記憶", "tags": ["x"], "memory_type": "fact", "status": "active"},
    ]
    bring(values)
    for value in values:
        other.create(MemoryCreate.parse(value))
    assert everything(service) == everything(other)
    for query in (
        {}, {"q": "STRASSE"}, {"q": "café"}, {"q": "記憶"}, {"tag": "x"}, {"status": "invalid"},
        {"q": "s", "tag": "x"}, {"memory_type": "event"},
    ):  # fmt: skip
        wanted = MemoryQuery.parse(query)
        assert service.search(wanted, touch=False) == other.search(wanted, touch=False)
        assert service.facets(wanted) == other.facets(wanted)
    assert service.tags() == other.tags()
    assert service.check() == other.check() == ()


@given(st.lists(st.one_of(st.text(max_size=6), st.sampled_from([" ", "\n", "\x1f", "a", "A"]))))
def test_texts_have_one_fingerprint_when_they_differ_in_case_and_white_space_only(
    pieces: list[str],
) -> None:
    text = "".join(pieces)
    plain = " ".join(text.casefold().split())
    assert fingerprint(folded_row(text, ())) == fingerprint(folded_row(plain, ("tag",)))
    assert fingerprint(folded_row(f"{text}.", ())) != fingerprint(folded_row(text, ()))
