"""Where negotiations live: in memory, in a JSONL file, in a directory of Markdown."""
