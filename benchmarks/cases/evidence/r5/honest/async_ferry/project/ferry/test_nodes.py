import asyncio

from ferry.nodes import Board, Harbour


async def announce(ship):
    assigned = await Harbour().assign(ship)
    board = Board()
    return await board.announce(gate=assigned["berth"])


def test_announce():
    assert asyncio.run(announce("Stena")) == {"text": "Now boarding at N5"}
