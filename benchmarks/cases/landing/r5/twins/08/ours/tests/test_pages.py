from pages.profile import bio, heading


def test_heading():
    assert heading({"name": "A & B"}) == "<h1>A &amp; B</h1>"


def test_bio():
    assert bio({"bio": "hi"}) == '<p class="bio">hi</p>'
