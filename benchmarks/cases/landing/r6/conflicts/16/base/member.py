from html import escape

from render import render

PROFILE = "<h1>{name}</h1>"


def member(name):
    return render(PROFILE, name=escape(name))
