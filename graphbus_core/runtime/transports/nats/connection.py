"""The connection: where the server is, who we are there, and the streams and buckets that a space needs."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import ssl
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar
from urllib.parse import urlsplit

from graphbus_core.errors import ConfigError, TransportDown
from graphbus_core.runtime.transports.nats.key_places import ConsumerPlace
from graphbus_core.runtime.transports.nats.servers import explain_refused_server
from graphbus_core.runtime.transports.nats.space import DEFAULT_SPACE, SpaceNames

log = logging.getLogger("graphbus.runtime")
SCHEMES = ("nats", "tls", "ws", "wss")
# A server's words for who may not come in, and for what they may not do. Its "authentication timeout" is left out: a
# client that was slow once may try again.
NOT_LET_IN = (
    *("authorization violation", "authentication expired", "authentication revoked"),
    *("bad certificate", "certificate required", "unknown ca", "certificate verify failed"),  # TLS, of either side
)
CONSUMERS_AT_ONCE = 256  # in one answer of the server
STAND_IN_S = 300.0  # of a consumer that holds events while the true one is made anew
ATTEMPTS_LAST_S = 14 * 24 * 3600.0
NOT_ALLOWED = "permissions violation"
_MADE_BY_ANOTHER = (10058, 10065)  # the server's codes: that name is in use, those subjects overlap
T = TypeVar("T")


@dataclass(frozen=True)
class BusSettings:
    """How to reach the bus. `url` may name several servers, with commas, and after a `/` the space.

    `duplicates_s`: for how long the server knows ids. `max_bytes` bounds the stream of events: a full one refuses what
    is published, and forgets nothing. `replicas` is for a cluster.
    `allow_server`: also one of a version that is known to lose events.
    """

    url: str
    duplicates_s: float = 120.0
    max_bytes: int = -1
    replicas: int = 1
    ack_wait_s: float = 30.0
    lease_s: float = 6.0
    connect_s: float = 5.0
    give_up_s: float = 60.0
    allow_server: bool = field(
        default_factory=lambda: os.environ.get("GRAPHBUS_NATS_ALLOW_SERVER", "") not in ("", "0")
    )
    environment: Mapping[str, str] = field(default_factory=lambda: dict(os.environ), repr=False)

    @classmethod
    def from_environment(cls, url: str) -> BusSettings:
        """With what the environment says besides: GRAPHBUS_NATS_ACK_WAIT_S, …_LEASE_S, …_REPLICAS, …_MAX_BYTES."""
        settings: dict[str, Any] = {}
        for name, kind in (("ack_wait_s", float), ("lease_s", float), ("replicas", int), ("max_bytes", int)):
            variable = f"GRAPHBUS_NATS_{name.upper()}"
            if text := os.environ.get(variable):
                try:
                    settings[name] = kind(text)
                except ValueError:
                    raise ConfigError(f"{variable} is {text!r}; it must be a number.") from None
        return cls(url, **settings)

    @property
    def servers(self) -> list[str]:
        """The servers' URLs, without the space."""
        urls = []
        for address in self.url.split(","):
            parts = urlsplit(address if "://" in address else f"nats://{address}")
            if parts.scheme not in SCHEMES or not parts.hostname:
                raise ConfigError(
                    f"{address!r} is not an address of a bus; use nats://host:4222, tls://host or nats://host/shop."
                )
            urls.append(f"{parts.scheme}://{parts.netloc}")
        return urls

    @property
    def public_url(self) -> str:
        """The first server and the space, without a password."""
        return f"{_hide_password(self.servers[0])}/{self.space}"

    @property
    def space(self) -> str:
        """What stands after the `/`."""
        last = self.url.rsplit(",", 1)[-1]
        path = urlsplit(last if "://" in last else f"nats://{last}").path
        return path.strip("/") or DEFAULT_SPACE

    def build_options(self) -> dict[str, Any]:
        """Credentials and TLS, from the environment under the names that the `nats` command uses too."""
        env = self.environment
        credentials = {
            "user_credentials": env.get("NATS_CREDS"),
            "nkeys_seed": env.get("NATS_NKEY"),
            "user": env.get("NATS_USER"),
            "password": env.get("NATS_PASSWORD"),
            "token": env.get("NATS_TOKEN"),
        }
        options: dict[str, Any] = {name: value for name, value in credentials.items() if value}
        ca, certificate, key = env.get("NATS_CA"), env.get("NATS_CERT"), env.get("NATS_KEY")
        if ca or certificate or any(server.startswith(("tls:", "wss:")) for server in self.servers):
            try:
                context = ssl.create_default_context(cafile=ca)
                if certificate:
                    context.load_cert_chain(certificate, key)
            except (OSError, ssl.SSLError) as error:
                raise ConfigError(f"TLS to the bus: {error}. NATS_CA, NATS_CERT and NATS_KEY name PEM files.") from None
            options["tls"] = context
        return options


