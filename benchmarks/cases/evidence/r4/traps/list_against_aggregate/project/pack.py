from disk import Disk
from sizer import Sizer

print(Disk().allocate(block=max(Sizer().sizes(["a", "abc", "ab"])["block"]))["text"])
