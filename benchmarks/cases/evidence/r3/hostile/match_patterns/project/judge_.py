from graphbus_core import GraphBusNode, schema_method, subscribe


class Judge(GraphBusNode):
    last = ""

    @subscribe("/Move")
    @schema_method(input_schema={"piece": str, "to": str})
    def on_move(self, payload):
        match payload:
            case {"piece": "K", "to": "g1" | "g8"}:
                self.last = "castles"
            case {"piece": piece, "to": to}:
                self.last = f"{piece} to {to}"
            case _:
                self.last = "pass"
