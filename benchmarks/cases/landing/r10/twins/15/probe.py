from pricing import price_list

assert price_list("203.0.113.1", {"mug": 10}) == ["mug: 11.00 USD"]
assert price_list("192.0.2.17", {"mug": 10}) == ["mug: 10.00 EUR"]
