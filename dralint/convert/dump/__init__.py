"""The dump of a cluster: its parts, who made them, and the files that are made of it."""
