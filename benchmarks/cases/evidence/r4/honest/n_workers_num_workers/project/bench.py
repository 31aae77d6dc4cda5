from tiler import Tiler

for n in (1, 2):
    print(Tiler().tile(n_workers=n, overlap=n)["plan"])
