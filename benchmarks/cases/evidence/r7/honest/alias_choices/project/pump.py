from events import LevelEvent
from graphbus_core import GraphBusNode, depends_on, schema_method


class Pump(GraphBusNode):
    @depends_on("Tank.level")
    @schema_method(input_schema={"volume": float}, output_schema={"pump": bool})
    def decide(self, volume):
        event = LevelEvent(volume=volume)
        return {"pump": event.volume < 200}
