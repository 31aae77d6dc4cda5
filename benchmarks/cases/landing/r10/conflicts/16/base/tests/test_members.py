from members import Member, export


def test_export_is_sorted(tmp_path):
    path = tmp_path / "out.csv"
    export(path, [Member("Eve", "e@x.org"), Member("Ann", "a@x.org", "K\u00f6ln")])
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[0].endswith("name,email,city")
    assert lines[1:] == ["Ann,a@x.org,K\u00f6ln", "Eve,e@x.org,"]
