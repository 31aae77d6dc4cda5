from board import Board


def test_listing():
    board = Board("Mill Lane")
    board.add("10:05", "7", "Port")
    board.add("09:50", "12", "Station")
    assert board.listing().splitlines() == ["Mill Lane", "09:50   12  Station", "10:05    7  Port"]
    assert board.lines() == ["12", "7"]
