from graphbus_core import GraphBusNode, schema_method, subscribe


class Counter(GraphBusNode):
    @schema_method(input_schema={"weight": int}, output_schema={"stamp": str, "tracking_no": str})
    def accept(self, weight):
        result = {"stamp": "B" if weight > 50 else "A", "tracking_no": f"XX{weight:05d}"}
        self.publish("/parcel/accepted", result)
        return result


class Postbag(GraphBusNode):
    @subscribe("/parcel/accepted")
    @schema_method(input_schema={"barcode": str}, output_schema={"label": str})
    def on_parcel(self, event):
        match event:
            case {"barcode": str(code)} if code.startswith("XX"):
                return {"label": "abroad " + code[2:]}
            case _:
                return {"label": "unknown"}
