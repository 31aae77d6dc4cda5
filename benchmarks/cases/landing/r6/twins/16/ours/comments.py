from html import escape

from render import render

OPEN = '<p id="c{number}">'


def comment(number, text):
    return render(OPEN, number=number) + escape(text) + "</p>"
