from offers.agents import Buyer, Vendor
from offers.record import Record

kind, *values = "offer|desk|5".split("|")
old = dict(zip(Record.kinds[kind], values))
print(old)
o = Vendor().offer(item="chair")
print(Buyer().weigh(item=o["item"], discount=o["rebate"])["verdict"])
