import wave
from io import BytesIO

from graphbus_core import GraphBusNode, schema_method


class Recorder(GraphBusNode):
    def __init__(self, channels=2, rate=8000):
        super().__init__()
        self.buffer = BytesIO()
        self.file = wave.open(self.buffer, "wb")
        self.file.setnchannels(channels)
        self.file.setsampwidth(2)
        self.file.setframerate(rate)

    def feed(self, block: bytes):
        self.file.writeframes(block)

    @schema_method(input_schema={}, output_schema={"frames": int, "rate": int})
    def stop(self):
        self.file.close()
        self.buffer.seek(0)
        with wave.open(self.buffer) as take:
            return {"frames": take.getnframes(), "rate": take.getframerate()}
