"""Who may do what with a document."""


class Forbidden(Exception):
    pass


def may_edit(user, doc):
    return user == doc["owner"] or user in doc.get("editors", ())


async def guard(user, doc):
    if not may_edit(user, doc):
        raise Forbidden(f"{user} may not edit {doc['name']}")
