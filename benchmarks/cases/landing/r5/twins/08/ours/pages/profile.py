from pages.html import text_tag


def heading(user):
    return text_tag("h1", user["name"])


def bio(user):
    return text_tag("p", user["bio"], cls="bio")
