from graphbus_core import GraphBusNode, schema_method

from radio.columns import Columns


class Antenna(GraphBusNode):
    @schema_method(input_schema={"mhz": float}, output_schema={"strength": float, "station": str})
    def listen(self, mhz):
        return {Columns.STATION: "Radio X", Columns.STRENGTH: 0.75}
