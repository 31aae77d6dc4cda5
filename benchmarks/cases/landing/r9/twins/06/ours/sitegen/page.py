from sitegen.text import heading


def render(title, body):
    return heading(title, 1) + "\n" + body
