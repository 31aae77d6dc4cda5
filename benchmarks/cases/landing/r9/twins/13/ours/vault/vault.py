"""Secrets, read from files that the platform mounts."""
from pathlib import Path


class Vault:
    def __init__(self, folder):
        self.folder = Path(folder)

    def read(self, name):
        """The secret; KeyError if there is none of the name."""
        path = self.folder / name
        if not path.is_file():
            raise KeyError(name)
        return path.read_text(encoding="utf-8").strip()
