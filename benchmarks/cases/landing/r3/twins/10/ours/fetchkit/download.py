"""Downloads in chunks; the transport yields bytes."""


class Downloader:
    def __init__(self, transport, progress=None, error=None, tries=2):
        self.transport = transport
        self.progress = progress
        self.error = error
        self.tries = tries

    def fetch(self, address, total):
        """Return the bytes, or None when every try failed."""
        for _ in range(self.tries):
            parts = []
            done = 0
            try:
                for chunk in self.transport(address):
                    parts.append(chunk)
                    done += len(chunk)
                    if self.progress:
                        self.progress(done, total)
                return b"".join(parts)
            except OSError as failure:
                if self.error:
                    self.error(failure)
        return None
