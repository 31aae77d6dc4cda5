"""A dead letter goes to the handler that failed and to nobody else, or stays."""

import asyncio

import pytest

from graphbus_core.errors import PayloadRejected, RuntimeFault, UsageError
from graphbus_core.runtime.message_bus import MessageBus
from graphbus_core.runtime.payloads import PayloadChecks

NUMBER = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}


@pytest.fixture
def bus():
    bus = MessageBus()
    yield bus
    bus.home.close()


def fails(event):
    raise ValueError("no")


def letter_of(bus):
    (letter,) = bus.dead_letters
    return letter


def test_a_letter_that_nobody_hears_stays(bus, caplog):
    bus.subscribe("/T", fails, "h")
    bus.publish("/T", {})
    bus.unsubscribe("/T", fails)
    bus.subscribe("/T", lambda e: pytest.fail("it has had the event"), "other")
    assert not bus.retry_dead_letter(letter_of(bus))
    assert letter_of(bus).count == 1
    assert "no 'h' listens to /T now" in caplog.text


def test_a_letter_of_a_direct_call_stays(bus, caplog):
    from graphbus_core.model.message import Event

    bus.note_violation(Event("m1", "X.m input", "me", {}), "X.m", PayloadRejected("X.m input: bad."))
    bus.subscribe("**", lambda e: pytest.fail("no event was published"), "all")
    (letter,) = bus.dead_letters
    letter.delivered = False
    assert not bus.retry_dead_letter(letter)
    assert "make the call again" in caplog.text


def test_what_enforced_checks_refused_is_refused_again():
    got = []
    bus = MessageBus(checks=PayloadChecks("enforce", {"/T": NUMBER}))
    bus.subscribe("/T", got.append, "h")
    with pytest.raises(PayloadRejected):
        bus.publish("/T", {"n": "one"})
    assert not bus.retry_dead_letter(letter_of(bus))
    assert got == []
    letter_of(bus).event["payload"] = {"n": 1}
    assert bus.retry_dead_letter(letter_of(bus))
    assert [event.payload for event in got] == [{"n": 1}]


def test_two_handlers_of_one_name_have_a_letter_each(bus):
    """Each is delivered to its own handler."""
    broken, got = [True], []

    def named(name):
        def handler(event):
            if broken:
                raise ValueError(name)
            got.append(name)

        return handler

    for name in "ab":
        bus.subscribe("/T", named(name))
    bus.publish("/T", {})
    first, second = bus.dead_letters
    assert [(one.subscriber, one.error, one.count) for one in (first, second)] == [
        ("unknown", "a", 1),
        ("unknown#2", "b", 1),
    ]
    broken.clear()
    assert bus.retry_dead_letter(second)
    assert got == ["b"]
    assert bus.retry_dead_letter(first)
    assert got == ["b", "a"]


@pytest.mark.parametrize("seen_before", [True, False])
def test_inside_a_loop_the_async_form_is_asked_for(bus, seen_before):
    """Waiting there would be for ever; nothing is tried before that is said."""
    broken, got = [True], []

    async def handler(event):
        if broken:
            raise ValueError("no")
        got.append(event.payload)

    bus.subscribe("/T", handler if seen_before else lambda e: handler(e), "h")

    async def main():
        await bus.apublish("/T", {"n": 1})
        with pytest.raises(RuntimeFault, match="aretry_dead_letter"):
            bus.retry_dead_letter(letter_of(bus))
        assert letter_of(bus).count == 1
        assert not await bus.aretry_dead_letter(letter_of(bus))
        assert letter_of(bus).count == 2
        broken.clear()
        assert await bus.aretry_dead_letter(letter_of(bus))

    asyncio.run(asyncio.wait_for(main(), 10))
    assert got == [{"n": 1}]
    assert len(bus.dead_letters) == 0


def test_a_payload_can_be_mended_for_the_retry(caplog):
    """It must fit the contract, also where payloads are not checked; the letter keeps what came, and says what was
    changed by name."""
    bus, broken, got = MessageBus(checks=PayloadChecks("off", {"/T": NUMBER})), [True], []

    def handler(payload):
        if broken or payload["n"] == 1:
            raise ValueError(f"no {payload['n']}")
        got.append(payload)

    bus.subscribe("/T", handler, "h")
    bus.publish("/T", {"n": 1})
    with pytest.raises(UsageError, match="does not fit the contract of /T"):
        bus.retry_dead_letter(letter_of(bus), {"n": "2"})
    assert letter_of(bus).count == 1
    assert not bus.retry_dead_letter(letter_of(bus), {"n": 2})
    assert (letter_of(bus).event["payload"], letter_of(bus).error) == ({"n": 1}, "no 2 (with other values of n)")
    broken.clear()
    assert bus.retry_dead_letter(letter_of(bus), {"n": 2})
    assert (got, len(bus.dead_letters)) == ([{"n": 2}], 0)
    assert "was delivered with other fields: n" in caplog.text
    bus.home.close()


def test_hidden_fields_are_given_for_the_retry_and_never_kept():
    """A letter that lacks them can be delivered with the real values; what a handler then says of them is not kept."""
    bus = MessageBus()
    bus.subscribe("/T", lambda payload: (_ for _ in ()).throw(ValueError(payload["key"])), "h")
    bus.publish("/T", {"key": "***"})
    letter_of(bus).redacted = True
    with pytest.raises(UsageError, match="were hidden"):
        bus.retry_dead_letter(letter_of(bus), {"key": "***"})
    assert not bus.retry_dead_letter(letter_of(bus), {"key": "secret"})
    assert letter_of(bus).error == "not kept (with other values of key)"
    assert "secret" not in str(letter_of(bus).to_dict())
    bus.home.close()
