SENT = []


def notify(who, text):
    """Hand a message to the pager."""
    SENT.append((who, text))
