"""Build mode: source in, proven contracts and artifacts out."""
