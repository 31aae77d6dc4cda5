from gate import Gate
from member import Member

print(Member().card("Ada"))
print(Gate().open(300), Gate().open(5))
