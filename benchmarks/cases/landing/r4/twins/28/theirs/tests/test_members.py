from members import members_page


def test_members():
    page = members_page([{"name": "Tom & Jo", "mail": "tj@example.org"}])
    assert "<td>Tom &amp; Jo</td>" in page
    assert "tj@example.org" in page
