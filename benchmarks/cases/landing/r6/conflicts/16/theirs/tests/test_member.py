from member import member


def test_name_is_safe():
    assert member("<b>") == "<h1>&lt;b&gt;</h1>"
