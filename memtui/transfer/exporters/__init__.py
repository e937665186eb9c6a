"""One module per format that memories are exported to."""
