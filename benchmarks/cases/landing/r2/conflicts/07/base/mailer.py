"""Mail."""


def send(to, text):
    return f"{to}: {text}"
