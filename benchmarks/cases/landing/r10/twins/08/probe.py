import json
import tempfile
from pathlib import Path

from gallery import save
from settings import load
from thumbs import build

with tempfile.TemporaryDirectory() as folder:
    for key in ("media_root", "upload_dir"):
        path = Path(folder) / f"{key}.json"
        path.write_text(json.dumps({key: str(Path(folder) / key)}))
        settings = load(path)
        save(settings, "cat.jpg", b"meow" * 10)
        made = build(settings)
        assert made == ["cat.jpg"], (key, made)
