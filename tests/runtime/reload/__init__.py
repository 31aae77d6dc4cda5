"""A build changed under a running program."""
