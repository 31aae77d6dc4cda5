"""The commands around one build: `build`, `validate`, `inspect`, `undo`."""
