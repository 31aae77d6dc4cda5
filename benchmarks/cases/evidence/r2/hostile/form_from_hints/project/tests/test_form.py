from web.agents import Basket, Catalog
from web.form import form


def test_form():
    html = form(Basket.put)
    assert "Price in cents" in html
    assert 'type="number"' in html


def test_basket():
    item = Catalog().item("A")
    assert Basket().put(sku=item["sku"], price=item["cost"])["row"] == "A 4.99"
