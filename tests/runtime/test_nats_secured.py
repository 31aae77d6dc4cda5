"""A server that lets not everybody in: TLS both ways, passwords, keys, and accounts that may do this and no more."""

import asyncio
import dataclasses
import os
import shutil
import subprocess
import threading

import pytest

from graphbus_core.errors import TransportDown
from graphbus_core.runtime.reload.compatibility import BuildContracts
from graphbus_core.runtime.transports.nats.connection import BusSettings, ServerErrors, _suggest_fix
from graphbus_core.runtime.transports.nats.dead_letters import BusDeadLetters
from graphbus_core.runtime.transports.nats.space import SharedBuild
from graphbus_core.runtime.transports.nats.transport import NatsTransport
from graphbus_core.testing.harness import ClassExecutor
from tests.runtime.bounded import joined, run as bounded_run
from tests.runtime.conformance.world import until
from tests.runtime.nats_server import NatsServer, needs_nats
from tests.runtime.telemetry.test_telemetry import First, Second, Third

pytestmark = needs_nats
needs_openssl = pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the certificates")

# What docs/beyond-one-process.md says that an account needs, and nothing besides.
RIGHTS = '["shop.>", "_INBOX.>", "$JS.API.>", "$JS.ACK.>", "$KV.shop-nodes.>"]'
ACCOUNTS = """
accounts {
  SHOP: { jetstream: enabled, users: [
    { user: shop, password: "s3cret", permissions: { publish: RIGHTS, subscribe: RIGHTS } }
    { nkey: NKEY, permissions: { publish: RIGHTS, subscribe: RIGHTS } }
  ] }
  OTHER: { users: [ { user: other, password: "x" } ] }
}
"""


BUILD = SharedBuild(BuildContracts("d", {}, {}), {}, {}, frozenset())


def key(folder):
    """A new key's public name; its seed is in the file `user.nk`."""
    import nkeys

    seed = bytes(nkeys.encode_seed(os.urandom(32), nkeys.PREFIX_BYTE_USER))
    (folder / "user.nk").write_bytes(seed)
    return nkeys.from_seed(bytearray(seed)).public_key.decode()


