from .tariff import TariffService
from .repository import InMemoryRepository, Repository

REPOSITORY: Repository = InMemoryRepository()
