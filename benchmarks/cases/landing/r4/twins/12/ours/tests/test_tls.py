import config


def test_tls():
    assert config.uses_tls(config.load())
