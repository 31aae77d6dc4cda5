"""Decorators."""

CALLS = []


def logged(function):
    def inner(*args):
        CALLS.append(function.__name__)
        return function(*args)

    return inner
