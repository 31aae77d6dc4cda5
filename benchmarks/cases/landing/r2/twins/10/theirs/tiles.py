"""Tiles."""

from shapes import Box


def name(box: Box):
    return f"{box.a} x {box.b}"


def count(box: Box):
    return box.edge * 4
