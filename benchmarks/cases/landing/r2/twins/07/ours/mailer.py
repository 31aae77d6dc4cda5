"""Mail."""


def send(to, text, channel="mail"):
    prefix = f"[{channel}] " if channel != "mail" else ""
    return f"{prefix}{to}: {text}"
