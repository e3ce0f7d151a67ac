"""Node labels that a pod selects by, as selectors of the devices that it asks for."""
