def page(items, number, size=3):
    start = number * size
    return items[start:start + size]


def page_count(items, size=3):
    return (len(items) + size - 1) // size
