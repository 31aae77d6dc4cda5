"""Numbers for the tickets on the rail."""


def _numbers(start=1, stop=99):
    n = start
    while True:
        yield n
        n = start if n == stop else n + 1


_tickets = _numbers()


def ticket():
    return f"#{next(_tickets):02d}"


def course_numbers(dishes):
    numbers = _numbers()
    return {dish: next(numbers) for dish in dishes}
