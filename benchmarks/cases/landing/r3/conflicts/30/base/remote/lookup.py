"""Look up one item; somebody waits for the answer, one more try is enough."""


def lookup(client, number):
    item = client.call(f"/items/{number}", retries=1)
    return "unknown" if item is None else f"{item['name']} ({item['count']})"
