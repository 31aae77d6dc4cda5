"""FetcherService: hands on the headlines of the day."""

from typing import Annotated, NotRequired

from graphbus_core import GraphBusNode, schema_method

HEADLINES = ("Harbour bridge opens", "Harbour  bridge opens", "Rain expected on Friday")


class FetcherService(GraphBusNode):
    SYSTEM_PROMPT = """
    I fetch headlines and hand them on as they are.
    I propose what those after me need; I reject what breaks my callers.
    """

    @schema_method(input_schema={}, output_schema={"headlines": list[str], "source": NotRequired[Annotated[str, "Publication name (e.g. 'Reuters', 'TechCrunch')"]]})
    def fetch_headlines(self):
        return {"headlines": list(HEADLINES)}
