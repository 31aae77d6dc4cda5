"""Markdown and prose: headings, statements, checkable facts."""
