from dataclasses import dataclass


@dataclass
class PodSpec:
    namespace: str
    service_account_name: str

    @property
    def service_account(self) -> str:
        """Deprecated alias of service_account_name."""
        return self.service_account_name
