from graphbus_core import GraphBusNode, depends_on, schema_method


class Scan(GraphBusNode):
    @schema_method(input_schema={"room": int}, output_schema={"image": str})
    def image(self, room):
        return {"image": f"img-{room}.dcm"}


class Archive(GraphBusNode):
    def __init__(self):
        self.files = {}

    @depends_on("Scan.image")
    @schema_method(input_schema={"image": str, "patient": str}, output_schema={"path": str})
    def store(self, image, patient):
        path = f"/archive/{patient}/{image}"
        self.files[path] = True
        return {"path": path}
