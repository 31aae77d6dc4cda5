"""Badges."""

from state import State


def text(state):
    return state.value.upper()
