from __future__ import annotations

FILES = "abcdefgh"
VALUES = {"p": 1, "n": 3, "b": 3, "r": 5, "q": 9, "k": 0}
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"


class BadFen(ValueError):
    pass


class Board:
    squares: dict[str, str] = {}

    def __init__(self, placement: str = START) -> None:
        self.squares = {}
        ranks = placement.split("/")
        if len(ranks) != 8:
            raise BadFen("need 8 ranks")
        for rank, row in zip("87654321", ranks):
            col = 0
            for ch in row:
                if ch.isdigit():
                    col += int(ch)
                elif ch.lower() in VALUES:
                    self.squares[FILES[col] + rank] = ch
                    col += 1
                else:
                    raise BadFen(f"what is {ch}?")
            if col != 8:
                raise BadFen(f"rank {rank} has {col} files")

    def move(self, uci: str) -> str | None:
        a, b = uci[:2], uci[2:4]
        taken = self.squares.pop(b, None)
        self.squares[b] = self.squares.pop(a)
        return taken

    def material(self) -> int:
        return sum(VALUES[p.lower()] * (1 if p.isupper() else -1) for p in self.squares.values())

    def key(self) -> str:
        return "".join(s + p for s, p in sorted(self.squares.items()))
