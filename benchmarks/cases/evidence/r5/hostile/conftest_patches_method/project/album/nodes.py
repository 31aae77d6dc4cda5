from graphbus_core import GraphBusNode, depends_on, schema_method


class Camera(GraphBusNode):
    @schema_method(input_schema={"n": int}, output_schema={"picture": str})
    def snap(self, n):
        return {"picture": f"img{n}.png"}


class Album(GraphBusNode):
    @depends_on("Camera.snap")
    @schema_method(input_schema={"image": str}, output_schema={"page": str})
    def add(self, image):
        return {"page": f"[{image}]"}


def shoot(n):
    taken = Camera().snap(n)
    return Album().add(image=taken["picture"])["page"]
