"""One module per rule that CEL cannot say."""
