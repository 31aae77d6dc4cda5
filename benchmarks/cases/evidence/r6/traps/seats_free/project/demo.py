from boxoffice import BoxOffice
from usher import Usher

print(BoxOffice().status("Tosca")["unsold"])
print(Usher().fill(6))
