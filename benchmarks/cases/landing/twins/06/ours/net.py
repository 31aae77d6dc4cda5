class Link:
    def __init__(self):
        self.deadline = None


def fetch(link, timeout=30_000):
    """timeout in milliseconds"""
    link.deadline = timeout / 1000
    return link
