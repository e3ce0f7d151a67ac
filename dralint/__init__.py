"""dralint: a linter and migration tool for GPUs on Kubernetes, from device plugin to DRA."""

__version__ = "0.1.0"
