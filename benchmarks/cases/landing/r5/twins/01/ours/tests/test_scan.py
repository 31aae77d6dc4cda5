from disk.scan import describe, folder_size


def test_folder_size(tmp_path):
    (tmp_path / "a").write_bytes(b"x" * 3000)
    assert folder_size(tmp_path) == 3


def test_describe(tmp_path):
    d = tmp_path / "music"
    d.mkdir()
    (d / "a").write_bytes(b"x" * 1024)
    assert describe(str(d)) == "music: 1,024 bytes"
