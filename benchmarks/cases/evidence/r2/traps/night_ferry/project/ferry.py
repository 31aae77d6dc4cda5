from graphbus_core import GraphBusNode, depends_on, schema_method

OFFSET_H = {"Holyhead": 0, "Turku": 2}


def to_utc(hhmm, port):
    return "%02d%s" % ((int(hhmm[:2]) - OFFSET_H[port]) % 24, hhmm[2:])


class Timetable(GraphBusNode):
    @schema_method(input_schema={"port": str}, output_schema={"port": str, "departs": str})
    def next(self, port):
        """As printed on the board in the port."""
        return {"port": port, "departs": "21:00"}


class RadioLog(GraphBusNode):
    @depends_on("Timetable.next")
    @schema_method(input_schema={"port": str, "utc": str}, output_schema={"entry": str})
    def note(self, port, utc):
        return {"entry": f"{utc}Z departed {port}"}