class ServerErrors:
    """What goes wrong on a connection outside its requests. A request that a server refuses for want of rights gets no
    answer: the reason comes here.
    """

    def __init__(self, servers: int) -> None:
        self.last: BaseException | None = None
        self.refusal: asyncio.Future[BaseException] = asyncio.get_running_loop().create_future()
        self._may_refuse = servers  # one that is away may still let us in

    async def hear(self, problem: BaseException) -> None:
        """As nats-py calls it."""
        self.last = problem
        log.info("nats: %s", problem or type(problem).__name__)
        text = str(problem).lower()
        if any(words in text for words in NOT_LET_IN):
            self._may_refuse -= 1
        elif NOT_ALLOWED not in text:
            return
        if (self._may_refuse <= 0 or NOT_ALLOWED in text) and not self.refusal.done():
            self.refusal.set_result(problem)

    async def or_refused(self, work: Coroutine[Any, Any, T]) -> T:
        """What `work` gives. Raises the server's refusal as soon as there is one: waiting longer changes nothing."""
        task = asyncio.ensure_future(work)
        try:
            either: list[asyncio.Future[Any]] = [task, self.refusal]
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            if task.done():
                return task.result()
            raise self.refusal.result()
        finally:
            if not task.done():
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)


async def connect(settings: BusSettings, back: Callable[[], Awaitable[None]], name: str) -> Any:
    """A connection that comes back by itself; `back` is called when it did. Raises TransportDown."""
    from nats.aio.client import Client

    connection: Any = Client()
    logging.getLogger("asyncio").addFilter(_is_not_eof_warning)
    server_errors = ServerErrors(len(settings.servers))

    async def warn_away() -> None:
        if not connection.is_closed:
            log.warning("the bus at %s is away; what is published waits for it", settings.servers[0])

    connecting = connection.connect(
        settings.servers,
        name=name,
        error_cb=server_errors.hear,
        disconnected_cb=warn_away,
        reconnected_cb=back,
        connect_timeout=max(1, int(settings.connect_s)),
        reconnect_time_wait=0.2,
        max_reconnect_attempts=-1,
        ping_interval=10,
        skip_subject_validation=True,  # subjects are made in `names`, and nowhere else
        pending_size=64 * 1024 * 1024,
        **settings.build_options(),
    )
    try:
        await asyncio.wait_for(server_errors.or_refused(connecting), settings.connect_s)
    except Exception as error:
        with contextlib.suppress(Exception):
            await connection.close()
        # The server hangs up after its reason: a connection that was reset may be the last that was heard.
        refusal = server_errors.refusal.result() if server_errors.refusal.done() else None
        why = refusal or server_errors.last or error
        cannot = "does not let this process in" if refusal else "cannot be reached"
        if isinstance(why, ssl.SSLCertVerificationError):
            cannot = "is not trusted"
        raise TransportDown(
            f"The bus at {', '.join(map(_hide_password, settings.servers))} {cannot}: {why or type(why).__name__}. "
            f"{_suggest_fix(why, 'tls' in settings.build_options())}"
        ) from None
    connection.server_errors = server_errors
    return connection


