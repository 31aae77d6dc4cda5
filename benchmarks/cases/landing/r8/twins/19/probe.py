import sys

sys.path.insert(0, "tests")
import test_reset
from signup.mail import Outbox

test_reset.test_token_is_mailed()
Outbox.send = lambda self, to, subject, body: None
try:
    test_reset.test_token_is_mailed()
except AssertionError:
    pass
else:
    raise SystemExit("the test passes although no mail is sent")
