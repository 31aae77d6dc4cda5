from html import escape

from pages.html import tag


def heading(user):
    return tag("h1", escape(user["name"]))


def bio(user):
    return tag("p", escape(user["bio"]), cls="bio")
