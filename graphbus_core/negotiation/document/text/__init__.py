"""Markdown and prose: headings, statements, what contradicts."""
