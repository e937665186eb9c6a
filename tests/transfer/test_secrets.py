"""Credentials are found by the forms their issuers publish, and ordinary text is left in peace."""

from __future__ import annotations

import pytest

from memtui.transfer.secrets import detect

KEYS = {
    "an Anthropic key": "sk-ant-api03-" + "aB3_" * 20,
    "an OpenAI key": "sk-proj-" + "aB3-_" * 12,
    "a GitHub token": "github_pat_" + "A1b2C3d4E5f6G7h8I9j0K1" + "_" + "aB3d" * 14 + "xyz",
    "a Google API key": "AIza" + "SyA-b_C" * 5,
    "a Hugging Face token": "hf_" + "aBcDeFgHiJ" * 3 + "abcd",
    "an AWS key id": "AKIA" + "ABCDEFGH234567QR",
    "a Slack token": "xoxb-123456789012-123456789012-" + "abCD12" * 4,
    "a private key": "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNz",
    "a Stripe key": "sk_live_" + "aB3d" * 6,
    "a GitLab token": "glpat-" + "aB3d" * 5,
    "a JSON Web Token": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcdefghijklmno",
    "a password in an address": "postgres://app:s3cr3t-pw@db.example.com/main",
    "a key or token that is assigned": "SERVICE_API_KEY=9f8e7d6c5b4a3f2e1d0c9b8a7f6e5d4c",
}


@pytest.mark.parametrize(("what", "key"), KEYS.items())
def test_keys_are_found_wherever_they_stand(what: str, key: str) -> None:
    texts = [key, f"The key is {key}, keep it.", f"a\nb: {key}\n", f'{{"k": "{key}"}}']
    assert detect(["nothing", *texts]) == [None, *[what] * len(texts)]


@pytest.mark.parametrize(
    "text",
    [
        "The .env file has OPENAI_API_KEY; loaded by af_repl:load_env/0",
        "Set API_KEY=your-api-key-goes-here-please before starting",
        "Uses sk-learn style names such as sk-some-rather-long-name-for-a-thing",
        "commit 0123456789abcdef0123456789abcdef01234567 fixed it",
        "id 8b3598dc-be3b-5e2c-a7ff-9fbce88b3f59, hash b7b7e8bf861b7a39aee752f42b0b20aa",
        "AWS documents AKIAIOSFODNN7EXAMPLE as a placeholder",
        "Connect with postgres://user:password@db.example.com or //app:${PW}@db.example.com",
        "See https://example.com:8080/@name and git@github.com:owner/repo.git",
        "Keys begin with ghp_ or github_pat_, tokens with eyJ, AIza, xoxb- and hf_",
        "-----BEGIN CERTIFICATE-----",
        "The token: never log it. The secret: small batches.",
        "SHA-256 of eyJ is not a JWT: eyJabc.def",
        "x" * 8_000,
    ],
)
def test_ordinary_text_is_left_in_peace(text: str) -> None:
    assert detect([text]) == [None]
