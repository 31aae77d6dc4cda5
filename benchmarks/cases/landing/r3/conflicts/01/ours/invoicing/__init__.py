"""Invoices in several currencies."""
