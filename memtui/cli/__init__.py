"""The command line: verbs on the memory service. stdout is data, stderr is talk."""
