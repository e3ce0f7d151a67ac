"""What a person should know beside the occurrences."""
