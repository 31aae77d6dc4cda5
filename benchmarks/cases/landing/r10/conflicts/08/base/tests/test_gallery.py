import json

import pytest

from gallery import save
from settings import load


def test_file_overrides_defaults(tmp_path):
    path = tmp_path / "settings.json"
    path.write_text(json.dumps({"max_bytes": 3, "upload_dir": str(tmp_path)}))
    settings = load(path)
    assert settings["max_bytes"] == 3
    assert save(settings, "../a.jpg", b"123") == tmp_path / "a.jpg"
    with pytest.raises(ValueError):
        save(settings, "b.jpg", b"1234")
