from catalogue import Catalogue
from label import Label

found = Catalogue().find("pen")
print(Label().print_label(ean=int(found["ean"]), title=found["title"])["text"])
