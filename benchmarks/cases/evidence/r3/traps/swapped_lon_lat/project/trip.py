from geo.geocoder import Geocoder
from geo.router import Router

finder, router = Geocoder(), Router()
for place in ("Bern", "Oslo"):
    hit = finder.find(place)
    print(place, router.route(origin=hit["position"][::-1])["start"])
