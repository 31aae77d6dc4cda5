"""FormatterService: the digest that people read."""

from graphbus_core import GraphBusNode, depends_on, schema_method


class FormatterService(GraphBusNode):
    SYSTEM_PROMPT = """
    I format a digest of headlines. I want to say where each comes from.
    """

    @depends_on("CleanerService.clean")
    @schema_method(input_schema={"items": list[str]}, output_schema={"digest": str})
    def format_digest(self, items):
        lines = [self.header(items), *(f"- {item}" for item in items), self.footer()]
        return {"digest": "\n".join(lines)}

    def header(self, items):
        return f"{len(items)} headlines"

    def footer(self):
        return "(end)"
