import os, tempfile
from orders.share import largest_share

with tempfile.TemporaryDirectory() as d:
    p = os.path.join(d, "day.csv")
    with open(p, "w") as f:
        f.write("customer,amount\nann,30\nbo,10\n")
    assert largest_share(p) == ("ann", 0.75), largest_share(p)
