from accounts.directory import Account, AccountDirectory
from accounts.erasure import EraseRequest

old = Account("may", "may@mail.example", disabled=True)
report = EraseRequest(AccountDirectory([old])).run("may@mail.example")
assert report.names == ["may"], report.as_text()
assert old.email == "erased@invalid.example"
