import articles
import pricing

assert pricing.vat_rate(False) == 19
assert articles.Article("cup", 119).net() == 100
