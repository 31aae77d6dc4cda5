from audit import count
from urn import Booth, Urn

urn, v = Urn(), Booth().vote()
urn.drop(ballot=v["choice"], booth=v["booth"])
print(count(urn.papers, "yes"))
