from functools import partial

from quota import Quota
from uploader import Uploader

MB = 1000
quota = Quota().read("u")
upload = partial(Uploader().upload, user="u", max_bytes=quota["limit"])
for size in (1, 2):
    print(upload(max_bytes=quota["limit"] * MB)["ok"])
