from views import View


def test_show():
    assert View().show([1, 2]) == "1, 2"
