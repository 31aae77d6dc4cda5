"""Mail."""


def send(to, text, channel):
    return f"[{channel}] {to}: {text}"
