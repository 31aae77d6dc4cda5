import hashlib

from mirror.nodes import DATA, Mirror, Verifier


def test_sha_is_good():
    assert Verifier().verify(digest=hashlib.sha256(DATA).hexdigest())["good"]


def test_md5_is_not_enough():
    entry = Mirror().index("a.whl")
    assert not Verifier().verify(digest=entry["md5"])["good"]
