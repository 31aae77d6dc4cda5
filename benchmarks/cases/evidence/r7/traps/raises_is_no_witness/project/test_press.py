import pytest
from catalogue import Catalogue
from press import Press


def test_prints():
    assert Press().label(code="96385074") == {"bars": 67}


def test_long_codes_are_refused():
    article = Catalogue().article("tea")
    with pytest.raises(ValueError):
        Press().label(code=article["ean"])
