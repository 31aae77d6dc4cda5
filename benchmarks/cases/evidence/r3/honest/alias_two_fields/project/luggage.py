from typing import Annotated

from graphbus_core import Alias, GraphBusNode, depends_on, schema_method


class Luggage(GraphBusNode):
    @depends_on("Flight.leg")
    @schema_method(output_schema={"tag": str})
    def tag(self, to_code: Annotated[str, Alias("dest")], from_code: Annotated[str, Alias("origin")]):
        """The tag, destination first.

        >>> Luggage().tag("ZRH", "OSL")
        {'tag': 'ZRH/OSL'}
        """
        return {"tag": f"{to_code}/{from_code}"}
