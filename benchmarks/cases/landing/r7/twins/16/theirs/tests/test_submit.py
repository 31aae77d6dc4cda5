from board.notices import Board


def test_white_space_is_tidied():
    b = Board()
    b.submit(" Hi ", "   come\n   at noon\n")
    assert b.notices[0].title == "Hi"
    assert b.notices[0].body == "come\nat noon"
