"""Device selectors for rules: what they ask for, what they let through, and what is wrong with them."""
