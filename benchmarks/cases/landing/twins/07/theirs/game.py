from board import Board


def opening():
    b = Board(3, 3)
    b.put(1, 1, 'X')
    return b
