"""Backup jobs, one a line: source -> target"""
import os


class Job:
    def __init__(self, source, target):
        self.source = source
        self.target = target

    @classmethod
    def parse(cls, line, root="/"):
        source, arrow, target = (part.strip() for part in line.partition("->"))
        if not arrow or not target:
            raise ValueError(f"not a job: {line!r}")
        return cls(source, os.path.join(root, target))

    def __repr__(self):
        return f"Job({self.source!r}, {str(self.target)!r})"