def certificates(folder):
    """`ca.pem`, and a certificate with its key for `server` and for `client`."""

    def openssl(*args):
        subprocess.run(["openssl", *args], cwd=folder, check=True, capture_output=True, timeout=60)

    # Of elliptic curves: making a key of RSA takes as long as its luck, and most of this test.
    new = ["req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    strict = ["-addext", "keyUsage=critical,keyCertSign,cRLSign"]  # Python 3.13 asks this of who signs
    openssl(*new, "-x509", "-days", "2", "-keyout", "ca.key", "-out", "ca.pem", "-subj", "/CN=Test CA", *strict)
    (folder / "names").write_text(
        "subjectAltName=DNS:localhost,IP:127.0.0.1\nsubjectKeyIdentifier=hash\nauthorityKeyIdentifier=keyid\n"
    )
    for who in ("server", "client"):
        openssl(*new, "-keyout", f"{who}.key", "-out", f"{who}.csr", "-subj", f"/CN={who}")
        signed = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2", "-extfile", "names"]
        openssl("x509", "-req", "-in", f"{who}.csr", *signed, "-out", f"{who}.pem")


def settings(server, scheme, space, **environment):
    return BusSettings(f"{scheme}://localhost:{server.port}/{space}", environment=environment, connect_s=20.0)


def works(given):
    """One event through three nodes, two of them in another runtime."""
    with (
        ClassExecutor([First, Second, Third], "off", nodes={"First"}, transport=NatsTransport(given)) as one,
        ClassExecutor(
            [First, Second, Third], "off", nodes={"Second", "Third"}, transport=NatsTransport(given)
        ) as other,
    ):
        one.publish("/In", {"n": 4})
        until(lambda: other.nodes["Third"].seen == [8])


def refused(given):
    async def open_it():
        transport = NatsTransport(given, build=BUILD)
        try:
            await transport.open()
        finally:
            await transport.close()

    with pytest.raises(TransportDown) as said:
        asyncio.run(asyncio.wait_for(open_it(), 60))
    return str(said.value)


def refused_at_once(given):
    """Its timeouts are longer than `refused` waits: it fails where it is the clock that refuses."""
    return refused(dataclasses.replace(given, connect_s=300.0))


@pytest.mark.timeout(400)
def test_who_may_and_who_may_not(tmp_path):
    """By password and by key; a wrong one, another account and another space are told what is missing."""
    accounts = ACCOUNTS.replace("NKEY", key(tmp_path)).replace("RIGHTS", RIGHTS)
    with NatsServer(settings=accounts) as server:
        works(settings(server, "nats", "shop", NATS_USER="shop", NATS_PASSWORD="s3cret"))
        works(settings(server, "nats", "shop", NATS_NKEY=str(tmp_path / "user.nk")))
        wrong = refused_at_once(settings(server, "nats", "shop", NATS_USER="shop", NATS_PASSWORD="wrong"))
        assert "does not let this process in" in wrong
        assert "NATS_PASSWORD" in wrong
        other = refused_at_once(settings(server, "nats", "shop", NATS_USER="other", NATS_PASSWORD="x"))
        assert "JetStream not enabled for account" in other
        books = settings(server, "nats", "books", NATS_USER="shop", NATS_PASSWORD="s3cret")
        space = refused_at_once(books)
        assert "permissions violation" in space
        assert "$KV.books-nodes.>" in space


@pytest.mark.timeout(400)
def test_dead_letters_are_refused_at_once_where_rights_are_missing():
    """The account may ask whether the stream is there, and not make it."""
    rights = '["_INBOX.>", "$JS.API.STREAM.INFO.>"]'
    user = f'user: reader, password: "x", permissions: {{ publish: {rights}, subscribe: {rights} }}'
    with NatsServer(settings=f"accounts {{ SHOP: {{ jetstream: enabled, users: [ {{ {user} }} ] }} }}") as server:
        given = settings(server, "nats", "shop", NATS_USER="reader", NATS_PASSWORD="x")
        letters = BusDeadLetters(dataclasses.replace(given, connect_s=300.0))
        caught = []

        def read():
            with pytest.raises(TransportDown) as said:
                letters.list_all()
            caught.append(str(said.value))

        thread = threading.Thread(target=read, daemon=True)
        thread.start()
        joined(thread)
        assert "permissions violation" in caught[0]


def test_one_server_of_two_that_refuses_leaves_the_other():
    """The other may be away for a moment; a server that says no twice, or both once, is an answer."""

    async def run():
        heard = ServerErrors(2)
        await heard.hear(OSError("Connection refused"))
        await heard.hear(RuntimeError("nats: 'Authentication Timeout'"))
        await heard.hear(RuntimeError("nats: 'Authorization Violation'"))
        assert not heard.refusal.done()
        await heard.hear(RuntimeError("nats: 'Authorization Violation'"))
        assert heard.refusal.done()

    bounded_run(run())


@needs_openssl
@pytest.mark.timeout(400)
def test_over_tls_both_sides_show_who_they_are(tmp_path):
    certificates(tmp_path)
    files = f'cert_file: "{tmp_path}/server.pem", key_file: "{tmp_path}/server.key", ca_file: "{tmp_path}/ca.pem"'
    with NatsServer(settings=f"tls {{ {files}, verify: true }}") as server:
        ca = {"NATS_CA": str(tmp_path / "ca.pem")}
        mine = {"NATS_CERT": str(tmp_path / "client.pem"), "NATS_KEY": str(tmp_path / "client.key")}
        works(settings(server, "tls", "shop", **ca, **mine))
        assert "NATS_CERT" in refused_at_once(settings(server, "tls", "shop", **ca))
        untrusted = refused_at_once(settings(server, "tls", "shop", **mine))
        assert "is not trusted" in untrusted
        assert "NATS_CA" in untrusted


def test_a_server_that_hangs_up_over_tls_is_no_server_that_is_off():
    """The server's reason may be lost: then a broken pipe is all that is seen of a certificate that is missing."""
    lost = BrokenPipeError(32, "Broken pipe")
    assert "NATS_CERT" in _suggest_fix(lost, over_tls=True)
    assert "nats-server -js" in _suggest_fix(lost)
    assert "nats-server -js" in _suggest_fix(ConnectionRefusedError(111, "Connection refused"), over_tls=True)
