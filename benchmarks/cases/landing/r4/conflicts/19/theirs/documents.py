"""Handlers of the documents API."""
from access import Forbidden, guard, may_edit

STORE = {}


async def create(user, name, text=""):
    STORE[name] = {"name": name, "owner": user, "text": text}
    return STORE[name]


async def delete(user, name):
    doc = STORE[name]
    if not may_edit(user, doc):
        raise Forbidden(f"{user} may not delete {name}")
    del STORE[name]


async def save(user, name, text):
    doc = STORE[name]
    await guard(user, doc)
    doc["text"] = text
    return doc


async def view(user, name):
    doc = STORE[name]
    return {"text": doc["text"], "editable": may_edit(user, doc)}
