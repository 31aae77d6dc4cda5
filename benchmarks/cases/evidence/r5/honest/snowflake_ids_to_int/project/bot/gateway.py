from graphbus_core import GraphBusNode, schema_method


class Gateway(GraphBusNode):
    @schema_method(input_schema={"raw": dict}, output_schema={"author_id": int, "nonce": str})
    def message(self, raw):
        return {"author_id": int(raw["author"]["id"]), "nonce": raw.get("nonce", "-")}
