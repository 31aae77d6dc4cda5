from depot import Depot, Scanner

for beam in ("|a12|", "|b7|"):
    scan = Scanner().read(beam=beam)
    print(Depot().book(barcode=scan["code"])["slot"])
