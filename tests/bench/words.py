"""The vocabulary of the generated memories: common words, made-up rare ones, other scripts."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import accumulate

_COMMON = (
    "the user to and a of in for is on that with prefers project meeting uses at be as it from "
    "this by new works team not after about wants likes before every email weekly review report "
    "data code python client deadline moved answers short examples morning when their has will "
    "should never always design launch budget server notes draft writes reads London Berlin "
    "Monday Tuesday Friday April June 2025 2026 version release customer support invoice travel "
    "flight coffee tea vegetarian allergic peanuts birthday sister brother manager prefers dark "
    "mode keyboard terminal editor vim Rust TypeScript database Postgres SQLite index query test "
    "deploy staging production incident rollback on-call schedule calendar holiday Spanish French"
)
COMMON = _COMMON.split()

OTHER_SCRIPTS = (
    "Der Nutzer wohnt in der Hauptstraße und mag Äpfel über alles",
    "L'équipe préfère les réunions courtes et le café très serré",
    "Пользователь предпочитает краткие ответы и тёмную тему",
    "Ο Σίσυφος προτιμά σύντομες απαντήσεις",
    "ユーザーは日本語の記憶を好みます",
    "用户喜欢简短的回答和深色主题",
    "المستخدم يفضل الإجابات القصيرة",
    "사용자는 짧은 답변을 선호합니다",
    "Cumpleaños de la niña el año próximo 🎂",
    "Ready to ship 🚀 👩‍💻 ✅",
)

_ONSETS = "b br c ch d dr f fl g gr h j k kl l m n p pl qu r s sh st t tr v w z".split()  # noqa: SIM905
_NUCLEI = "a e i o u ai ea ie oo ou".split()  # noqa: SIM905
_CODAS = "n r s t l m nd rk st ng x ck".split()  # noqa: SIM905


def rare_words(chance: random.Random, number: int) -> list[str]:
    """`number` different made-up words of two or three syllables."""
    words: dict[str, None] = {}
    while len(words) < number:
        syllables = (
            chance.choice(_ONSETS) + chance.choice(_NUCLEI) for _ in range(chance.choice((2, 2, 3)))
        )
        words["".join(syllables) + chance.choice(_CODAS)] = None
    return list(words)


def zipf(number: int, exponent: float) -> Sequence[float]:
    """Cumulative weights of the first `number` ranks."""
    return list(accumulate(1 / (rank + 2) ** exponent for rank in range(number)))
