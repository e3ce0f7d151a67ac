"""Text to nodes with spans, edits by splicing, and the check after an edit. Knows no Kubernetes."""
