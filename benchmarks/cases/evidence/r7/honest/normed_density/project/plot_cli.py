from figure import Figure
from plot import Plot
from pydantic import BaseModel


class Spec(BaseModel):
    counts: list[int]
    density: bool
    stacked: bool = False


spec = Spec(**Figure().spec())
drawn = Plot().draw(counts=spec.counts, normed=spec.density)
for height in drawn["heights"]:
    print("#" * round(20 * height))
