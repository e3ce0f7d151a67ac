"""Kubernetes: versions and gates, quantities, pod-spec places, DRA API views, bundle and context."""
