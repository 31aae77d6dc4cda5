from sms import sms
assert '9:00' in sms('Kai', 9)
