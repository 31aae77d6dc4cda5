"""Notes as JSON files in one folder."""
import json
import pathlib


class StoreError(Exception):
    """Something is wrong with the folder of notes."""


class Store:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)

    def _path(self, name):
        if not name or "/" in name or name.startswith("."):
            raise StoreError(f"bad name: {name!r}")
        return self.folder / f"{name}.json"

    def save(self, name, note):
        self._path(name).write_text(json.dumps(note, sort_keys=True))

    def load(self, name):
        return json.loads(self._path(name).read_text())

    def names(self):
        return sorted(path.stem for path in self.folder.glob("*.json"))

    def remove(self, name):
        self._path(name).unlink(missing_ok=True)
