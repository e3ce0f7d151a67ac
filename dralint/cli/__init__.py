"""One module per command: parse arguments, call, choose a reporter, return the exit code."""
