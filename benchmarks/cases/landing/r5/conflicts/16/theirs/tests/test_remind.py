from mailer.remind import reminder


def test_reminder():
    subject, text = reminder({"name": "Ann Lee", "mail": "a@x"}, {"no": "R7", "due": "1 May"})
    assert subject == "Bill R7"
    assert "your bill R7 is due on 1 May." in text
