"""FormatterService: the digest that people read."""

from typing import NotRequired

from graphbus_core import GraphBusNode, depends_on, schema_method


class FormatterService(GraphBusNode):
    SYSTEM_PROMPT = """
    I format a digest of headlines. I want to say where each comes from.
    """

    @depends_on("CleanerService.clean")
    @schema_method(input_schema={"items": list[str], "source": NotRequired[str]}, output_schema={"digest": str})
    def format_digest(self, items, source=None):
        lines = [self.header(items), *(f"- {item}" for item in items), self.footer()]
        return {"digest": "\n".join(lines)}

    def header(self, items):
        words = sum(len(item.split()) for item in items)
        minutes = max(1, round(words / 200))
        return f"{len(items)} headlines, {minutes} min"

    def footer(self):
        return "(end; cleaned before it was formatted)"
