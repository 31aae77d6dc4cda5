"""Every exception of GraphBus, in one tree. This module knows nothing else of the program.

    GraphBusError                      anything that we raise on purpose
    ├── UsageError                     bad input; the message says what to do next (exit code 2)
    │   ├── ConfigError                a setting that cannot be
    │   ├── ScanError                  a source that cannot be read, named with line and reason
    │   ├── ContractError              a contract or a JSON Schema that means nothing
    │   ├── ScenarioError              a scenario, script or prompt that cannot be, with file and line
    │   ├── ArtifactError              `.graphbus/` missing, altered or of a newer format
    │   │   └── ArtifactMissing        nothing is there at all (also a FileNotFoundError)
    │   ├── BadHandler                 not callable, or with a signature that no event fits (also a ValueError)
    │   ├── BadPayload                 not a dict, or not JSON where a journal is on (also a TypeError)
    │   ├── UnknownNode                with the nearest name (also a ValueError)
    │   ├── UnknownMethod              with the nearest name (also a ValueError and an AttributeError)
    │   └── UnknownTopic               declared by nobody, with the nearest name (also a ValueError)
    ├── IllegalMove                    our own code broke a protocol: a bug, never a participant's fault
    ├── LogDamaged                     a log that is torn, altered or foreign; what is valid before it is kept
    ├── Locked                         another live process holds what we need
    ├── ParticipantError               who answers failed for good (a missing key, an unknown model)
    └── RuntimeFault                   a fault of running code
        ├── NotRunning                 the runtime is not started, or has no bus (also a RuntimeError)
        ├── NodeFailed                 a node that cannot be imported, made or started; says which and why
        ├── PolicyRefused              a call, a publish or a subscription that the policy's rules do not allow
        ├── PayloadRejected            a payload that breaks its contract, with the path
        ├── DeadlineExceeded           a call or a stop that took longer than it may
        ├── QueueFull                  back-pressure, when the setting is to raise
        ├── TransportDown              a broker that cannot be reached, or did not confirm an event
        ├── ContractChanged            a build that does not fit the one that runs, with the payload that proves it
        └── RemoteError                what a node in another process raised, of a type that is not known here

Expected failure (a refused edit, a failed gate, a bad answer) is a value, not an exception.
"""


class Interruption(BaseException):
    """Raised into running code from outside, by a timer or a signal: whoever lets it pass did not fail."""


class GraphBusError(Exception):
    """Anything that GraphBus raises on purpose."""


class UsageError(GraphBusError):
    """Bad input. The message is one paragraph: what happened, to what, and what to do next."""


class Unavailable(UsageError):
    """What was asked is well formed; the project as it stands does not have what it needs, such as git."""


class ConfigError(UsageError):
    """A setting that cannot be: out of range, contradictory, unknown."""


class NothingToResume(UsageError):
    """`--resume` found no negotiation that was begun and not ended. The command line starts a new one then."""


class UnknownCommit(UsageError):
    """No commit of this name was ever made here, so there is nothing to take back."""


class ScanError(UsageError):
    """A source that cannot be read. Names file, line and reason."""


class UnreadableSourceError(ScanError):
    """One file that is not Python of this version, or cannot be opened; the rest of its project may be read."""

    def __init__(self, message: str, file: str, line: int, reason: str) -> None:
        super().__init__(message)
        self.file, self.line, self.reason = file, line, reason


class NoAgentsError(ScanError):
    """A folder without a single agent: Python of another kind, or none. `is_unreadable`: there may be some in files
    that cannot be read."""

    def __init__(self, message: str, is_unreadable: bool = False) -> None:
        super().__init__(message)
        self.is_unreadable = is_unreadable


class ContractError(UsageError):
    """A contract or a JSON Schema that means nothing."""


class ScenarioError(UsageError):
    """A scenario, script or prompt that cannot be. Names file and line where it can."""


class ArtifactError(UsageError):
    """Artifacts that are missing, altered or of a newer format. Names the file."""


class ArtifactMissing(ArtifactError, FileNotFoundError):
    """There is no build, or a file of it is gone."""


class BadHandler(UsageError, ValueError):
    """A handler that can never be called with an event. Said when it is registered (seed 002 §5.3: ValueError)."""


class BadPayload(UsageError, TypeError):
    """A payload that is not a dict, or cannot be written as JSON where a journal is on."""


class UnknownNode(UsageError, ValueError):
    """No node of that name (seed 002 §5.5: ValueError)."""


class UnknownMethod(UsageError, AttributeError, ValueError):
    """The node has no such method (seed 002 §5.5 lets the AttributeError of `getattr` out)."""


class UnknownTopic(UsageError, ValueError):
    """A topic that nobody ever declared, where payload checks are enforced."""


class IllegalMove(GraphBusError):
    """Our own code broke a protocol. Nothing was changed. A participant's bad answer never raises this."""


class LogDamaged(GraphBusError):
    """A log that is torn, altered, foreign or shorter than its recorded head."""


class Locked(GraphBusError):
    """Another live process holds what we need. Names the holder."""


class ParticipantError(GraphBusError):
    """Who answers cannot answer at all: a missing key, an unknown model, a missing extra."""


class RuntimeFault(GraphBusError):
    """A fault of running code, as opposed to a fault of its use."""


class NotRunning(RuntimeFault, RuntimeError):
    """The runtime is not started, or runs without a message bus (seed 002 §5.5: RuntimeError)."""


class NodeFailed(RuntimeFault):
    """A node that could not be imported, made or started, or whose state could not be stored."""


class PolicyRefused(RuntimeFault):
    """What a rule of the policy does not allow; names the rule."""


class PayloadRejected(RuntimeFault):
    """A payload that breaks its contract; says topic or method, path, expected and got. `path` is the field's."""

    def __init__(self, message: str, path: str = "") -> None:
        super().__init__(message)
        self.path = path


class MappingFailed(PayloadRejected):
    """A conversion of a mapping raised on what was published; says the mapping, the field, the value and the error."""


class DeadlineExceeded(RuntimeFault):
    """A call or a stop took longer than it may."""


class QueueFull(RuntimeFault):
    """A bounded queue is full and the setting for that is to raise."""


class TransportDown(RuntimeFault):
    """A broker that cannot be reached, refused an event, or did not confirm it in time."""


class RemoteError(RuntimeFault):
    """What a method of a node in another process raised, where its type is not known here. Names type and text."""


class ContractChanged(RuntimeFault):
    """A build whose contracts do not fit those of the build that runs; with the payload that proves it."""
