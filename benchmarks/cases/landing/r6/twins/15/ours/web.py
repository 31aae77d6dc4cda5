ROUTES = {}
PUBLIC = {"/"}


def route(path):
    def register(handler):
        ROUTES[path] = handler
        return handler
    return register


class Denied(Exception):
    def __init__(self, status, text):
        self.status, self.text = status, text


def login_required(handler):
    def guarded(user):
        if user is None:
            raise Denied(401, "log in first")
        return handler(user)
    return guarded


def dispatch(path, user=None):
    handler = ROUTES.get(path)
    if handler is None:
        return 404, "not found"
    if path not in PUBLIC and user is None:
        return 401, "log in first"
    try:
        return 200, handler(user)
    except Denied as denied:
        return denied.status, denied.text
