from remote.client import Client
from remote.sync import Changes, sync

REMOTE = {"/items/1": (200, {"name": "bolt"}), "/items/2": (404, None), "/items/3": (200, {"name": "nut"})}


def test_sync():
    local = {1: {"name": "bold"}, 2: {"name": "old"}, 3: {"name": "nut"}}
    assert sync(Client(lambda path, **options: REMOTE[path]), local) == Changes(updated=1, removed=1)
    assert local == {1: {"name": "bolt"}, 3: {"name": "nut"}}
