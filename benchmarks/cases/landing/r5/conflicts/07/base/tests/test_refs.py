from tickets.refs import link


def test_link():
    assert link("see AB-12") == "see [AB-12](https://bugs.example/AB-12)"
