"""Uploads files one by one."""
from uploader import util


class Uploader:
    def __init__(self, put):
        self.put = put
        self.bytes = 0

    def upload(self, name, data):
        self.put([(name, data)])
        self.bytes += len(data)

    def summary(self):
        return f"{util.human(self.bytes)} uploaded"
