"""One module per format that memories are imported from."""
