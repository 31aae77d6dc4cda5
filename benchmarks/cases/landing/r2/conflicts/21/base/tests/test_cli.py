from cli_app import formats


def test_formats():
    assert "json" in formats()
