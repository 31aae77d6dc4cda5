from append_log import append_log


def test_appends_without_header(tmp_path):
    f = tmp_path / "log.csv"
    append_log(f, [{"a": 1}])
    append_log(f, [{"a": 2}])
    assert f.read_text() == "1\n2\n"
