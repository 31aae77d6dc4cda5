from accounts.directory import Account, AccountDirectory
from accounts.erasure import EraseRequest


def test_all_accounts_of_a_person_are_erased():
    first, second = Account("may", "may@mail.example"), Account("may2", "May@mail.example")
    other = Account("zoe", "zoe@corp.example")
    report = EraseRequest(AccountDirectory([second, other, first])).run("may@mail.example")
    assert report.as_text() == "erased: may, may2"
    assert other.email == "zoe@corp.example"
