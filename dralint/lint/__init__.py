"""Facts to rules to findings; suppressions, baseline and fixes."""
