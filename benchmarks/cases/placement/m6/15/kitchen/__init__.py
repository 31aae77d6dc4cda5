"""Recipes, units and what they need."""
from .recipes import find

__all__ = ["find"]
