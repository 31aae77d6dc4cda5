class Link:
    def __init__(self):
        self.deadline = None


def fetch(link, timeout=30):
    """timeout in seconds"""
    link.deadline = timeout
    return link
