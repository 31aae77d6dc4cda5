from contacts import Contact, Group
from mailing import recipients

ann = Contact("Ann", "ann@example.org")
assert recipients([Group("choir", ann), Group("board", ann)]) == [ann]
