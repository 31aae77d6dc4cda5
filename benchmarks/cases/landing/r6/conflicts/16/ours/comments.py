from html import escape

from render import render

COMMENT = '<p id="c{number}">{text}</p>'


def comment(number, text):
    return render(COMMENT, number=number, text=escape(text))
