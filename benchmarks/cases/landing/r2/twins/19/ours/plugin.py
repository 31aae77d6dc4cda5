"""Plugins."""

from abc import ABC, abstractmethod


class Plugin(ABC):
    @abstractmethod
    def run(self):
        """Do it."""

    def name(self):
        """Its name."""
        return type(self).__name__
