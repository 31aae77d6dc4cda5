from agents import FreightDesk, Invoicing
from rates import in_dollars

quoted = FreightDesk().quote("HAM-NYC")
print(Invoicing().bill(amount_usd=in_dollars(**quoted))["total"])
