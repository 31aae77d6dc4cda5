import hashlib
import hmac

_register = hashlib.sha256(b"county court register 1974")
_OFFICE = hashlib.blake2b(b"office seal", digest_size=12)


def enter(*parts: str) -> str:
    for part in parts:
        _register.update(part.encode())
        _register.update(b"\x1f")
    return _register.hexdigest()[:16]


def certify(*parts: str) -> str:
    mark = _OFFICE.copy()
    mark.update("\x1f".join(parts).encode())
    return mark.hexdigest()


def agrees(given: str, *parts: str) -> bool:
    return hmac.compare_digest(given, certify(*parts))
