"""A team at one repository: its log, its working trees, what they change and rely on, landings and syncs."""
