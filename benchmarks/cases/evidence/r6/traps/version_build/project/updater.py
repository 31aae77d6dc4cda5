from graphbus_core import GraphBusNode, depends_on, schema_method


class Updater(GraphBusNode):
    SYSTEM_PROMPT = "I decide about updates."

    def __init__(self, installed=70211):
        super().__init__()
        self.installed = installed
        self.skipped = set()

    def skip(self, build: int):
        self.skipped.add(build)

    @depends_on("Releases.newest")
    @schema_method(input_schema={"build": int}, output_schema={"update": bool})
    def decide(self, build):
        return {"update": build > self.installed and build not in self.skipped}
