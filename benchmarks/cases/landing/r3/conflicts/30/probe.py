from remote.client import Client
from remote.sync import sync

left = [(503, None), (503, None), (200, {"name": "bolt"})]
seen = []


def transport(path, **options):
    seen.append(options)
    return left.pop(0)


local = {1: {"name": "old"}}
assert sync(Client(transport), local).updated == 1
assert seen == [{"timeout": 20}] * 3, seen
