"""Examples that run offline: `python -m memtui.integrations.autogen.examples.weather` and so on.

The model's part is played by AutoGen's replay client, so no key and no network are needed; put any
other client in its place.
"""
