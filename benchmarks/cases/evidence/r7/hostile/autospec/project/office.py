from clerk import Clerk
from inbox import Inbox


class Office:
    def __init__(self, inbox=None, clerk=None):
        self.inbox = inbox or Inbox()
        self.clerk = clerk or Clerk()

    def day(self, *subjects):
        return [self.clerk.open_file(dossier=self.inbox.triage(subject)["case_no"]) for subject in subjects]
