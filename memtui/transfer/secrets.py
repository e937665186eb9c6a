"""Live credentials inside texts, by the forms that their issuers publish.

No kept library fits: the known scanner's last release knows none of the keys that agents handle
most (Anthropic, OpenAI projects, Google, Hugging Face, fine-grained GitHub), takes 22 µs a text and
brings an HTTP client. These forms are fixed prefixes with fixed alphabets, so that ordinary prose,
hashes and ids do not match.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

_RULES: Final = (
    # what it is, what every such text holds (one of these), the form
    ("a PuTTY private key", ("PuTTY-User-Key-File",), r"PuTTY-User-Key-File-\d:"),
    ("an Anthropic key", ("sk-ant-",), r"\bsk-ant-[a-z]+\d\d-[\w-]{40,}"),
    ("an OpenAI key", ("sk-",), r"\bsk-(?:[a-z]+-)?(?=\w*\d)[A-Za-z0-9_]{20,}"),
    ("an OpenAI key", ("sk-",), r"\bsk-(?:proj|svcacct|admin)-[\w-]{40,}"),
    ("an OpenRouter key", ("sk-or-",), r"\bsk-or-v\d-[0-9a-f]{60,}"),
    ("a Google API key", ("AIza",), r"\bAIza[\w-]{35}(?![\w-])"),
    ("a Google OAuth secret", ("GOCSPX-",), r"\bGOCSPX-[\w-]{28}(?![\w-])"),
    ("a Hugging Face token", ("hf_",), r"\bhf_[A-Za-z]{30,40}\b"),
    ("a GitHub token", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), r"\bgh[pousr]_[A-Za-z0-9]{36,}\b"),
    ("a GitHub token", ("github_pat_",), r"\bgithub_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}\b"),
    (
        "a GitLab token",
        ("glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glsoat-", "glagent-"),
        r"\bgl(?:pat|dt|rt|cbt|ptt|soat|agent)-[\w-]{20,}",
    ),
    (
        "an AWS key id",
        ("AKIA", "ASIA", "ABIA", "ACCA"),
        r"\bA[KSBC][IC]A(?!\w*EXAMPLE)[A-Z2-7]{16}\b",
    ),
    ("an Azure storage key", ("AccountKey=",), r"AccountKey=[A-Za-z0-9+/]{86}=="),
    ("a Slack token", ("xox",), r"\bxox[abeoprs]-(?:\d+-)+[A-Za-z0-9-]{10,}"),
    ("a Slack app token", ("xapp-",), r"\bxapp-\d-[A-Z0-9]+-\d+-[a-z0-9]{32,}"),
    ("a Slack webhook", ("hooks.slack.com",), r"hooks\.slack\.com/services/T\w+/B\w+/\w{20,}"),
    ("a Stripe key", ("k_live_",), r"\b[rs]k_live_[0-9a-zA-Z]{24,}"),
    ("a SendGrid key", ("SG.",), r"\bSG\.[\w-]{22}\.[\w-]{43}"),
    ("a Telegram bot token", (":AA",), r"\b\d{8,10}:AA[\w-]{33}(?![\w-])"),
    ("an npm token", ("npm_",), r"\bnpm_[A-Za-z0-9]{36}\b"),
    ("a PyPI token", ("pypi-",), r"\bpypi-AgE[\w-]{50,}"),
    ("a DigitalOcean token", ("dop_v1_", "doo_v1_", "dor_v1_"), r"\bdo[opr]_v1_[0-9a-f]{64}\b"),
    ("a Databricks token", ("dapi",), r"\bdapi[0-9a-f]{32}\b"),
    ("a Linear key", ("lin_api_",), r"\blin_api_[A-Za-z0-9]{40}\b"),
    ("a Notion token", ("ntn_",), r"\bntn_[A-Za-z0-9]{40,}\b"),
    (
        "a Shopify token",
        ("shpat_", "shpca_", "shppa_", "shpss_"),
        r"\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}\b",
    ),
    ("a JSON Web Token", ("eyJ",), r"\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}"),
    (
        "a password in an address",
        ("://",),
        r"://[^\s:/?#\[\]@]+:(?![*<$\{%]|x{3,}@|pass(?:word)?@)[^\s:/?#\[\]@]{4,}@[\w.-]+\.[a-z]",
    ),
)
_APART: Final = (
    # the same where what is looked for may stand apart from the credential itself
    ("a private key", ("-----BEGIN",), r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----"),
    (
        "an AWS secret key",
        ("aws", "AWS", "Aws"),
        r"(?i)\baws.{0,20}?(?:secret|key).{0,20}?['\"=:\s][0-9a-zA-Z/+]{40}(?![0-9a-zA-Z/+=])",
    ),
    (
        "a Discord bot token",
        ("discord", "Discord", "DISCORD"),
        r"\b[MNO][\w-]{23,25}\.[\w-]{6}\.[\w-]{27,38}(?![\w-])",
    ),
    (
        "a key or token that is assigned",
        ("_KEY", "_key", "_TOKEN", "_token", "_SECRET", "_secret"),
        r"(?i)\b\w*(?:api|access|auth|secret|private|client|bot)_(?:key|token|secret)['\"]?[=:]\s?"
        r"['\"]?(?=[^\s'\"]*\d)(?=[^\s'\"]*[a-z])[\w+/.-]{24,}",
    ),
)
_COMPILED: Final = tuple(
    (what, held, re.compile(form), apart)
    for rules, apart in ((_RULES, False), (_APART, True))
    for what, held, form in rules
)
_LONG_WORD: Final = 18
"""Letters without a blank that every credential has; few words are so long."""


def detect(texts: Sequence[str]) -> list[str | None]:
    """For each text the kind of credential that it seems to hold, or None."""
    found: list[str | None] = [None] * len(texts)
    # Looking through all texts at once, and mostly at long words only, settles nearly every chunk.
    everything = "\n".join(texts)
    long_words = " ".join([word for word in everything.split() if len(word) >= _LONG_WORD])
    for what, held, form, apart in _COMPILED:
        here = [part for part in held if part in (everything if apart else long_words)]
        for n, text in enumerate(texts) if here else ():
            if found[n] is None and any(part in text for part in here) and form.search(text):
                found[n] = what
    return found
