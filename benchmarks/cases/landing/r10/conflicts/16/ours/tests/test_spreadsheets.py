from members import Member, export


def test_byte_order_mark(tmp_path):
    export(tmp_path / "out.csv", [Member("J\u00fcrgen", "j@x.org")])
    data = (tmp_path / "out.csv").read_bytes()
    assert data.startswith(b"\xef\xbb\xbfname")
    assert "J\u00fcrgen".encode() in data


def test_folder_is_made(tmp_path):
    export(tmp_path / "2024" / "may" / "out.csv", [Member("Ann", "a@x.org")])
    assert (tmp_path / "2024" / "may" / "out.csv").exists()
