"""Markdown and prose: headings, coverage, pairing."""
