import asyncio
from access import may_edit


def test_groups():
    assert asyncio.run(may_edit("kim", {"owner": "ann"}))
    assert not asyncio.run(may_edit("bob", {"owner": "ann"}))
