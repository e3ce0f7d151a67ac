"""CEL: the environment for rules, and the Kubernetes device dialect."""
