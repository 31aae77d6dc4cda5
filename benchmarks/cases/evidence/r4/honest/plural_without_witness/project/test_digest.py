from digest import Digest


def test_join():
    assert Digest().write(headline_list=["a", "b"])["text"] == "a / b"
