from pager import page, page_count


def view(items, query):
    """query: the parsed query string, like {"page": "2"}; the first page is 1."""
    number = int(query.get("page", "1"))
    return {
        "items": page(items, number - 1),
        "page": number,
        "pages": page_count(items),
    }
