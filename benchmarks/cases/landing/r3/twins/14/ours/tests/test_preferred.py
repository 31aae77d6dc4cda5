import pytest

from codecs_kit.builtin import standard
from codecs_kit.registry import UnknownCodec


def test_only_what_the_client_accepts():
    assert standard().preferred(["plain"]) == "plain"
    assert standard().preferred(["br", "base64"]) == "base64"
    with pytest.raises(UnknownCodec):
        standard().preferred(["br"])
