from board import Board


def banner(word):
    b = Board(len(word), 1)
    for i, ch in enumerate(word):
        b.put(i, 0, ch)
    return ''.join(b.cells[0])
