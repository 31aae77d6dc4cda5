"""Pins by address: https, http, ssh, file. Git fetches each; what is no repository is refused with a sentence."""

from __future__ import annotations

import os
import shutil
import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from graphbus_core.cli.main import main
from tests.interface.test_sharing import SENDS, commit, git, repositories, table, verify

__all__ = ["repositories"]


class Backend(BaseHTTPRequestHandler):
    """git's own program for http, as a host runs it."""

    root = ""
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """Fetch: ask for what there is, then for it."""
        path, _, query = self.path.partition("?")
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        environment = {
            "PATH": os.environ["PATH"],
            "GIT_PROJECT_ROOT": self.root,
            "GIT_HTTP_EXPORT_ALL": "1",
            "REQUEST_METHOD": self.command,
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "CONTENT_TYPE": self.headers.get("content-type", ""),
            "CONTENT_LENGTH": str(len(body)),
            "HTTP_CONTENT_ENCODING": self.headers.get("content-encoding", ""),
            "GIT_PROTOCOL": self.headers.get("git-protocol", ""),
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": "safe.directory",
            "GIT_CONFIG_VALUE_0": "*",
        }
        said = subprocess.run(["git", "http-backend"], input=body, env=environment, capture_output=True, check=True)
        head, _, rest = said.stdout.partition(b"\r\n\r\n")
        fields = dict(line.split(": ", 1) for line in head.decode().splitlines())
        self.send_response(int(fields.pop("Status", "200").split()[0]))
        fields["Content-Length"] = str(len(rest))
        for name, value in fields.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(rest)

    do_POST = do_GET

    def log_message(self, *_words: object) -> None:
        """Nothing."""


class Files(SimpleHTTPRequestHandler):
    """A host that serves files and knows nothing of git."""

    def log_message(self, *_words: object) -> None:
        """Nothing."""


@contextmanager
def serve(handler: object, certificate: Path | None = None) -> Iterator[int]:
    """A host on loopback; its port."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)  # type: ignore[arg-type]
    if certificate is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture
def host(tmp_path: Path, repositories: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """The shop as a bare repository of a host; no proxy stands between."""
    for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    git(tmp_path, "clone", "-q", "--bare", str(repositories[0]), "shop.git")
    return tmp_path / "shop.git"


def pin_and_hear(address: str, host: Path, repositories: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    """Pin by an address, verify, and hear what is proposed there on a branch."""
    shop, billing = repositories
    (billing / "contracts.lock").unlink()
    words = ["contracts", "pin", f"{address}#orders@1", "--as", "consumer", "--show", "order.json"]
    assert main([*words, "--project", str(billing)]) == 0, capsys.readouterr().err
    assert f'"source": "{address}"' in (billing / "contracts.lock").read_text()
    assert verify(billing, capsys)[0] == 0
    git(shop, "checkout", "-q", "-b", "numbers")
    table(shop).table("producer", {**SENDS, "properties": {**SENDS["properties"], "id": {"type": "string"}}})
    commit(shop)
    git(shop, "push", "-q", str(host), "numbers")
    code, said = verify(billing, capsys)
    assert (code, "orders v2 is proposed on branch numbers and breaks you here" in said) == (1, True), said
    git(shop, "checkout", "-q", "main")


@pytest.fixture
def certificate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What a host shows for https, known to git as right."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed: no certificate can be made")
    file = tmp_path / "host.pem"
    words = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    words += ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(file), "-out", str(tmp_path / "only.pem")]
    subprocess.run(words, check=True, capture_output=True)
    file.write_text(file.read_text() + (tmp_path / "only.pem").read_text())
    monkeypatch.setenv("GIT_SSL_CAINFO", str(tmp_path / "only.pem"))
    return file


def test_https(
    host: Path, certificate: Path, repositories: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """As most hosts speak it: git's smart protocol behind a certificate."""
    handler = type("Backend", (Backend,), {"root": str(host.parent)})
    with serve(handler, certificate) as port:
        pin_and_hear(f"https://127.0.0.1:{port}/shop.git", host, repositories, capsys)


