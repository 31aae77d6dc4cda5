import asyncio
import pytest
import documents
from access import Forbidden


def test_save_and_view():
    asyncio.run(documents.create("ann", "plan"))
    asyncio.run(documents.save("ann", "plan", "x"))
    assert asyncio.run(documents.view("bob", "plan")) == {"text": "x", "editable": False}
    with pytest.raises(Forbidden):
        asyncio.run(documents.save("bob", "plan", "y"))
