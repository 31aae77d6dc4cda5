"""Secrets, read from files that the platform mounts."""
from pathlib import Path


class SecretMissing(KeyError):
    """Says where the secret was looked for, unlike a bare KeyError."""

    def __init__(self, name, folder):
        super().__init__("no secret %r in %s" % (name, folder))
        self.name = name


class Vault:
    def __init__(self, folder):
        self.folder = Path(folder)

    def read(self, name):
        """The secret; SecretMissing if there is none of the name."""
        path = self.folder / name
        if not path.is_file():
            raise SecretMissing(name, self.folder.name)
        return path.read_text(encoding="utf-8").strip()
