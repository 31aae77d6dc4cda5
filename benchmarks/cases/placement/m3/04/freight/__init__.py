from .network import ROADS

__all__ = ["ROADS"]
