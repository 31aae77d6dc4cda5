from turtle2 import Pen


def corner(n):
    pen = Pen()
    pen.forward(n)
    pen.forward(n)
    return pen.x, pen.y
