from timegrid import OPENING, Span


class Room:
    bookings: dict[str, list[Span]] = {}
    step = 30

    def __init__(self, name: str, seats: int) -> None:
        self.name = name
        self.seats = seats

    def taken(self) -> list[Span]:
        return self.bookings.setdefault(self.name, [])

    def reserve(self, span: Span, kind: str) -> Span | None:
        closing = OPENING[kind][1]
        while any(span.overlaps(other) for other in self.taken()):
            span = span.moved(self.step)
        if span.end > closing:
            return None
        self.taken().append(span)
        return span


SEATS = {"blue": 4, "green": 8, "hall": 40}


def smallest_for(people: int) -> Room | None:
    fitting = [Room(name, seats) for name, seats in SEATS.items() if seats >= people]
    return min(fitting, key=lambda room: room.seats, default=None)
