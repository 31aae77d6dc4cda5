from pages.html import tag


def heading(user):
    return tag("h1", user["name"])


def bio(user):
    return tag("p", user["bio"], cls="bio")
