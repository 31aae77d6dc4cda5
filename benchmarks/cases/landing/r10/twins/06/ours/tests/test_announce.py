from announce import main
from mailer import Mailer


def mailer_and_outbox():
    out = []
    return Mailer(lambda to, text: out.append(to), "me@x.org"), out


def test_nothing_is_sent_unless_asked():
    mailer, out = mailer_and_outbox()
    mailer.send("a@x.org", "Hi", "Text")
    assert out == []


def test_command_shows_the_mail(capsys):
    mailer, out = mailer_and_outbox()
    main(["Party", "--to", "a@x.org"], mailer)
    assert out == []
    assert "Subject: Party" in capsys.readouterr().out


def test_command_sends_with_yes():
    mailer, out = mailer_and_outbox()
    main(["Party", "--to", "a@x.org", "--to", "b@x.org", "--yes"], mailer)
    assert out == ["a@x.org", "b@x.org"]
