from members import members_page


def test_link():
    page = members_page([{"name": "Jo", "mail": "jo@example.org"}])
    assert '<a href="mailto:jo@example.org">jo@example.org</a>' in page
