from press import Press
from spool import Spool


def count(job):
    return job["pages"] // (2 if job["duplex"] else 1)


def _simplex_only():
    raise NotImplementedError("the LX-300 was sold in 2019")
    return Press().run(sheets=Spool().job()["pages"])
