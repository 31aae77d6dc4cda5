from board import Board


def banner(word):
    b = Board(len(word), 1)
    for i, ch in enumerate(word):
        b.put(x=i, y=0, mark=ch)
    return ''.join(b.cells[0])
