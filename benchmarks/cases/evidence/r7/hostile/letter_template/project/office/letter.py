"""Letters out of letter.txt.

>>> from office.booking import Booking
>>> booking = Booking().confirm(1)
>>> Letter().write(addressee=booking["guest"], room=booking["room"])["text"].splitlines()[0]
'Dear Mr Abt,'
"""
from pathlib import Path

from graphbus_core import GraphBusNode, depends_on, schema_method

TEXT = Path(__file__).with_name("letter.txt").read_text()


class Letter(GraphBusNode):
    @depends_on("Booking.confirm")
    @schema_method(input_schema={"addressee": str, "room": int}, output_schema={"text": str})
    def write(self, addressee, room):
        return {"text": TEXT.format_map(locals())}
