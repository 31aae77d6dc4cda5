import pytest

from directory import Directory, UnknownPerson


def test_unknown_person_raises():
    with pytest.raises(UnknownPerson):
        Directory().find("Zed")
