def page(items, number, size=3):
    start = max(number, 0) * size
    return items[start:start + size]


def page_count(items, size=3):
    return (len(items) + size - 1) // size
