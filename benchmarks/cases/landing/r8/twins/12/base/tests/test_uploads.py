import pytest

from media.settings import Settings
from media.uploads import MEGA, TooLarge, UploadService


def test_place():
    service = UploadService(Settings({"upload.dir": "pics"}))
    assert service.accept("a.png", 100) == "pics/a.png"


def test_limit():
    service = UploadService(Settings())
    service.accept("film.mp4", 20 * MEGA)
    with pytest.raises(TooLarge):
        service.accept("film.mp4", 20 * MEGA + 1)
