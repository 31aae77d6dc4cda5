from mail import body


def test_body():
    assert body([2, 3]) == "You owe 5"
