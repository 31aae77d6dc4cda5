"""Plugins."""

from abc import ABC, abstractmethod


class Plugin(ABC):
    @abstractmethod
    def run(self):
        """Do it."""
