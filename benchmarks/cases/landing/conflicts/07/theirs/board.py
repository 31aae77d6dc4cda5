class Board:
    def __init__(self, width, height):
        self.cells = [['.'] * width for _ in range(height)]

    def put(self, x, y, mark):
        self.cells[y][x] = mark