def test_a_certificate_that_is_not_known_is_refused(
    host: Path,
    certificate: Path,
    repositories: tuple[Path, Path],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Nothing is pinned from a host that shows another one."""
    monkeypatch.delenv("GIT_SSL_CAINFO")
    with serve(type("Backend", (Backend,), {"root": str(host.parent)}), certificate) as port:
        assert_refused(f"https://127.0.0.1:{port}/shop.git", "certificate", repositories[1], capsys)


def test_a_host_that_serves_files_alone(
    host: Path, repositories: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """git's older protocol over http: whole histories, which is why it has to be asked in another way."""
    handler = lambda *words: Files(*words, directory=str(host.parent))  # noqa: E731
    (host / "hooks").mkdir(exist_ok=True)
    (host / "hooks" / "post-update").write_text("#!/bin/sh\nexec git update-server-info\n")
    (host / "hooks" / "post-update").chmod(0o755)
    git(host, "update-server-info")
    with serve(handler) as port:
        pin_and_hear(f"http://127.0.0.1:{port}/shop.git", host, repositories, capsys)


def test_a_file_address(host: Path, repositories: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    """`file://`, as in a CI whose hosts lie on one disk."""
    pin_and_hear(f"file://{host}", host, repositories, capsys)


@pytest.mark.parametrize("form", ["git@shop.example.org:{}", "ssh://git@shop.example.org{}"])
def test_ssh(
    form: str,
    host: Path,
    repositories: tuple[Path, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Both forms; the user's own ssh is started, here one that runs what it is asked on this machine."""
    program = tmp_path / "ssh"
    program.write_text('#!/bin/sh\nfor last; do :; done\ncase "$*" in *shop.example.org*) exec sh -c "$last";; esac\n')
    program.chmod(0o755)
    monkeypatch.setenv("GIT_SSH", str(program))
    pin_and_hear(form.format(host), host, repositories, capsys)


def assert_refused(address: str, why: str, billing: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One sentence, exit 1 or 2, and the lock as it was."""
    before = (billing / "contracts.lock").read_bytes()
    capsys.readouterr()
    assert main(["contracts", "pin", f"{address}#orders", "--as", "consumer", "--project", str(billing)]) in (1, 2)
    said = capsys.readouterr()
    assert why in said.err
    assert "Traceback" not in said.err
    assert (billing / "contracts.lock").read_bytes() == before


def test_a_page_that_is_no_repository_is_refused(
    tmp_path: Path, host: Path, repositories: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """A host that answers something else, and one that does not answer."""
    (tmp_path / "index.html").write_text("<h1>hello</h1>")
    with serve(lambda *words: Files(*words, directory=str(tmp_path))) as port:
        address = f"http://127.0.0.1:{port}"
        assert_refused(f"{address}/index.html", "not found", repositories[1], capsys)
    assert_refused(f"{address}/shop.git", "git fetch of", repositories[1], capsys)


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("ftp://127.0.0.1/shop.git", "transport 'ftp' not allowed"),
        ("ext::sh -c 'touch made'", "neither a repository nor"),
        ("data:text/plain,orders", "neither a repository nor"),
        ("javascript://x", "transport 'javascript' not allowed"),
        ("https://", "git fetch of"),
        ("https://user:word@example.org/x.git", "holds a password"),
        ("--upload-pack=touch made", "No such option"),
        ("ssh://-oProxyCommand=touch made/x", "git fetch of"),
        ("file:///nowhere/at/all", "git fetch of"),
    ],
)
def test_what_git_must_not_fetch_is_refused(
    address: str, why: str, repositories: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """No program is started, and nothing is asked for."""
    assert_refused(address, why, repositories[1], capsys)
    assert not (repositories[1] / "made").exists()
    assert not Path("made").exists()
