"""Kubernetes' device-selector CEL: parsed and checked by cel-expr-python, judged and evaluated here."""
