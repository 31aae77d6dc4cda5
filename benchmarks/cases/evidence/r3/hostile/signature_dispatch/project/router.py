import inspect

ROUTES = {}


def route(path, handler):
    ROUTES[path] = (handler, list(inspect.signature(handler).parameters))


def call(path, context):
    handler, wants = ROUTES[path]
    return handler(**{want: context[want] for want in wants})
