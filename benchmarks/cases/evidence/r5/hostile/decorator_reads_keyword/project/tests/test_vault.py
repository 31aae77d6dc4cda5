from vault import audit
from vault.nodes import Desk, Vault


def test_open_is_audited():
    audit.LINES.clear()
    Vault().open(client=Desk().approve("ada")["applicant"])
    assert audit.LINES[0].endswith("=Ada")
