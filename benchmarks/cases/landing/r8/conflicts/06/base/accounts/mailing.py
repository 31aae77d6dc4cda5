"""News for the users."""


class NewsMailer(object):
    """Sends the news to everybody who can still log in."""

    def __init__(self, directory, send):
        self._directory = directory
        self._send = send

    def send_news(self, text):
        """Send the text and return the number of receivers."""
        receivers = self._directory.find(include_disabled=False)
        for account in receivers:
            self._send(account.email, text)
        return len(receivers)
