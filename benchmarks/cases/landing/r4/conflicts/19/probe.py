import asyncio
import documents
from access import Forbidden

asyncio.run(documents.create("ann", "plan"))
try:
    asyncio.run(documents.delete("bob", "plan"))
except Forbidden:
    pass
assert "plan" in documents.STORE
