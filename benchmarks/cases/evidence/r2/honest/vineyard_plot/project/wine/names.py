from typing import NewType

PlotId = NewType("PlotId", str)
