from itertools import chain, islice

from graphbus_core import GraphBusNode, subscribe

from earth import BASE32, bisect_bits


class GeoHasher(GraphBusNode):
    """Interleaves the two bit streams of a position."""

    @subscribe("/Position")
    def position(self, lat: float, lon: float, length: int) -> str:
        streams = zip(bisect_bits(lon, -180, 180), bisect_bits(lat, -90, 90))
        bits = islice(chain.from_iterable(streams), 5 * length)
        out = []
        for first in bits:
            n = first
            for _ in range(4):
                n = n << 1 | next(bits)
            out.append(BASE32[n])
        return "".join(out)
