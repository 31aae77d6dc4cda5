from site_pages import page_path


def test_path():
    assert page_path("A b") == "/a-b"
