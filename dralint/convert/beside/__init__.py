"""What stands beside the requests of workloads: quotas, queues, scalers, and settings of their pods."""
