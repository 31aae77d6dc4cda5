"""Decorators."""

CALLS = []


def logged(level):
    def decorate(function):
        def inner(*args):
            CALLS.append((level, function.__name__))
            return function(*args)

        return inner

    return decorate
