"""Takes over the bookings of the old calendar: room,day,from,to lines."""
import csv


class BadLine(ValueError):
    pass


def read(lines):
    for number, row in enumerate(csv.reader(lines), 1):
        try:
            room, day, start, end = (cell.strip() for cell in row)
            yield room, day, int(end) - int(start)
        except ValueError as error:
            raise BadLine(f"line {number}: {error}") from None


def take_over(connection, lines):
    """Insert what does not clash; return (taken, clashing)."""
    rows = list(read(lines))
    with connection:
        before = connection.total_changes
        connection.executemany("INSERT OR IGNORE INTO booking (room, day, hours) VALUES (?, ?, ?)", rows)
        taken = connection.total_changes - before
    return taken, len(rows) - taken
