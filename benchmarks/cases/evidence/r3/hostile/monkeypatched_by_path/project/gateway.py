def charge(**fields):
    return f"charged {fields['amount']} {fields.get('note', '')}".strip()
