from mailbox_node import Filter, Mailbox


def test_spam():
    mail = Mailbox().top()
    assert Filter().judge(sender=mail["from"], subject=mail["subject"]) == {"spam": True}
