"""CleanerService: no headline twice, no double spaces."""

from typing import Annotated, NotRequired

from graphbus_core import GraphBusNode, depends_on, schema_method


class CleanerService(GraphBusNode):
    SYSTEM_PROMPT = """
    I clean headlines. What I do not need I pass through unchanged.
    """

    @depends_on("FetcherService.fetch_headlines")
    @schema_method(input_schema={"headlines": list[str]}, output_schema={"items": list[str], "source": NotRequired[Annotated[str, "The publication"]]})
    def clean(self, headlines):
        items = list(dict.fromkeys(" ".join(line.split()) for line in headlines))
        return {"items": items}
