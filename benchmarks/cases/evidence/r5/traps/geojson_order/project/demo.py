from geo_weather.geocoder import Geocoder
from geo_weather.weather import Weather

lon, lat = Geocoder().locate("Oslo")["coordinates"]
print(Weather().at(position=[lat, lon])["zone"])
