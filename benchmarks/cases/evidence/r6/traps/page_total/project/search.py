import re
from itertools import islice

from graphbus_core import GraphBusNode, schema_method

PAGES = {
    1: "a bus stop",
    2: "a tram line and a stop",
    3: "ferries",
    4: "a night bus",
    5: "a funicular",
}


class SearchIndex(GraphBusNode):
    size = 2

    def __init__(self):
        super().__init__()
        self.index = {}
        for number, text in PAGES.items():
            for word in set(re.findall(r"\w+", text)):
                self.index.setdefault(word, []).append(number)

    @schema_method(
        input_schema={"word": str, "page": int},
        output_schema={"hits": list, "count": int, "page": int},
    )
    def query(self, word, page=1):
        begin = (page - 1) * self.size
        hits = list(islice(self.index.get(word, []), begin, begin + self.size))
        return {"hits": hits, "count": len(hits), "page": page}
