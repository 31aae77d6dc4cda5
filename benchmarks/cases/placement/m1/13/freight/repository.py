from abc import ABC, abstractmethod
from typing import Optional


class Repository(ABC):
    @abstractmethod
    def save(self, key: str, value: str) -> None: ...

    @abstractmethod
    def load(self, key: str) -> Optional[str]: ...


class InMemoryRepository(Repository):
    def __init__(self) -> None:
        self._rows: dict[str, str] = {}

    def save(self, key: str, value: str) -> None:
        self._rows[key] = value

    def load(self, key: str) -> Optional[str]:
        return self._rows.get(key)
