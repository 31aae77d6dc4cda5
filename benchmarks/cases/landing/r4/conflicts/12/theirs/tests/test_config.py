import config


def test_relay():
    assert config.relay(config.load()) == ("relay.example.org", 2525)
