"""One hot encoding of a column.

>>> from settings import Settings
>>> dense = Settings("[encoder]\\nsparse_output = false").encoder()
>>> OneHot(["x", "y"]).transform(sparse=dense["sparse_output"])
{'rows': [[1, 0], [0, 1]]}
"""
from graphbus_core import GraphBusNode, depends_on, schema_method


class OneHot(GraphBusNode):
    def __init__(self, column=("red", "blue", "red")):
        super().__init__()
        self.column = list(column)
        self.words = list(dict.fromkeys(self.column))

    @depends_on("Settings.encoder")
    @schema_method(input_schema={"sparse": bool}, output_schema={"rows": list})
    def transform(self, sparse):
        places = [self.words.index(word) for word in self.column]
        if sparse:
            return {"rows": [{place: 1} for place in places]}
        return {"rows": [[int(i == place) for i in range(len(self.words))] for place in places]}
