"""ResourceSlices, cards and node labels to devices; matching."""
