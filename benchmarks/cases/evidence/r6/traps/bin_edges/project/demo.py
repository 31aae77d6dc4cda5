from hist import BinMean, Histogram

print(Histogram().build([1.0, 5.0, 100.0])["counts"])
print(BinMean().estimate([1, 1], [2.0, 4.0])["mean"])
