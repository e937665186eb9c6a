"""One module a verb: `EXAMPLES`, `configure(parser)` and `run(call)`."""
