"""The command line: argument parsing and rendering, no logic."""
