ROUTES = {}


def route(path, public=False):
    def keep(func):
        ROUTES[path] = (func, public)
        return func
    return keep


def dispatch(path, body=None, user=None):
    if path not in ROUTES:
        return 404, "not found"
    func, public = ROUTES[path]
    if not public and user is None:
        return 401, "sign in"
    return 200, func(body)
