"""Nightly backup of a folder with a signed manifest."""
import hashlib
import hmac

from jobs import Job


class BackupJob(Job):
    def __init__(self, folder, files, passphrase):
        super().__init__("backup", folder=folder)
        self.files = files
        self.passphrase = passphrase

    def signing_key(self):
        """The key the manifest is signed with."""
        return hashlib.sha256(self.passphrase.encode()).hexdigest()

    def run(self):
        lines = [f"{name} {hashlib.sha256(data).hexdigest()}"
                 for name, data in sorted(self.files.items())]
        manifest = "\n".join(lines)
        signature = hmac.new(self.signing_key().encode(), manifest.encode(), "sha256").hexdigest()
        return {"folder": self.arguments["folder"], "manifest": manifest, "signature": signature}


def verify(result, passphrase):
    """True when the manifest was signed with the passphrase and not changed since."""
    job = BackupJob(result["folder"], {}, passphrase)
    expected = hmac.new(job.signing_key().encode(), result["manifest"].encode(), "sha256").hexdigest()
    return hmac.compare_digest(expected, result["signature"])
