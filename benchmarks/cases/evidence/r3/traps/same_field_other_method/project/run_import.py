from importer import Importer
from report import Report

imp = Importer(["a;1", "", "b;2", "  "])
before = imp.read()
after = imp.keep()
print(before["count"], "lines")
print(Report().summarise(records=after["count"])["line"])
