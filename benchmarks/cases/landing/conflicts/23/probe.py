from session import Session
from sudo import become
become(Session('eve'), 'root')
s = Session('eve')
become(s, 'root')
assert s.whoami() == 'root' or s.note == 'root'
