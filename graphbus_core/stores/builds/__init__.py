"""What a project's builds left behind."""
