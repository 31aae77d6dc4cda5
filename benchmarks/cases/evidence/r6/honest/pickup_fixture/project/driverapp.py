from graphbus_core import GraphBusNode, depends_on, schema_method


class DriverApp(GraphBusNode):
    """A town of squares: letters go east, numbers go south."""

    def __init__(self, place="A1"):
        super().__init__()
        self.place = place

    @depends_on("Dispatch.assign")
    @schema_method(input_schema={"destination": str}, output_schema={"turns": list})
    def navigate(self, destination):
        east = ord(destination[0]) - ord(self.place[0])
        south = int(destination[1:]) - int(self.place[1:])
        turns = ["south" if south > 0 else "north"] * abs(south)
        turns += ["east" if east > 0 else "west"] * abs(east)
        self.place = destination
        return {"turns": turns}
