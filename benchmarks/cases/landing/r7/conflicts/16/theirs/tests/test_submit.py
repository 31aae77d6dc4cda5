from board.notices import Board


def test_script_is_defused():
    b = Board()
    b.submit("Hi", "<script>")
    assert b.notices[0].body == "&lt;script&gt;"