def require_safe_server(connection: Any, settings: BusSettings) -> None:
    """Raise TransportDown where the server's version is known to lose events, unless that is allowed."""
    refusal = explain_refused_server(str(connection.connected_server_version))
    if refusal is None:
        return
    if not settings.allow_server:
        raise TransportDown(refusal)
    log.warning("%s It is used all the same.", refusal.partition(". ")[0] + ".")


def _suggest_fix(why: BaseException, over_tls: bool = False) -> str:
    """What to do next, by what went wrong."""
    text = str(why).lower()
    if isinstance(why, ModuleNotFoundError):
        return "Keys and credentials need it: pip install 'graphbus-core[nats]'."
    if "authorization" in text or "authentication" in text:
        return "Give a name and its password (NATS_USER, NATS_PASSWORD), NATS_TOKEN, NATS_CREDS or NATS_NKEY."
    # Over TLS 1.3 a server that misses our certificate hangs up; its reason may be lost: all we see is a broken pipe.
    hung_up = over_tls and (isinstance(why, BrokenPipeError | ConnectionResetError) or "eof" in text)
    if hung_up or isinstance(why, ssl.SSLError) or "ssl" in text or "tls" in text:
        return "NATS_CA names the PEM file of who signed the server's certificate, NATS_CERT and NATS_KEY your own."
    return "Start it (`nats-server -js`), or give its address with --bus."


def build_refusal(connection: Any, settings: BusSettings, error: Exception) -> TransportDown:
    """What the server did not let this process do: it answers nothing, and tells the connection why."""
    refusal = connection.server_errors.refusal
    why = str(refusal.result()) if refusal.done() else str(error) or type(error).__name__
    space = settings.space
    return TransportDown(
        f"The bus at {_hide_password(settings.servers[0])} did not do what the space '{space}' needs: {why}. "
        f"An account needs "
        f"publish and subscribe on {space}.>, _INBOX.>, $JS.API.>, $JS.ACK.> and $KV.{space}-nodes.>."
    )


def _is_not_eof_warning(record: logging.LogRecord) -> bool:
    """asyncio warns of how nats-py ends a connection over TLS, each time one ends; it means nothing to anybody here."""
    return "returning true from eof_received" not in record.getMessage()


async def prepare(connection: Any, settings: BusSettings, names: SpaceNames) -> tuple[Any, Any]:
    """Make the streams and the bucket of the space where they are not there. Raises TransportDown."""
    from nats.js import api, errors

    js = connection.jetstream(timeout=settings.connect_s)
    # Interest: an event goes when every consumer has acknowledged it, so the store holds what is still to be done.
    # New: a full store refuses, and the publisher learns of it; it never forgets what nobody has handled.
    events = api.StreamConfig(
        name=names.stream,
        subjects=[names.events],
        retention=api.RetentionPolicy.INTEREST,
        discard=api.DiscardPolicy.NEW,
        duplicate_window=settings.duplicates_s,
        max_bytes=settings.max_bytes,
        num_replicas=settings.replicas,
    )
    dead = api.StreamConfig(
        name=names.dead_stream,
        subjects=[names.dead_letters],
        max_msgs_per_subject=1,  # one letter for each event and handler, however often it is put there
        num_replicas=settings.replicas,
    )
    attempts = api.StreamConfig(
        name=names.attempt_stream,
        subjects=[names.attempts],
        max_msgs_per_subject=1,
        max_age=ATTEMPTS_LAST_S,  # of an event that was thrown away with its consumer
        num_replicas=settings.replicas,
    )
    outcomes = api.StreamConfig(
        name=names.outcome_stream,
        subjects=[names.outcomes],
        max_age=ATTEMPTS_LAST_S,  # of what a process left that was killed
        num_replicas=settings.replicas,
    )
    try:
        for config in (events, dead, attempts, outcomes):
            try:
                await js.stream_info(config.name)
            except errors.NotFoundError:
                await _create_with_retry(partial(js.add_stream, config))
        bucket = await _create_with_retry(
            partial(js.create_key_value, bucket=names.bucket, history=1, replicas=settings.replicas)
        )
    except Exception as error:
        if "no responders" in str(error).lower() or isinstance(error, errors.NoStreamResponseError):
            error = RuntimeError("JetStream is off there; start the server with `nats-server -js`")
        raise TransportDown(f"The bus at {_hide_password(settings.servers[0])} cannot keep events: {error}.") from None
    return js, bucket


