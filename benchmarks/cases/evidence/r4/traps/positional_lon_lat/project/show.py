from forecast import Forecast
from geocoder import Geocoder

# FIXME prints south for Berlin
print(Forecast().at(*Geocoder().locate("Berlin").values())["zone"])
