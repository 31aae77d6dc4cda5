from annotator import Annotator
from exporter import Exporter

exporter = Exporter()
found = [Annotator().annotate(t) for t in ("neg", "posit")]
print("\n".join(exporter.row(label=a["label"], confidence=a["score"])["csv"] for a in found))
