from graphbus_core import GraphBusNode, depends_on, schema_method


class Badge(GraphBusNode):
    @depends_on("Search.page")
    @schema_method(input_schema={"total": int}, output_schema={"text": str})
    def show(self, total):
        return {"text": f"{total} found"}


def all_pages(search, word):
    total, page, more = 0, 0, True
    while more:
        got = search.page(word, page)
        total += got["count"]
        page, more = page + 1, got["more"]
    return Badge().show(total=total)["text"]
