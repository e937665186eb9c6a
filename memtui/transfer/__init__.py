"""Import and export: one module per format, one registry, plans that a surface applies.

`memtui.transfer.importing.open_plan` and `memtui.transfer.exporting` are the way in.
"""
