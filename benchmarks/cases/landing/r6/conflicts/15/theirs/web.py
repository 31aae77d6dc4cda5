ROUTES = {}
PUBLIC = {"/"}


def route(path):
    def register(handler):
        ROUTES[path] = handler
        return handler
    return register


def dispatch(path, user=None):
    handler = ROUTES.get(path)
    if handler is None:
        return 404, "not found"
    if path not in PUBLIC and user is None:
        return 401, "log in first"
    return 200, handler(user)
