"""Small text services."""
