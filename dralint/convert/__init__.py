"""Occurrences to decisions to edits; the conversion report."""
