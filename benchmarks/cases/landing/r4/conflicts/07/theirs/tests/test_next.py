from board import Board


def test_next():
    board = Board("Mill Lane")
    board.add("09:50", "12", "Station")
    board.add("10:05", "7", "Port")
    assert board.next_after("09:50").line == "7"
    assert board.next_after("22:00") is None
