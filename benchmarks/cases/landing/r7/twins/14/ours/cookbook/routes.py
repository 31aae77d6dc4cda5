from functools import wraps

from cookbook.service import Forbidden


def editors_only(view):
    @wraps(view)
    def guarded(book, user, *args):
        if not user.is_editor:
            raise Forbidden(user.name)
        return view(book, user, *args)
    return guarded


@editors_only
def publish(book, user, slug):
    book.get(slug)["public"] = True
    return 200, None


@editors_only
def merge(book, user, keep, drop):
    """Two recipes are the same: keep one, with the other's steps if it has none."""
    kept, dropped = book.get(keep), book.get(drop)
    if not kept["steps"]:
        kept["steps"] = list(dropped["steps"])
    book.delete(user, drop)
    return 200, kept


def show(book, user, slug):
    return 200, book.get(slug)


def remove(book, user, slug):
    book.delete(user, slug)
    return 204, None
