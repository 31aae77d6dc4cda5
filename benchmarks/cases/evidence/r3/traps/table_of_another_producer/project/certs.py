from certificate import Certificate
from staff import Accounts, Hr

RENAME = {"name": "full_name"}


def renamed(record):
    return {RENAME.get(key, key): value for key, value in record.items()}


for uid in (0, 1):
    login = Accounts().get(uid)["name"]
    print(login, "|", Certificate().print_for(**renamed(Hr().export(uid)))["text"])
