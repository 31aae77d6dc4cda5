"""What an exporter is."""
from abc import ABC, abstractmethod

REGISTRY = {}


def exporter(name):
    def register(cls):
        REGISTRY[name] = cls
        return cls
    return register


class Exporter(ABC):
    def __init__(self, columns):
        self.columns = list(columns)

    @abstractmethod
    def head(self):
        """The lines before the rows."""

    @abstractmethod
    def row(self, row):
        """The line of one row."""

    def export(self, rows):
        lines = list(self.head())
        lines.extend(self.row(row) for row in rows)
        return "\n".join(lines) + "\n"
