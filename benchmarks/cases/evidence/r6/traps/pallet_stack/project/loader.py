from graphbus_core import GraphBusNode, depends_on, schema_method


class Loader(GraphBusNode):
    inner_height_mm = 2600

    def __init__(self):
        super().__init__()
        self.floor = []

    @depends_on("Packer.build")
    @schema_method(
        input_schema={"height_mm": int, "stack_limit": int},
        output_schema={"on_top": int},
    )
    def stow(self, height_mm, stack_limit):
        fits = self.inner_height_mm // height_mm - 1
        on_top = max(0, min(fits, stack_limit))
        self.floor.append((height_mm, on_top))
        return {"on_top": on_top}
