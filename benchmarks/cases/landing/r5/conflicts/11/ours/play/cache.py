import json
from pathlib import Path


class DiskCache:
    def __init__(self, folder):
        self.folder = Path(folder)

    def get_or_make(self, key, make):
        file = self.folder / f"{key}.json"
        if file.exists():
            return json.loads(file.read_text("utf-8"))
        value = make()
        file.write_text(json.dumps(value), "utf-8")
        return value
