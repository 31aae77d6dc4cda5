from collections.abc import Iterator

from graphbus_core import GraphBusNode, schema_method


def frames() -> Iterator[bytes]:
    yield bytes([0xFF, 0xE7, 0xFF, 0xD8])
    yield bytes([0x00, 0xD2, 0x00, 0x64])


class Station(GraphBusNode):
    """Weather station with a two channel frame, tenths of a degree, big endian."""

    def __init__(self, source=frames):
        super().__init__()
        self.source = source()

    @schema_method(input_schema={}, output_schema={"temp_c": float, "dew_c": float})
    def sample(self):
        frame = next(self.source)
        channels = [int.from_bytes(frame[i:i + 2], "big", signed=True) / 10 for i in (0, 2)]
        return {"temp_c": channels[0], "dew_c": channels[1]}
