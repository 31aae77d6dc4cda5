from graphbus_core import GraphBusNode, subscribe

from tariffs import COUNTRIES, ZONES


class ParcelCounter(GraphBusNode):
    @subscribe("/Post/Price")
    def on_parcel(self, country: str, grams: int) -> dict:
        zone = ZONES[COUNTRIES.get(country, "world")]
        return {"zone": zone.name, "cents": zone.price(grams)}


class EuropeCounter(GraphBusNode):
    """Window two: no overseas parcels."""

    @subscribe("/Post/EuropePrice")
    def on_parcel(self, country: str, grams: int) -> dict:
        zone = ZONES["inland"] if country == "NL" else ZONES["europe"]
        return {"zone": zone.name, "cents": zone.price(grams), "steps": len(zone.steps)}
