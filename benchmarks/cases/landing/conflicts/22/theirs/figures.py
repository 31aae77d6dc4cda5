from turtle2 import Pen


def corner(n):
    pen = Pen()
    pen.forward(n)
    pen.turn(90)
    pen.forward(n)
    return pen.x, pen.y
