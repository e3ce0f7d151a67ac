"""What one unit of a GPU resource is, and what becomes of the parts of a device."""
