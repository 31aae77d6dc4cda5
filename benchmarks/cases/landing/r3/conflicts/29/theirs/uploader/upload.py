"""Uploads files one by one."""
from uploader import util


class Uploader:
    def __init__(self, put):
        self.put = put
        self.bytes = 0

    def upload(self, name, data):
        self.put([(name, data)])
        self.bytes += len(data)

    def upload_many(self, files, size=20):
        """Upload {name: data}, size files in a request; return the number of requests."""
        requests = 0
        for chunk in util.chunked(sorted(files.items()), size):
            self.put(chunk)
            self.bytes += sum(len(data) for _, data in chunk)
            requests += 1
        return requests

    def summary(self):
        return f"{util.human(self.bytes)} uploaded"
