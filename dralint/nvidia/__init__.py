"""NVIDIA: resource names, labels, cards, MIG profiles, driver gates, opaque configs."""
