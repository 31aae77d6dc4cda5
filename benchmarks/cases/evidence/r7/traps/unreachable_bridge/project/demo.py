from bridges import count
from press import Press
from spool import Spool

print(Press().run(sheets=count(Spool().job())))
