from contextlib import contextmanager
from threading import Lock

from graphbus_core import GraphBusNode, schema_method


class Booking(GraphBusNode):
    """Rooms by the hour; one lock for all of them is enough."""

    def __init__(self, desk="front desk"):
        super().__init__()
        self.desk = desk
        self.taken = set()
        self.lock = Lock()

    @contextmanager
    def slot(self, room, hour):
        with self.lock:
            if (room, hour) in self.taken:
                raise ValueError(f"{room} is taken at {hour}")
            self.taken.add((room, hour))
            yield

    @schema_method(
        input_schema={"room": str, "hour": int, "guest": str},
        output_schema={"room": str, "hour": int, "guest_name": str, "booked_by": str},
    )
    def reserve(self, room, hour, guest):
        with self.slot(room, hour):
            done = {"room": room, "hour": hour, "guest_name": guest, "booked_by": self.desk}
        self.publish("/Booking/Reserved", done)
        return done
