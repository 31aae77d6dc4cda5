from operator import itemgetter

from post import Scale, Stamp

zone, heavy = itemgetter("zone", "grams")(Scale().weigh("thick"))
print(Stamp().price(weight=heavy, zone=zone)["cents"])
