"""Settings of the gallery, from a JSON file."""
import json
from pathlib import Path

DEFAULTS = {
    "media_root": "media",
    "max_bytes": 5_000_000,
}
# names in older settings files, and for older readers
RENAMED = {"upload_dir": "media_root"}


def load(path):
    """Defaults overridden by what the file says; the file may be missing."""
    settings = dict(DEFAULTS)
    path = Path(path)
    if path.exists():
        given = json.loads(path.read_text(encoding="utf-8"))
        for old, new in RENAMED.items():
            if old in given:
                given.setdefault(new, given.pop(old))
        settings.update(given)
    for old, new in RENAMED.items():
        settings[old] = settings[new]
    return settings
