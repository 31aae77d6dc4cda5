def test_board(ordered):
    assert ordered.board == ["#101 falafel"]


def test_empty(kitchen):
    assert kitchen.board == []
