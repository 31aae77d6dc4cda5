# pure
import re
import unicodedata
from functools import partial

from graphbus_core import GraphBusNode, subscribe


def compose(*steps):
    def run(value):
        for step in steps:
            value = step(value)
        return value
    return run


class Clip:
    def __init__(self, length):
        self.length = length

    def __call__(self, text):
        return text[:self.length].rstrip("-")


class SlugPipeline(GraphBusNode):
    def __init__(self, length=24):
        super().__init__()
        self.slug = compose(
            partial(unicodedata.normalize, "NFKD"),
            lambda s: s.encode("ascii", "ignore").decode(),
            str.lower,
            partial(re.sub, r"[^a-z0-9]+", "-"),
            lambda s: s.strip("-"),
            Clip(length),
        )

    @subscribe("/Post/Titled")
    def on_titled(self, payload):
        self.publish("/Post/Slug", {"slug": self.slug(payload["title"])})
