"""Adapters that let agent frameworks remember in memtui, each behind an extra of its own.

Nothing here is imported by the rest of memtui.
"""
