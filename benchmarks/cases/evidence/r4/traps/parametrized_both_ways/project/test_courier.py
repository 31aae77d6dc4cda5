import pytest

from courier import Courier
from order import Order


@pytest.mark.parametrize("field, hub", [("billing_zip", "B"), ("delivery_zip", "M")])
def test_hub(field, hub):
    parts = Order().split("o1")
    assert Courier().route(order="o1", zip_code=parts[field])["hub"] == hub
