"""The terminal UI: `memtui.tui.app.run` starts it; nothing is imported before it is asked for."""
