from backup import BackupJob, verify
from scheduler import Scheduler


def run_one(passphrase):
    scheduler = Scheduler()
    scheduler.submit(BackupJob("photos", {"a.jpg": b"1", "b.jpg": b"2"}, passphrase))
    return scheduler.run_pending()[0]


def test_manifest_lists_the_files():
    result = run_one("secret")
    assert [line.split()[0] for line in result["manifest"].split("\n")] == ["a.jpg", "b.jpg"]


def test_signature():
    result = run_one("secret")
    assert verify(result, "secret")
    assert not verify(result, "guess")


def test_a_changed_manifest_does_not_verify():
    result = run_one("secret")
    result["manifest"] = result["manifest"].replace("a.jpg", "c.jpg")
    assert not verify(result, "secret")
