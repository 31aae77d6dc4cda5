import functools

LINES = []


def audited(what):
    def wrap(method):
        @functools.wraps(method)
        def inner(self, *args, **given):
            LINES.append(f"{method.__name__} {what}={given.get(what)}")
            return method(self, *args, **given)

        return inner

    return wrap
