import pytest

from vault.dsn import dsn
from vault.vault import Vault


def test_read(tmp_path):
    (tmp_path / "db-user").write_text("app\n")
    (tmp_path / "db-password").write_text("hush\n")
    assert dsn(Vault(tmp_path), "h", "n") == "postgres://app:hush@h/n"


def test_absent(tmp_path):
    with pytest.raises(KeyError):
        Vault(tmp_path).read("nothing")
