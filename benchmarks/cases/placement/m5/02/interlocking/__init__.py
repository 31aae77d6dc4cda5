"""Signal box of a branch line."""
from .layout import Route, ROUTES

__all__ = ["Route", "ROUTES"]
