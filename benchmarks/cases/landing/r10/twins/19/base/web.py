"""Requests of the web pages; each returns a status and a text."""
from documents import Forbidden


def delete_page(archive, user, number):
    try:
        archive.delete(user, number)
    except KeyError:
        return 404, "no such document"
    except Forbidden as e:
        return 403, str(e)
    return 200, "deleted"
