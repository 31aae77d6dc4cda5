"""Reads the heads of pictures."""
import struct
from io import BytesIO

from graphbus_core import GraphBusNode, schema_method

CARD = {
    "IMG_1.JPG": struct.pack(">4sHHB", b"PIC1", 4000, 3000, 1),
    "IMG_2.JPG": struct.pack(">4sHHB", b"PIC1", 4000, 3000, 6),
}


class Decoder(GraphBusNode):
    HEAD = struct.Struct(">4sHHB")

    @schema_method(
        input_schema={"name": str},
        output_schema={"name": str, "columns": int, "rows": int, "orientation": int},
    )
    def inspect(self, name):
        stream = BytesIO(CARD[name])
        magic, columns, rows, orientation = self.HEAD.unpack(stream.read(self.HEAD.size))
        if magic != b"PIC1":
            raise ValueError(f"{name}: {magic!r}")
        return {"name": name, "columns": columns, "rows": rows, "orientation": orientation}
