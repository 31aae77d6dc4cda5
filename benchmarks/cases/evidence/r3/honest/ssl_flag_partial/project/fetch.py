import functools

from client import Client
from settings import Settings

for profile in ("intranet", "public"):
    loaded = Settings().load(profile)
    get = functools.partial(Client().get, verify_ssl=loaded["ssl"])
    print(get()["asked"], get(url="a.test")["asked"])
