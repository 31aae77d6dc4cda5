"""A bot."""

from board import move


def name():
    return "bot"
