"""Calls between our own services."""


class Client:
    def __init__(self, settings, send):
        self.base = f"http://{settings['host']}:{settings['port']}"
        self.timeout = settings["timeout"]
        self.send = send

    def get(self, path):
        status, body = self.send(self.base + path, self.timeout)
        if status >= 500:
            raise ConnectionError(f"{status} from {path}")
        return body
