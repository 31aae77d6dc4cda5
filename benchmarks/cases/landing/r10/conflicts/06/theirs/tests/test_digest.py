from digest import compose, send_digest

ARTICLES = [{"date": "2024-05-01", "title": "Bread"}, {"date": "2024-05-03", "title": "Rye"}]


class RecordingMailer:
    def __init__(self):
        self.sent = []

    def send(self, to, subject, body, **options):
        self.sent.append((to, subject))


def test_newest_first():
    assert compose(ARTICLES).split("\n") == ["2024-05-03  Rye", "2024-05-01  Bread"]


def test_every_subscriber_gets_one_mail():
    mailer = RecordingMailer()
    assert send_digest(mailer, ["b@x.org", "a@x.org", "b@x.org"], ARTICLES) == 2
    assert mailer.sent == [("a@x.org", "2 new articles"), ("b@x.org", "2 new articles")]


def test_no_articles_no_mail():
    mailer = RecordingMailer()
    assert send_digest(mailer, ["a@x.org"], []) == 0
    assert mailer.sent == []
