"""Find files, throw out the irrelevant ones before parsing, read stdin, follow Helm's Source lines."""
