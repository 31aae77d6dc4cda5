import pytest

from media.avatars import AvatarService
from media.uploads import MEGA, TooLarge


def test_change():
    service = AvatarService({"thumb.size": 64})
    assert service.change("kim", b"png") == 64
    assert service.of("kim") == b"png"


def test_a_large_picture_is_refused():
    with pytest.raises(TooLarge):
        AvatarService({"upload.max_mb": 1}).change("kim", bytes(MEGA + 1))
