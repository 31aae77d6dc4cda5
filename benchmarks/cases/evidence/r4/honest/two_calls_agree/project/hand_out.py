from certificate import Certificate
from quiz import Quiz

g = Quiz().grade("ann")
print(Certificate().print_for(name=g["name"], result=g["points"])["text"])
