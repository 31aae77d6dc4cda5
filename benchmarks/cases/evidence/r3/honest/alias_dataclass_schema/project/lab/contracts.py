from dataclasses import dataclass
from typing import Annotated

from graphbus_core import Alias


@dataclass
class Measured:
    sample: str
    concentration: Annotated[float, Alias("conc")]
