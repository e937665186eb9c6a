"""The calls of `MemoryService`, a module for each concern; the rules are in what they call."""
