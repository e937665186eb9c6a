"""The service over HTTP and MCP: thin translations, one module for each concern.

`http.run` serves HTTP with MCP at `/mcp`; `mcp.run_stdio` serves MCP over standard input
and output.
"""
