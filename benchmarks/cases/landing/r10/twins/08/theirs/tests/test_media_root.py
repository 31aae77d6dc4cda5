import json

from gallery import save
from settings import load


def test_media_root_is_used(tmp_path):
    path = tmp_path / "settings.json"
    path.write_text(json.dumps({"media_root": str(tmp_path / "m"), "max_bytes": 10}))
    settings = load(path)
    assert save(settings, "a.jpg", b"123") == tmp_path / "m" / "a.jpg"


def test_old_settings_files_still_work(tmp_path):
    path = tmp_path / "settings.json"
    path.write_text(json.dumps({"upload_dir": str(tmp_path / "old")}))
    assert load(path)["media_root"] == str(tmp_path / "old")


def test_default(tmp_path):
    assert load(tmp_path / "missing.json")["media_root"] == "media"
