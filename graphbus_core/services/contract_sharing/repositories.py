"""What git has of a contract file: on the branch that counts, and on every other branch, where changes are proposed.

Git fetches, and nothing else does: one shallow copy of a repository in the user's cache, without a work tree. No hook
and no program that a repository names is run.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from graphbus_core.errors import ContractError
from graphbus_core.services.contract_sharing.pins import Pin
from graphbus_core.sessions.contract_file import SUFFIX, SharedContract, parse_contract_file
from graphbus_core.storage.git import run_git
from graphbus_core.storage.locks import hold_lock

FETCH_S = 120.0
MAX_BRANCHES = 500  # that are looked at for proposals
VERDICTS = "refs/graphbus/verdicts/"  # what a repository's own CI found, one blob a branch
MAX_VERDICT_BYTES = 1 << 20
MAX_FILE_BYTES = 16 << 20
_MAIN = "refs/heads/graphbus-main"  # what HEAD of the source, or the named branch, points to
_PROTOCOLS = [
    "protocol.allow=never",
    *(f"protocol.{name}.allow=always" for name in ("https", "http", "ssh", "git", "file")),
]
_SAFE = [word for setting in _PROTOCOLS for word in ("-c", setting)]


@dataclass(frozen=True)
class Sighting:
    """A contract file as it stands on a branch; `branch` empty: the one that counts."""

    branch: str
    file: str
    contract: SharedContract


def read_sightings(pin: Pin, folder: Path, *, fetch: bool = True) -> list[Sighting]:
    """The contract on the branch that counts, then what other branches have instead. Raises ContractError."""
    if not pin.source:
        path = folder / pin.file
        try:
            data = path.read_bytes()
        except OSError as e:
            raise ContractError(f"{path} cannot be read: {e.strerror}. The pin of {pin.name} names it.") from None
        return [Sighting("", pin.file, parse_contract_file(data, str(path))[0])]
    copy = _open_copy(pin.source, folder)
    with hold_lock(copy / "graphbus.lock", lambda who: f"{copy} is held by {who}.", wait_s=FETCH_S):
        if fetch:
            _fetch(copy, pin, folder)
        return list(_look_at_branches(copy, pin))


def find_file(source: str, folder: Path, name: str, branch: str) -> str:
    """Where a repository has the contract of this name. Raises ContractError where that is not one place."""
    copy = _open_copy(source, folder)
    with hold_lock(copy / "graphbus.lock", lambda who: f"{copy} is held by {who}.", wait_s=FETCH_S):
        _fetch(copy, Pin(name, 0, "", "", source, "", branch), folder)
        listed = _ask(copy, source, "ls-tree", "-r", "--name-only", "-z", _MAIN).decode("utf-8", "replace")
    files = [file for file in listed.split("\0") if file.rpartition("/")[2] == f"{name}{SUFFIX}"]
    if len(files) != 1:
        several = (
            f": {', '.join(files)}. Name one with --file." if files else ". `graphbus agree` writes it; commit it."
        )
        raise ContractError(f"{source} has {len(files)} files {name}{SUFFIX}{several}")
    return files[0]


def read_file_beside(pin: Pin, folder: Path, name: str) -> bytes | None:
    """A file in the folder of the contract, as it was fetched last; None where there is none."""
    path = (Path(pin.file).parent / name).as_posix()
    if not pin.source:
        file = folder / path
        return file.read_bytes() if file.is_file() else None
    shown = run_git(_open_copy(pin.source, folder), *_SAFE, "cat-file", "blob", f"{_MAIN}:{path}")
    return shown.stdout if shown.returncode == 0 else None


def read_peer(
    pin: Pin, folder: Path, name_verdict: Callable[[str], str], *, fetch: bool = True
) -> tuple[str, dict[str, bytes]]:
    """The commit that counts in the other side's repository, and by branch what its CI published of it.

    Only the branches that are there are asked for: what was said of one that is gone is no longer read. Raises
    ContractError."""
    source = pin.peer or pin.source
    copy = _open_copy(source, folder)
    with hold_lock(copy / "graphbus.lock", lambda who: f"{copy} is held by {who}.", wait_s=FETCH_S):
        if fetch and source != pin.source:
            _fetch(copy, Pin(pin.name, 0, "", "", source, ""), folder)
        asked = ("for-each-ref", "--format=%(objectname) %(objectsize) %(refname)")
        heads = _ask(copy, source, *asked, "refs/remotes/source/").decode("utf-8", "replace").splitlines()
        branches = [head.split(" ", 2)[2].removeprefix("refs/remotes/source/") for head in heads]
        listed = (line.split(" ", 2) for line in _ask(copy, source, *asked, VERDICTS).decode().splitlines())
        blobs = {ref.removeprefix(VERDICTS): (blob, int(size)) for blob, size, ref in listed}
        verdicts: dict[str, bytes] = {}
        for branch in branches:
            blob, size = blobs.get(name_verdict(branch), ("", 0))
            if size > MAX_VERDICT_BYTES:
                raise ContractError(
                    f"{source} holds a verdict of more than {MAX_VERDICT_BYTES >> 20} MB: none of ours."
                )
            if blob:
                verdicts[branch] = _ask(copy, source, "cat-file", "blob", blob)
        return _ask(copy, source, "rev-parse", _MAIN).decode().strip(), verdicts


def read_peer_file(pin: Pin, folder: Path, name: str) -> bytes | None:
    """A file of this name on the branch that counts in the other side's repository, as it was fetched last; None where
    that is not one file. Raises ContractError."""
    source = pin.peer or pin.source
    copy = _open_copy(source, folder)
    listed = _ask(copy, source, "ls-tree", "-r", "-l", "-z", _MAIN).decode("utf-8", "replace").split("\0")
    files = [line.split() for line in listed if line.endswith((f"\t{name}", f"/{name}"))]
    if len(files) != 1 or not files[0][3].isdecimal() or int(files[0][3]) > MAX_FILE_BYTES:
        return None
    return _ask(copy, source, "cat-file", "blob", files[0][2])


def _open_copy(source: str, folder: Path) -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    address = _locate_source(source, folder)
    copy = (
        Path(base) / "graphbus" / "contracts" / f"{hashlib.blake2b(address.encode(), digest_size=10).hexdigest()}.git"
    )
    if not (copy / "HEAD").is_file():
        copy.mkdir(parents=True, exist_ok=True, mode=0o700)
        _ask(copy, source, "init", "--bare", "--quiet", ".")
    return copy


def _locate_source(source: str, folder: Path) -> str:
    path = folder / source
    return str(path.resolve()) if path.exists() else source


def _fetch(copy: Path, pin: Pin, folder: Path) -> None:
    # By its full name: a branch may be called as something else that git knows, or begin with a dash.
    head = f"refs/heads/{pin.branch}" if pin.branch else "HEAD"
    address = _locate_source(pin.source, folder)
    refs = [f"+{head}:{_MAIN}", "+refs/heads/*:refs/remotes/source/*", f"+{VERDICTS}*:{VERDICTS}*"]
    words = ("fetch", "--quiet", "--no-tags", "--prune", "--force")
    try:
        _ask(copy, pin.source, *words, "--depth=1", "--", address, *refs)
    except ContractError as e:
        if "does not support shallow" not in str(e):  # git's words for a host that serves files alone
            raise
        _ask(copy, pin.source, *words, "--", address, *refs)


def _look_at_branches(copy: Path, pin: Pin) -> Iterator[Sighting]:
    main = _find_blob(copy, _MAIN, pin.file)
    if not main:
        raise ContractError(f"{pin.source} has no {pin.file} any more. Ask {pin.source} where {pin.name} went.")
    where = f"{pin.source}:{pin.file}"
    yield Sighting("", where, parse_contract_file(_ask(copy, pin.source, "cat-file", "blob", main), where)[0])
    listed = _ask(
        copy, pin.source, "for-each-ref", "--format=%(refname)", f"--count={MAX_BRANCHES}", "refs/remotes/source/"
    )
    seen = {main}
    for ref in listed.decode("utf-8", "replace").split():
        blob = _find_blob(copy, ref, pin.file)
        if not blob or blob in seen:
            continue
        seen.add(blob)
        branch = ref.removeprefix("refs/remotes/source/")
        where = f"{pin.source}:{pin.file} on branch {branch}"
        yield Sighting(branch, where, parse_contract_file(_ask(copy, pin.source, "cat-file", "blob", blob), where)[0])


def _find_blob(copy: Path, ref: str, file: str) -> str:
    found = run_git(copy, *_SAFE, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}:{file}")
    return found.stdout.decode().strip() if found.returncode == 0 else ""


def _ask(copy: Path, source: str, *words: str) -> bytes:
    try:
        done = run_git(copy, *_SAFE, *words, timeout_s=FETCH_S)
    except OSError as e:
        raise ContractError(f"git could not be asked for {source}: {e}") from None
    if done.returncode:
        why = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise ContractError(f"git {words[0]} of {source} failed: {why[-1] if why else done.returncode}.")
    return done.stdout
