"""A checksum beside every copy."""
import hashlib
import os


def checksum(path):
    with open(path, "rb") as handle:
        return hashlib.sha256(handle.read()).hexdigest()


def sum_file(job):
    return f"{job.target}.sum"


def write(job):
    with open(sum_file(job), "w", encoding="utf-8") as handle:
        handle.write(checksum(job.target) + "  " + os.path.basename(job.target) + "\n")


def verify(job):
    """Return ok, changed or missing."""
    if not os.path.exists(job.target) or not os.path.exists(sum_file(job)):
        return "missing"
    with open(sum_file(job), encoding="utf-8") as handle:
        wanted = handle.read().split()[0]
    return "ok" if wanted == checksum(job.target) else "changed"
