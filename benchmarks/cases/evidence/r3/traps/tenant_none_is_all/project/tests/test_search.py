from saas.search import Search
from saas.session import Session


def test_own_documents():
    assert Search().find(tenant=Session().whoami("ada")["tenant"])["hits"] == ["plan"]


def test_backup_job_sees_all():
    assert Search().find(tenant=None)["hits"] == ["plan", "payroll"]
