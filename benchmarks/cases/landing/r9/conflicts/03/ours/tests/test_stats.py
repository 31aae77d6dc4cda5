from logtools.stats import error_share


def test_quiet_log(tmp_path):
    log = tmp_path / "quiet.log"
    log.write_text("info up\ninfo still up\n")
    assert error_share(log) == 0.0


def test_broken_log(tmp_path):
    log = tmp_path / "broken.log"
    log.write_text("error gone\n")
    assert error_share(log) == 1.0


def test_empty_log(tmp_path):
    log = tmp_path / "empty.log"
    log.write_text("")
    assert error_share(log) == 0.0
