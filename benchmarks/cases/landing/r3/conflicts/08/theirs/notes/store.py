"""Notes as JSON files in one folder."""
import json
import pathlib


class StoreError(Exception):
    """Something is wrong with the folder of notes."""


class NotFound(StoreError):
    """There is no note of that name."""


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
        path = self._path(name)
        try:
            text = path.read_text()
        except FileNotFoundError:
            raise NotFound(name) from None
        return json.loads(text)

    def names(self):
        return sorted(path.stem for path in self.folder.glob("*.json"))
