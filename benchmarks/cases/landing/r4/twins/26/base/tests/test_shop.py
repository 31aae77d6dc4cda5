import articles
import pricing


def test_shop():
    assert articles.Article("tea", 450).label() == "tea: 4.50"
    assert pricing.net_price(119) == 100
    assert pricing.net_price(107, reduced=True) == 100
