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


def show(book, user, slug):
    return 200, book.get(slug)


@editors_only
def remove(book, user, slug):
    book.delete(user, slug)
    return 204, None
