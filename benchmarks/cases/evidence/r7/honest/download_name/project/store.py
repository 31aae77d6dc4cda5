from graphbus_core import GraphBusNode, schema_method


class Store(GraphBusNode):
    def __init__(self, files=None):
        super().__init__()
        self.files = files if files is not None else {"q1": "Report Q1.pdf"}

    @schema_method(input_schema={"key": str}, output_schema={"download_name": str, "path": str})
    def fetch(self, key):
        return {"download_name": self.files[key], "path": f"blobs/{key}.bin"}
