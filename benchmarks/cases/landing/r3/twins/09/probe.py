import export.markdown
import export.tsv
from export.base import REGISTRY

for name in ("md", "tsv"):
    assert "1" in REGISTRY[name](["n"]).export([{"n": 1}])
