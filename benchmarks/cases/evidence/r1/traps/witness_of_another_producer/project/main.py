from people import Speakers
from poster import Poster
from venue import Venue

who = Speakers().next()
where = Venue().book()
print(Poster().print_it(speaker=who["name"], seats=where["seats"])["text"])
