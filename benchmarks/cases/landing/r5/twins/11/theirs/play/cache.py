import pickle
from pathlib import Path


class DiskCache:
    def __init__(self, folder):
        self.folder = Path(folder)

    def get_or_make(self, key, make):
        file = self.folder / f"{key}.bin"
        if file.exists():
            return pickle.loads(file.read_bytes())
        value = make()
        file.write_bytes(pickle.dumps(value))
        return value
