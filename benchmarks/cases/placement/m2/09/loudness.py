import array
import io
import math
import wave

from graphbus_core import GraphBusNode, subscribe


class LoudnessMeter(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.sink = io.BytesIO()

    @subscribe("/Music/Clip/Rendered")
    def measure(self, notes: list, rate: int) -> dict:
        self.sink.seek(0)
        self.sink.truncate()
        samples = array.array("h", (int(12000 * math.sin(2 * math.pi * f * n / rate))
                                    for f, ms in notes for n in range(rate * ms // 1000)))
        with wave.open(self.sink, "wb") as w:
            w.setnchannels(1)
            w.setsampwidth(2)
            w.setframerate(rate)
            w.writeframes(samples.tobytes())
        self.sink.seek(0)
        with wave.open(self.sink) as r:
            frames = array.array("h", r.readframes(r.getnframes()))
        rms = math.sqrt(sum(s * s for s in frames) / len(frames)) if frames else 0.0
        return {"dbfs": round(20 * math.log10(rms / 32768), 2) if rms else -120.0, "frames": len(frames),
                "bytes": len(self.sink.getvalue())}
