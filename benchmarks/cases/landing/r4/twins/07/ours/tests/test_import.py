from board import Board


def test_a_whole_day():
    board = Board("Depot")
    for hour in range(23, -1, -1):
        board.add(f"{hour:02}:00", "1", "Town")
    assert len(board) == 24
    assert board.listing().splitlines()[1].startswith("00:00")
