"""The hall: rows A to D, eight seats each."""
import contextvars

ROWS = "ABCD"
SEATS = 8
PRICE = {"A": 48, "B": 42, "C": 36, "D": 22}

seat_map = bytearray(len(ROWS) * SEATS)
performance = contextvars.ContextVar("performance", default="matinee")


def row_view(row, plan=seat_map):
    start = ROWS.index(row) * SEATS
    return memoryview(plan)[start:start + SEATS]
