"""Contract §§3 and 7: folding for search, and text that is safe to show."""

from __future__ import annotations

import json
import os
import unicodedata
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memtui.text import SEPARATOR, fold, folded_row, safe_block, safe_line
from tests.contract.model import same_text

anything = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))
pieces = st.text(st.sampled_from("aÀé\u0301sß\ufdd0\ufdd1\ufdd2\ufdd3\ufdd4İΣς"), max_size=4)


@given(st.lists(pieces | anything, min_size=1), pieces.filter(bool))
@example(["\ufdd0"], "\ufdd1")
@example(["\ufdd0a"], "\ufdd2a")
def test_a_folded_needle_is_found_exactly_where_the_contract_says(
    texts: list[str], needle: str
) -> None:
    wanted = any(same_text(needle) in same_text(text) for text in texts)
    assert (fold(needle) in folded_row(texts[0], texts[1:])) == wanted


@given(anything)
def test_folded_text_never_holds_the_separator(text: str) -> None:
    assert SEPARATOR not in fold(text)


INVISIBLE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


@given(st.text())
@example("\x1b]8;;http://x\x07link\x1b]8;;\x07")
@example("\x9b31m\x85\u2028\u202e\u200d\ufeff\u00ad\U000e0041\ufff9")
def test_safe_text_holds_nothing_that_a_terminal_acts_on(text: str) -> None:
    shown = safe_line(text)
    assert not {unicodedata.category(char) for char in shown} & INVISIBLE
    block = safe_block(text)
    assert not {unicodedata.category(char) for char in block.replace("\n", "")} & INVISIBLE


@given(st.text(st.characters(categories=["L", "N", "P", "S", "Zs"])))
def test_ordinary_text_is_shown_as_it_is(text: str) -> None:
    assert safe_line(text) == text or any(char in text for char in "\u3164\uffa0\u115f\u1160\u2800")


def test_line_ends_and_tabs_are_shown_as_such() -> None:
    assert safe_line("a\r\nb\nc\td") == "a⏎b⏎c␉d"
    assert safe_block("a\r\nb\tc\x1b") == "a\nb    c␛"


def test_case_27_the_nasty_files_hold_nothing_that_escapes(sample_data: Path) -> None:
    for name in ("markup.jsonl", "wide.jsonl", "nul_and_esc.jsonl"):
        for line in (sample_data / "nasty" / name).read_text(encoding="utf-8").splitlines():
            for text in _strings(json.loads(line)):
                assert safe_line(text).isprintable() or " " in text or "\u3000" in text
                assert "\x1b" not in safe_line(text)


def _strings(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for item in value.values() for text in _strings(item)]
    return [text for item in value for text in _strings(item)] if isinstance(value, list) else []


@pytest.fixture
def sample_data() -> Path:
    given = os.environ.get("MEMTUI_SAMPLE_DATA")
    folder = Path(given) if given else Path(__file__).parents[3] / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("the sample memory files are not here (set MEMTUI_SAMPLE_DATA)")
    return folder
