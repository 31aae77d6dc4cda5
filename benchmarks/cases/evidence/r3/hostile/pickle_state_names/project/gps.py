from graphbus_core import GraphBusNode, publishes, schema_method


class Gps(GraphBusNode):
    @publishes("/Gps/Fix", {"speed": int, "sats": int})
    @schema_method(input_schema={"nmea": str}, output_schema={"speed": int, "sats": int})
    def fix(self, nmea):
        speed, sats = nmea.split("*")
        return {"speed": int(speed), "sats": int(sats)}
