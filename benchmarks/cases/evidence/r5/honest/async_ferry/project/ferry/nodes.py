from graphbus_core import GraphBusNode, depends_on, schema_method


class Harbour(GraphBusNode):
    @schema_method(input_schema={"ship": str}, output_schema={"pilot": str, "berth": str})
    async def assign(self, ship):
        return {"pilot": "Ove", "berth": "N" + str(len(ship))}


class Board(GraphBusNode):
    @depends_on("Harbour.assign")
    @schema_method(input_schema={"gate": str}, output_schema={"text": str})
    async def announce(self, gate):
        return {"text": f"Now boarding at {gate}"}
