from pages.comments import show


def test_show():
    assert show([{"text": "nice"}, {"text": "+1"}]) == '<p class="comment">nice</p>\n<p class="comment">+1</p>'


def test_no_markup():
    assert "<script>" not in show([{"text": "<script>alert()</script>"}])
