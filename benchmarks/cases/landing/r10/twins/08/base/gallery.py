"""Uploads of the gallery."""
from pathlib import Path


def save(settings, name, data):
    """Store an uploaded picture and return its path."""
    if len(data) > settings["max_bytes"]:
        raise ValueError(f"{name} is too large")
    folder = Path(settings["upload_dir"])
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / Path(name).name
    path.write_bytes(data)
    return path
