"""Read as text: files, modules, names, node classes."""
