import export
import pages
from web import dispatch

assert dispatch("/export")[0] == 401
assert dispatch("/export", "ann")[0] == 200
assert dispatch("/account")[0] == 401
