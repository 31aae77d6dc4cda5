import asyncio
import documents


def test_delete():
    asyncio.run(documents.create("ann", "old"))
    asyncio.run(documents.delete("ann", "old"))
    assert "old" not in documents.STORE
