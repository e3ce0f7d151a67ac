"""What to do: with each workload, and on the cluster."""
