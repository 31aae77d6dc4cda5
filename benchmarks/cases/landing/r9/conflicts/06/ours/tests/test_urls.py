from sitegen.urls import page_url


def test_page_url():
    assert page_url("Our Team", "About") == "/about/our-team/"
    assert page_url("Café") == "/cafe/"
