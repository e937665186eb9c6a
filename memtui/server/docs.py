"""The reference page at `/docs`, from the OpenAPI operations; it loads nothing from elsewhere."""

from __future__ import annotations

import json
from html import escape

from memtui import __version__
from memtui.server.openapi import OPERATIONS, Operation
from memtui.server.openapi_parts import Part

_STYLE = """
:root { color-scheme: light dark; --line: #8884; --dim: #777; --accent: #3a7bd5; }
body { font: 16px/1.55 system-ui, sans-serif; max-width: 54rem; margin: 2rem auto; padding: 0 1rem }
code, pre { font: 0.9em/1.5 ui-monospace, monospace }
pre { overflow-x: auto; padding: .8rem 1rem; border: 1px solid var(--line); border-radius: .5rem }
section { border-top: 1px solid var(--line); padding: .5rem 0 1rem }
h2 { font-size: 1.05rem } h2 b { color: var(--accent); text-transform: uppercase }
table { border-collapse: collapse } td { padding: .15rem 1.2rem .15rem 0; vertical-align: top }
.dim { color: var(--dim) }
"""


def docs_page() -> bytes:
    """The page, as HTML."""
    sections = "".join(_section(operation) for operation in OPERATIONS)
    return f"""<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>memtui over HTTP</title>
<style>{_STYLE}</style></head><body>
<h1>memtui {escape(__version__)} over HTTP</h1>
<p>The contract as a document for programs: <a href="/openapi.json">/openapi.json</a>.
MCP is at <code>/mcp</code>.</p>{sections}</body></html>""".encode()


def _section(operation: Operation) -> str:
    title = f"<b>{operation.method}</b> <code>{escape(operation.path)}</code>"
    body = ""
    if operation.body:
        schema, example = operation.body
        body = f"<p>Body: <code>{schema}</code></p>{_example(example)}"
    refusals = ", ".join(str(status) for status in operation.refusals)
    return (
        f"<section><h2>{title}</h2><p>{escape(operation.summary)}.</p>"
        f"{_parameters(operation)}{body}"
        f"<p>Answers {operation.status}{f'; refusals: {refusals}' if refusals else ''}</p>"
        f"{_example(_answer_example(operation.answer))}</section>"
    )


def _parameters(operation: Operation) -> str:
    rows = "".join(_row(parameter) for parameter in operation.parameters)
    return f"<table>{rows}</table>" if rows else ""


def _row(parameter: Part) -> str:
    name, place = escape(str(parameter["name"])), escape(str(parameter["in"]))
    example = escape(str(parameter["example"]))
    return (
        f'<tr><td><code>{name}</code> <span class="dim">{place}</span></td>'
        f"<td>{escape(str(parameter['description']))} "
        f'<span class="dim">Example: <code>{example}</code></span></td></tr>'
    )


def _answer_example(answer: Part) -> object:
    media = answer["content"]
    assert isinstance(media, dict)
    return media["application/json"]["example"]


def _example(value: object) -> str:
    return f"<pre>{escape(json.dumps(value, indent=2, ensure_ascii=False))}</pre>"
