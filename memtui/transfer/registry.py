"""Every format there is, and which one a source is in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from memtui.errors import InvalidError
from memtui.transfer.exporter import Exporter
from memtui.transfer.exporters import csv_table, json_array, jsonl, markdown_page
from memtui.transfer.head import Head, Kind
from memtui.transfer.importer import Importer
from memtui.transfer.importers import (
    autogen,
    basic_memory,
    chat_export,
    claude_code,
    langgraph,
    mcp_graph,
    mcp_memory_service,
    mem0,
    memories_api,
    memtui_jsonl,
    openmemory,
    plain_csv,
    plain_json,
    plain_text,
)
from memtui.transfer.sqlite_source import columns_of

IMPORTERS: Sequence[Importer] = (
    memtui_jsonl.IMPORTER,
    mcp_graph.IMPORTER,
    mem0.IMPORTER,
    openmemory.IMPORTER,
    memories_api.IMPORTER,
    mcp_memory_service.IMPORTER,
    autogen.IMPORTER,
    langgraph.IMPORTER,
    chat_export.IMPORTER,
    basic_memory.IMPORTER,
    claude_code.IMPORTER,
    plain_csv.IMPORTER,
    plain_json.IMPORTER,
    plain_text.IMPORTER,
)
"""In the order in which they are asked; general ones are asked after all others."""

_Format = TypeVar("_Format", Importer, Exporter)

EXPORTERS: Sequence[Exporter] = (
    jsonl.EXPORTER,
    json_array.EXPORTER,
    csv_table.EXPORTER,
    markdown_page.EXPORTER,
)


def importer_named(name: str) -> Importer:
    """The importer of a format. Raises `InvalidError` naming those there are."""
    return _named(IMPORTERS, name, "import")


def exporter_named(name: str) -> Exporter:
    """The exporter of a format. Raises `InvalidError` naming those there are."""
    return _named(EXPORTERS, name, "export")


def _named(formats: Sequence[_Format], name: str, what: str) -> _Format:
    for format_ in formats:
        if format_.name == name:
            return format_
    names = ", ".join(format_.name for format_ in formats)
    raise InvalidError(f"{name} is no format to {what}", f"The formats are: {names}.")


def recognised(head: Head) -> Importer | None:
    """The importer whose format a source is in, by its content; None when it is in none."""
    asked = sorted(IMPORTERS, key=lambda importer: importer.general)
    return next((importer for importer in asked if importer.recognises(head)), None)


def unknown(head: Head) -> InvalidError:
    """The refusal of a source that is in no format there is, naming what was looked for."""
    label = head.source.label
    looked = "; ".join(importer.looks_for for importer in IMPORTERS if importer.looks_for)
    if head.kind is Kind.DAMAGED_JSON:
        return InvalidError(f"{label} is damaged JSON: {head.problem}", "Nothing was imported.")
    if head.kind is Kind.PICKLE:
        return InvalidError(
            f"{label} is a Python pickle, which can run code when it is read",
            "It is never read. Export it in another format.",
        )
    if head.kind is Kind.EMPTY:
        return InvalidError(f"{label} is empty", "Nothing was imported.")
    if head.kind is Kind.SQLITE and columns_of(head.source, "memory_tag"):
        return InvalidError(
            f"{label} is a memtui database",
            f"Export it and import that: memtui --db {label} export | memtui import -",
        )
    return InvalidError(
        f"{label} is in no format that memtui knows",
        f"It looked for: {looked}. Name a format with --format; text is one memory a line.",
    )
