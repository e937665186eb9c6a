"""Text rules: folding for search (CONTRACT §3) and safe display of untrusted text (CONTRACT §7).

Pure functions on strings; nothing here knows a database, a screen or a terminal.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from hashlib import blake2b

SEPARATOR = "\ufdd0"
"""Ends every piece (content, each tag) of a folded row. No folded text and no needle holds it."""

_ESCAPES = {
    0xFDD0: "\ufdd1\ufdd2\ufdd2",
    0xFDD1: "\ufdd1\ufdd2\ufdd3",
    0xFDD2: "\ufdd1\ufdd3\ufdd2",
    0xFDD3: "\ufdd1\ufdd3\ufdd3",
}
# A fixed-length code that begins with a lead no other text holds: pieces of folded text still match
# exactly where the pieces of the original do, and the separator stays ours alone.


def fold(text: str) -> str:
    """Return `text` as it is compared by `q`: `NFC(casefold(NFD(text)))`, free of `SEPARATOR`.

    `needle in content` under the contract is `fold(needle) in fold(content)`.
    """
    if text.isascii():
        return text.lower()
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFD", text).casefold())
    return folded.translate(_ESCAPES)


def folded_row(content: str, tags: Iterable[str]) -> str:
    """Return what one memory can be found by: content, then each tag, each ended by `SEPARATOR`."""
    return SEPARATOR.join((fold(content), *map(_folded_tag, tags), ""))


@lru_cache(maxsize=4096)
def _folded_tag(tag: str) -> str:
    """A few tags are on many memories."""
    return fold(tag)


def fingerprint(row: str) -> int:
    """A 64-bit number, the same for `folded_row`s whose contents differ in white space only."""
    text = row.partition(SEPARATOR)[0]
    if "  " in text or text.strip() != text or not (text.isascii() and text.isprintable()):
        text = " ".join(text.split())
    return hash64(text)


def hash64(text: str) -> int:
    """A 64-bit number that stands for a text; it is the same in every process."""
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def storable_problem(text: str) -> str | None:
    """Say why `text` cannot be stored faithfully everywhere, or None when it can (CONTRACT §1)."""
    if "\x00" in text:
        return "must not contain a NUL character (U+0000)"
    try:
        text.encode()
    except UnicodeEncodeError as error:
        return f"must not contain a lone surrogate (U+{ord(text[error.start]):04X})"
    return None


# --- display ---------------------------------------------------------------------------------

_VISIBLE: dict[int, str] = {code: chr(0x2400 + code) for code in range(0x20)}
_VISIBLE[0x7F] = "\u2421"
_VISIBLE |= {code: f"\u2039{code:02X}\u203a" for code in range(0x80, 0xA0)}
# Bidirectional marks and overrides, zero-width characters, separators that terminals take as line
# ends, interlinear and tag characters, variation of layout that a reader cannot see.
_INVISIBLE = (
    0x00AD, 0x034F, 0x061C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180C, 0x180D, 0x180E, 0x180F,
    *range(0x200B, 0x2010), *range(0x2028, 0x202F), *range(0x2060, 0x2070), 0x3164, 0xFEFF, 0xFFA0,
    *range(0xFFF0, 0xFFFC), *range(0xE0000, 0xE0080), *range(0xFDD0, 0xFDF0),
)  # fmt: skip
_VISIBLE |= {code: f"\u2039{code:04X}\u203a" for code in _INVISIBLE}
_KEPT_IN_BLOCKS = {0x0A: "\n", 0x09: "    "}
_VISIBLE_BLOCK = _VISIBLE | _KEPT_IN_BLOCKS


def safe_line(text: str) -> str:
    """Return `text` as one printable line: no control sequence, no line end, nothing unseen.

    Line ends become `\u23ce`; other control and invisible characters become visible stand-ins.
    """
    return _safe(text.replace("\r\n", "\u23ce").replace("\n", "\u23ce"), _VISIBLE)


def safe_block(text: str) -> str:
    """Return `text` as printable lines: line ends stay, tabs become spaces, the rest as above."""
    return _safe(text.replace("\r\n", "\n"), _VISIBLE_BLOCK)


def _safe(text: str, table: dict[int, str]) -> str:
    if text.isascii() and text.isprintable():
        return text
    shown = text.translate(table)
    if shown.isprintable():
        return shown
    return "".join(_stand_in(char) for char in shown)


def _stand_in(char: str) -> str:
    if char == "\n" or unicodedata.category(char) not in _UNPRINTABLE:
        return char
    return f"\u2039{ord(char):04X}\u203a"


_UNPRINTABLE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
