"""Editing outside: the person's own editor, and memories as one document for it."""
