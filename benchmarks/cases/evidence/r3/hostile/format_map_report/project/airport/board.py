from graphbus_core import GraphBusNode, schema_method, subscribe

FORMATS = {
    "en": "{temp:.0f} degrees, wind {wind}",
    "de": "{temp:.0f} Grad, Wind {wind}",
}


class Board(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.lines = []

    @subscribe("/Weather/**")
    @schema_method(input_schema={"temp": float, "wind": str})
    def show(self, payload):
        self.lines = [form.format(**payload) for form in FORMATS.values()]
