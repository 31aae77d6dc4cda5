from archive import Archive
from bob import parcels
from shipping import Shipping

archive = Archive()
for order in (7, 8):
    made = Shipping().label(order)
    text = archive.add(parcel=made["tracking"])["text"]
print(parcels(text))
