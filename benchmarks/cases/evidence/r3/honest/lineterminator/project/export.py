from csvtool.dialect import Dialect
from csvtool.writer import Writer

for sample in ("x;y\r\n1;2\r\n", "x,y\n1,2\n"):
    found = Dialect().detect(sample)
    options = {"line_terminator": found["lineterminator"], "sep": found["sep"]}
    print(repr(Writer().render(**options)["text"]))