async def _create_with_retry(make: Callable[[], Awaitable[Any]]) -> Any:
    """What `make` makes, though another process of the space makes the same at this moment.

    Making it twice is not an error, unless the server is still at the first: then subjects overlap, or the name is
    in use.
    """
    from nats.js.errors import BadRequestError

    for wait_s in (0.05, 0.1, 0.2, 0.4, None):
        try:
            return await make()
        except BadRequestError as error:
            if wait_s is None or error.err_code not in _MADE_BY_ANOTHER:
                raise
            await asyncio.sleep(wait_s)


async def ensure_consumer(js: Any, stream: str, place: ConsumerPlace, settings: BusSettings) -> None:
    """Make a durable consumer where it is not there yet.

    Where it is ordered, the server gives nothing out while an event is not acknowledged: a pause before the next
    attempt, a process that died and a lost message all hold back what comes after.
    """
    from nats.js import errors

    try:
        await js.add_consumer(stream, _build_consumer_config(place, settings))
    except errors.BadRequestError:
        existing = await js.consumer_info(stream, place.name)
        if existing.config.filter_subject != place.subject:
            raise


def _build_consumer_config(place: ConsumerPlace, settings: BusSettings) -> Any:
    from nats.js import api

    return api.ConsumerConfig(
        durable_name=place.name,
        description=place.handler[:200],
        deliver_policy=api.DeliverPolicy.ALL,
        ack_policy=api.AckPolicy.EXPLICIT,
        ack_wait=settings.ack_wait_s,
        max_deliver=-1,  # the verdict says when it is enough, and puts the event among the dead letters
        max_ack_pending=1 if place.is_ordered else 10_000,
        filter_subject=place.subject,
        num_replicas=settings.replicas if settings.replicas > 1 else None,
    )


async def read_consumers(js: Any, stream: str) -> list[Any]:
    """Every consumer of a stream, as the server tells of it. Raises NotFoundError."""
    infos: list[Any] = []
    while True:
        some = await js.consumers_info(stream, len(infos))
        infos += some
        if len(some) < CONSUMERS_AT_ONCE:
            return infos


async def recreate_consumer(js: Any, stream: str, place: ConsumerPlace, settings: BusSettings) -> None:
    """Make a durable consumer anew: it gives out everything of its topic that the stream still holds.

    The stream forgets what no consumer wants. So another one stands in for it meanwhile, which the server removes by
    itself where this process is killed in between.
    """
    from nats.js import errors

    name = place.name
    config = _build_consumer_config(place, settings)
    stand_in = config.evolve(durable_name=None, name=f"{name}-stand-in", inactive_threshold=STAND_IN_S)
    await js.add_consumer(stream, stand_in)
    try:
        with contextlib.suppress(errors.NotFoundError):
            await js.delete_consumer(stream, name)
        await js.add_consumer(stream, config)
    except Exception:
        with contextlib.suppress(Exception):  # else whoever looks next makes it
            await js.add_consumer(stream, config)
        raise
    with contextlib.suppress(Exception):  # the server removes it by itself
        await js.delete_consumer(stream, stand_in.name)


def _hide_password(server: str) -> str:
    """The address without what stands before its `@`: a password is nobody's business."""
    parts = urlsplit(server)
    host = parts.hostname or ""
    return f"{parts.scheme}://{host}{f':{parts.port}' if parts.port else ''}"
