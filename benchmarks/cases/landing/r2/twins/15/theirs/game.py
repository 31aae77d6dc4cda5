"""A game."""

from board import move


def start():
    return move(1, 2)
