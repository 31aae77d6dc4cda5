from library import Catalogue, Slip

catalogue = Catalogue()
catalogue.lend("978-2", "desk 4")
print(catalogue.look_up("978-2"))
print(catalogue.neighbours(catalogue.books["978-2"]))
print(Slip().print_for("Tides", "desk 4")["slip"])
