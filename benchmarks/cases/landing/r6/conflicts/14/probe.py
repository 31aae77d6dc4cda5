from form import submit
from importer import import_csv
from subscribers import Subscribers

s = Subscribers()
submit(s, {"email": "Ann@Example.org"})
import_csv(s, "name,email\nAnn,ANN@example.org\n")
assert len(s) == 1
