import pytest

from codecs_kit.builtin import listing, standard
from codecs_kit.registry import UnknownCodec


def test_round_trip():
    registry = standard()
    for name in registry:
        assert registry.decode(name, registry.encode(name, b"data")) == b"data"
    assert len(registry) == 3


def test_listing():
    assert listing(standard()) == "codecs: base64, plain, zlib"


def test_unknown():
    with pytest.raises(UnknownCodec):
        standard().encode("lzma", b"")
