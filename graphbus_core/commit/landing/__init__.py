"""Finished branches onto a branch: merged by structure, proved against each parent, or left alone."""
