"""What a repository may be like: shallow, with submodules, with signed commits. A sentence, and nothing half done."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from graphbus_core.commit.landing.land import LandingRequest, land
from graphbus_core.errors import UsageError
from tests.commit.landing.test_land import LOWER, UPPER, Shop, shop

__all__ = ["shop"]  # the fixture

SIGNER = """#!/bin/sh
cat > /dev/null
echo '[GNUPG:] SIG_CREATED ' >&2
printf -- '-----BEGIN PGP SIGNATURE-----\\n\\nsigned\\n-----END PGP SIGNATURE-----\\n'
"""


def test_a_shallow_clone_is_told_before_anything_is_merged(
    shop: Shop, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Where the branches began may lie beyond it."""
    shop.branch("upper", {"shop.py": UPPER})
    clone = tmp_path_factory.mktemp("shallow") / "clone"
    words = ["git", "clone", "-q", "--depth", "1", "--no-single-branch", shop.folder.as_uri(), str(clone)]
    subprocess.run(words, check=True)
    with pytest.raises(UsageError, match="--unshallow"):
        land(clone, LandingRequest(("origin/upper",), verify=None))


def test_a_submodule_that_one_side_moved_lands_and_that_both_moved_does_not(shop: Shop) -> None:
    """It is a commit of another repository: there is nothing in it to be merged here."""
    commits = [shop.git("rev-parse", "HEAD")]
    for i in range(3):
        shop.git("commit", "-q", "--allow-empty", "-m", f"{i}")
        commits.append(shop.git("rev-parse", "HEAD"))
    start = add_submodule(shop, "base", "main", commits[0])
    shop.git("reset", "-q", "--hard", start)
    for name, commit in (("one", commits[1]), ("two", commits[2])):
        shop.git("branch", name, add_submodule(shop, name, start, commit))
    assert shop.land("one")[0].status == "landed"
    assert shop.git("ls-tree", "HEAD", "lib").split()[2] == commits[1]
    before = shop.state()
    assert "both sides moved a submodule" in shop.land("two")[0].why
    assert shop.state() == before


def add_submodule(shop: Shop, message: str, parent: str, commit: str) -> str:
    """A commit in which the submodule `lib` stands at a commit."""
    shop.git("read-tree", parent)
    shop.git("update-index", "--add", "--cacheinfo", f"160000,{commit},lib")
    tree = shop.git("write-tree")
    shop.git("read-tree", "HEAD")
    return shop.git("commit-tree", "-p", parent, "-m", message, tree)


def test_a_landing_is_signed_where_the_settings_say_so(shop: Shop) -> None:
    """And where nothing can sign, nothing lands."""
    program = shop.folder / ".git" / "signer"
    program.write_text(SIGNER)
    program.chmod(0o755)
    shop.branch("upper", {"shop.py": UPPER})
    shop.branch("lower", {"shop.py": LOWER + "\n\nLIMIT = 1\n"})
    shop.git("config", "commit.gpgSign", "true")
    shop.git("config", "gpg.program", str(program))
    assert shop.land("upper")[0].status == "landed"
    assert "gpgsig -----BEGIN PGP SIGNATURE-----" in shop.git("cat-file", "commit", "HEAD")
    shop.git("reset", "-q", "--hard", "HEAD~1")
    shop.git("config", "gpg.program", str(Path("/bin/false")))
    before = shop.state()
    refused = shop.land("upper")[0]
    assert (refused.status, shop.state()) == ("refused", before)
    assert "gpg" in refused.why
