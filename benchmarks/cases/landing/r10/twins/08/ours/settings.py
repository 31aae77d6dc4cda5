"""Settings of the gallery, from a JSON file."""
import json
from pathlib import Path

DEFAULTS = {
    "upload_dir": "uploads",
    "max_bytes": 5_000_000,
}


def load(path):
    """Defaults overridden by what the file says; the file may be missing."""
    settings = dict(DEFAULTS)
    path = Path(path)
    if path.exists():
        settings.update(json.loads(path.read_text(encoding="utf-8")))
    return settings
