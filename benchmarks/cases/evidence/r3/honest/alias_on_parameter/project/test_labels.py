from labels import Labels
from wms import Wms


def test_label():
    assert Labels().print_label("ab-1") == {"label": "*AB-1*"}


def test_stock():
    assert Wms().stock("R7 ab-1") == {"bin": "R7", "sku": "ab-1"}
