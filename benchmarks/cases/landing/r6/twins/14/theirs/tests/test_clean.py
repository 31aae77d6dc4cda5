from form import clean


def test_clean():
    assert clean("  A@B.c") == "a@b.c"
