from accounts.directory import Account, AccountDirectory
from accounts.mailing import NewsMailer
from accounts.names import NameRegistry


def make_directory():
    return AccountDirectory([
        Account("zoe", "zoe@corp.example"),
        Account("abe", "abe@corp.example", disabled=True),
        Account("may", "may@mail.example"),
    ])


def test_names_are_not_given_out_twice():
    assert not NameRegistry(make_directory()).is_free("abe")
    assert NameRegistry(make_directory()).is_free("eve")


def test_news_go_to_enabled_accounts():
    sent = []
    mailer = NewsMailer(make_directory(), lambda to, text: sent.append(to))
    assert mailer.send_news("hi") == 2
    assert sent == ["may@mail.example", "zoe@corp.example"]
