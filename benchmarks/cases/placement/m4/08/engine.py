from __future__ import annotations

from board import Board

_table: dict[str, int] = {}


def captures(board: Board, white: bool) -> list[str]:
    """A very small idea of captures: pawns only."""
    found = []
    step = 1 if white else -1
    for square, piece in sorted(board.squares.items()):
        if piece != ("P" if white else "p"):
            continue
        f, r = ord(square[0]), int(square[1])
        for df in (-1, 1):
            target = chr(f + df) + str(r + step)
            other = board.squares.get(target)
            if other and other.isupper() != white:
                found.append(square + target)
    return found


def search(placement: str, depth: int, white: bool = True) -> int:
    board = Board(placement)
    return _search(board, depth, white)


def _search(board: Board, depth: int, white: bool) -> int:
    key = board.key() + ("w" if white else "b")
    if key in _table:
        return _table[key]
    best = board.material() if white else -board.material()
    if depth > 0:
        for uci in captures(board, white):
            child = Board.__new__(Board)
            child.squares = dict(board.squares)
            child.move(uci)
            best = max(best, -_search(child, depth - 1, not white))
    _table[key] = best
    return best
