def page(ticket):
    lines = [f"# {ticket.subject}"]
    for m in reversed(ticket.messages()):
        lines.append(f"{m.author}: {m.text}")
    return "\n".join(lines)
