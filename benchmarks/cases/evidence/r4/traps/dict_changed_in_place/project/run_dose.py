from clinic.dose import Dose
from clinic.scale import Scale
from clinic.units import imperial

seen = Scale().weigh("p1")
imperial(seen)
print(Dose().compute(patient=seen["patient"], pounds=seen["weight"])["mg"])
