"""The MCP server: the tools, resources and prompt on the official SDK, the same for each transport.

This module is imported before `initialize` is answered, so it loads neither SQL nor the service:
whoever runs the server says how a piece of work gets one, in a worker thread.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeVar

import mcp_types as types
from mcp.server.caching import CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from memtui import __version__
from memtui.errors import MemtuiError, NotFoundError
from memtui.models import MAX_OFFSET
from memtui.server import guide
from memtui.server.tools import TOOLS, Answer, Tool, call, refusal_words

if TYPE_CHECKING:
    from memtui.service import MemoryService

Result = TypeVar("Result")
Work = Callable[["MemoryService"], Result]
Context = ServerRequestContext[dict[str, object], object]
ClientName = Callable[[Context], str | None]

POLICY_URI = "memories://policy"
MEMORY_URI = "memories://memory/{id}"
_MEMORY = re.compile(r"memories://memory/([0-9]+)")
_TOOLS = {tool.name: tool for tool in TOOLS}
_FRESH_MS = 3_600_000
_UNCHANGING = CacheHint(ttl_ms=_FRESH_MS, scope="public")

_log = logging.getLogger(__name__)


class Backend:
    """How the server gets at the memories; subclasses give a service in a worker thread."""

    async def run(self, client: str | None, work: Work[Result]) -> Result:
        """Do `work` with a service that acts in the name of `client`."""
        raise NotImplementedError


def build_server(backend: Backend, client_name: ClientName) -> Server[dict[str, object]]:
    """The server; `client_name` tells who sent a request."""
    handlers = _Handlers(backend, client_name)
    return Server(
        "memtui",
        version=__version__,
        title="memtui memories",
        description="The user's long-term memory, which a person curates in memtui.",
        instructions=guide.INSTRUCTIONS,
        cache_hints={
            "tools/list": _UNCHANGING,
            "prompts/list": _UNCHANGING,
            "resources/list": _UNCHANGING,
            "resources/templates/list": _UNCHANGING,
            "server/discover": _UNCHANGING,
        },
        get_tool_input_schema=lambda name: _TOOLS[name].input_schema if name in _TOOLS else None,
        on_list_tools=handlers.list_tools,
        on_call_tool=handlers.call_tool,
        on_list_resources=handlers.list_resources,
        on_list_resource_templates=handlers.list_resource_templates,
        on_read_resource=handlers.read_resource,
        on_list_prompts=handlers.list_prompts,
        on_get_prompt=handlers.get_prompt,
    )


def client_of(context: Context) -> str | None:
    """The name that the client gave for itself, where the connection knows it."""
    client = context.session.client_params
    return None if client is None else client.client_info.name


class _Handlers:
    def __init__(self, backend: Backend, client_name: ClientName) -> None:
        self._backend = backend
        self._client_name = client_name

    # --- tools -------------------------------------------------------------------------------

    async def list_tools(
        self, _context: Context, _params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_described(tool) for tool in TOOLS])

    async def call_tool(
        self, context: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        tool = _TOOLS.get(params.name)
        if tool is None:
            return _refused(f"There is no tool {params.name!r}. Tools: {', '.join(_TOOLS)}.")
        arguments = params.arguments or {}
        try:
            answer = await self._run(context, lambda service: call(tool, service, arguments))
        except MemtuiError as error:
            return _refused(refusal_words(error))
        except Exception as error:
            _log.error("%s in %s", type(error).__name__, tool.name)
            return _refused("memtui failed while answering; nothing was written. See its log.")
        return _answered(answer)

    # --- resources ---------------------------------------------------------------------------

    async def list_resources(
        self, _context: Context, _params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        policy = types.Resource(
            uri=POLICY_URI,
            name="policy",
            title="Using memory well",
            description="What to record and how, and what never to store.",
            mime_type="text/markdown",
        )
        return types.ListResourcesResult(resources=[policy])

    async def list_resource_templates(
        self, _context: Context, _params: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        memory = types.ResourceTemplate(
            uri_template=MEMORY_URI,
            name="memory",
            title="One memory",
            description="A memory by its id, as JSON; reading it marks it as accessed.",
            mime_type="application/json",
        )
        return types.ListResourceTemplatesResult(resource_templates=[memory])

    async def read_resource(
        self, context: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        uri = str(params.uri)
        if uri == POLICY_URI:
            return _contents(uri, guide.POLICY, "text/markdown", fresh_ms=_FRESH_MS)
        found = _MEMORY.fullmatch(uri)
        if found is None or len(found[1]) > len(str(MAX_OFFSET)) or int(found[1]) > MAX_OFFSET:
            raise _no_resource(uri, f"There are {POLICY_URI} and {MEMORY_URI}")
        inspect, arguments = _TOOLS["inspect_memory"], {"memory_id": int(found[1])}
        try:
            answer = await self._run(context, lambda service: call(inspect, service, arguments))
        except NotFoundError as error:
            raise _no_resource(uri, error.message) from error
        except MemtuiError as error:
            raise MCPError(types.INTERNAL_ERROR, refusal_words(error)) from error
        return _contents(uri, answer.json, "application/json", fresh_ms=0)

    # --- prompts -----------------------------------------------------------------------------

    async def list_prompts(
        self, _context: Context, _params: types.PaginatedRequestParams | None
    ) -> types.ListPromptsResult:
        task = types.PromptArgument(
            name="task", description="What you are about to do.", required=False
        )
        prompt = types.Prompt(
            name=guide.PROMPT_NAME,
            title=guide.PROMPT_TITLE,
            description=guide.PROMPT_DESCRIPTION,
            arguments=[task],
        )
        return types.ListPromptsResult(prompts=[prompt])

    async def get_prompt(
        self, _context: Context, params: types.GetPromptRequestParams
    ) -> types.GetPromptResult:
        if params.name != guide.PROMPT_NAME:
            raise MCPError(types.INVALID_PARAMS, f"The only prompt is {guide.PROMPT_NAME}")
        text = guide.prompt((params.arguments or {}).get("task"))
        message = types.PromptMessage(
            role="user", content=types.TextContent(type="text", text=encodable(text))
        )
        return types.GetPromptResult(description=guide.PROMPT_DESCRIPTION, messages=[message])

    def _run(self, context: Context, work: Work[Result]) -> Awaitable[Result]:
        return self._backend.run(self._client_name(context), work)


def encodable(text: str) -> str:
    """The text with each lone surrogate spelled out: an answer that holds one can't be sent."""
    return text.encode(errors="backslashreplace").decode()


def _described(tool: Tool) -> types.Tool:
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.input_schema,
        output_schema=tool.output_schema,
        annotations=types.ToolAnnotations(
            title=tool.title,
            read_only_hint=tool.read_only,
            destructive_hint=tool.destructive,
            idempotent_hint=tool.idempotent,
            open_world_hint=False,
        ),
    )


def _answered(answer: Answer) -> types.CallToolResult:
    texts = [answer.json, answer.note] if answer.note else [answer.json]
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=text) for text in texts],
        structured_content=json.loads(answer.json),
    )


def _refused(words: str) -> types.CallToolResult:
    content = types.TextContent(type="text", text=encodable(words))
    return types.CallToolResult(content=[content], is_error=True)


def _contents(uri: str, text: str, mime_type: str, *, fresh_ms: int) -> types.ReadResourceResult:
    contents = types.TextResourceContents(uri=uri, mime_type=mime_type, text=text)
    scope = "public" if fresh_ms else "private"
    return types.ReadResourceResult(contents=[contents], ttl_ms=fresh_ms, cache_scope=scope)


def _no_resource(uri: str, reason: str) -> MCPError:
    return MCPError(types.INVALID_PARAMS, encodable(reason), {"uri": encodable(uri)})
