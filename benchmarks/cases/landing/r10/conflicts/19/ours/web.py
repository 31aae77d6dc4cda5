"""Requests of the web pages; each returns a status and a text."""
from functools import wraps


def owner_only(page):
    """Lets only the owner of a document, or an admin, see the page."""
    @wraps(page)
    def checked(archive, user, number):
        document = archive.documents.get(number)
        if document is None:
            return 404, "no such document"
        if not document.editable_by(user):
            return 403, f"{user.name} may not change {document.title}"
        return page(archive, user, number)
    return checked


@owner_only
def delete_page(archive, user, number):
    archive.delete(user, number)
    return 200, "deleted"
