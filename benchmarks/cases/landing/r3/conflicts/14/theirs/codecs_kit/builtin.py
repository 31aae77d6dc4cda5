"""The codecs that come with the server."""
import base64
import zlib

from codecs_kit.registry import Registry


def standard():
    registry = Registry()
    registry.register("zlib", zlib.compress, zlib.decompress)
    registry.register("base64", base64.b64encode, base64.b64decode)
    registry.register("plain", bytes, bytes)
    return registry


def listing(registry):
    return "codecs: " + ", ".join(registry)
