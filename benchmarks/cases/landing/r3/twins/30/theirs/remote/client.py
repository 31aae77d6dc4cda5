"""A client for the inventory service."""

KNOWN_STATUS = (200, 404)


class Failed(Exception):
    pass


class Client:
    def __init__(self, transport, sleep=lambda seconds: None, **defaults):
        self.transport = transport
        self.sleep = sleep
        self.defaults = defaults

    def call(self, path, **options):
        """Return the body, None for 404.  What is no option of ours goes on to the transport."""
        options = {**self.defaults, **options}
        retries = options.pop("retries", 0)
        pause = options.pop("pause", 1)
        for left in range(retries, -1, -1):
            status, body = self.transport(path, **options)
            if status in KNOWN_STATUS:
                return body if status == 200 else None
            if left:
                self.sleep(pause)
        raise Failed(f"{status} from {path}")
