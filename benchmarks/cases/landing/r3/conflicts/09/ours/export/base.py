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

    @abstractmethod
    def check(self, row):
        """Raise ValueError for a row that the format cannot hold."""

    def export(self, rows):
        rows = list(rows)
        for row in rows:
            self.check(row)
        lines = list(self.head())
        lines.extend(self.row(row) for row in rows)
        return "\n".join(lines) + "\n"
