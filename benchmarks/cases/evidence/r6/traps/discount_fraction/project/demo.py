from shop.campaign import Campaign
from shop.till import Till

till = Till()
offer = Campaign().current("STAFF")
print(till.ring(offer["article"], 0.7)["due"])
print(till.ring("mug", 1.0)["due"])
print(round(till.drawer, 2))
