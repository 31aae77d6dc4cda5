from tickets.refs import link


def test_link_to_comment():
    assert link("see AB-12#c3.") == "see [AB-12#c3](https://bugs.example/AB-12#c3)."


def test_link():
    assert link("see AB-12") == "see [AB-12](https://bugs.example/AB-12)"
