"""Findings and conversions to text, JSON and other formats."""
