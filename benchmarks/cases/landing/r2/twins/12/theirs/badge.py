"""Badges."""

from state import State


def text(state):
    return state.value.upper()


def colour(state):
    return "grey" if state is State.DONE else "green"
