"""Tickets: a mail becomes a ticket, the ticket finds a team, the team's answer goes out. One arbiter at the table."""

from benchmarks.intents_cases.case import Intent, Project

TICKETS = Project(
    "tickets",
    {
        "desk/__init__.py": "",
        "desk/intake.py": '''"""Taking mails in."""

from graphbus_core import GraphBusNode, schema_method


class Intake(GraphBusNode):
    """Makes a ticket of a mail."""

    SYSTEM_PROMPT = "I take mails in. What the customer wrote stays as it was written."

    @schema_method(
        input_schema={"sender": str, "mail": str},
        output_schema={"ticket": {"sender": str, "subject": str, "body": str, "raw": str}},
    )
    def take(self, sender, mail):
        subject, _, body = mail.partition("\\n")
        return {"ticket": {"sender": sender, "subject": subject.strip(), "body": body.strip(), "raw": mail}}
''',
        "desk/routing.py": '''"""Who looks after what."""

from graphbus_core import GraphBusNode, depends_on, schema_method

BLOCKED = ("spam@example.org", "noreply@example.org")
TEAMS = {"invoice": "billing", "password": "accounts"}


class Router(GraphBusNode):
    """Finds the team for a ticket."""

    SYSTEM_PROMPT = "I find the team. Nobody waits because I was not sure."

    @depends_on("Intake.take")
    @schema_method(
        input_schema={"ticket": {"sender": str, "subject": str, "body": str}},
        output_schema={"team": str, "subject": str, "to": str},
    )
    def route(self, ticket):
        team = "support"
        for word, owner in TEAMS.items():
            if word in ticket["subject"].lower():
                team = owner
        if ticket["sender"] in BLOCKED:
            team = "trash"
        return {"team": team, "subject": ticket["subject"], "to": ticket["sender"]}
''',
        "desk/replies.py": '''"""What customers hear first."""

from graphbus_core import GraphBusNode, depends_on, schema_method

DEADLINES = {"billing": "2 days", "accounts": "4 hours"}


class Responder(GraphBusNode):
    """Writes the first answer."""

    SYSTEM_PROMPT = "I promise only what the team can keep."

    @depends_on("Router.route")
    @schema_method(input_schema={"team": str, "subject": str, "to": str}, output_schema={"mail": str})
    def reply(self, team, subject, to):
        if team == "trash":
            return {"mail": ""}
        deadline = DEADLINES.get(team, "1 day")
        return {"mail": f"To: {to}\\nRe: {subject}\\n\\nThe team {team} answers within {deadline}."}


class Lead(GraphBusNode):
    """Settles what the others cannot."""

    SYSTEM_PROMPT = "I lead the desk. Customers first, then simplicity."
    IS_ARBITER = True
''',
    },
    """
from desk.intake import Intake
from desk.routing import Router
from desk.replies import Responder
def mail(sender, text):
    return Responder().reply(**Router().route(**Intake().take(sender=sender, mail=text)))["mail"]
got = mail("a@b.c", "My invoice\\nIt is wrong.")
assert got == "To: a@b.c\\nRe: My invoice\\n\\nThe team billing answers within 2 days.", got
assert mail("a@b.c", "Hi\\n").endswith("The team support answers within 1 day.")
assert mail("spam@example.org", "Win\\n") == ""
""",
)
MAIL = """
from desk.intake import Intake
from desk.routing import Router
from desk.replies import Responder
def mail(sender, text):
    return Responder().reply(**Router().route(**Intake().take(sender=sender, mail=text)))["mail"]
"""

INTENTS = (
    Intent(
        "tickets-urgent",
        TICKETS,
        "A mail with the word outage in its subject or body is urgent: it goes to the team oncall, and the answer "
        "promises 1 hour.",
        MAIL + "for text in ('Outage!\\nhelp', 'Hello\\nwe have an outage'):\n"
        "    assert mail('a@b.c', text).endswith('The team oncall answers within 1 hour.'), mail('a@b.c', text)\n"
        "assert mail('spam@example.org', 'Outage\\n') == ''",
    ),
    Intent(
        "tickets-blocked",
        TICKETS,
        "Blocked senders are blocked whichever way their address is capitalised. The answer still goes to the address "
        "as the customer wrote it.",
        MAIL + "assert mail('Spam@Example.org', 'Win\\n') == ''\nassert 'To: A@b.C' in mail('A@b.C', 'Hi\\n')",
    ),
    Intent(
        "tickets-german",
        TICKETS,
        "Where the body of a mail begins with 'Hallo', the last sentence of the answer is in German: 'Das Team TEAM "
        "antwortet in DEADLINE.', with team and deadline as they are.",
        MAIL + "got = mail('a@b.c', 'Invoice\\nHallo, die Rechnung ist falsch.')\n"
        "assert got == 'To: a@b.c\\nRe: Invoice\\n\\nDas Team billing antwortet in 2 days.', got\n"
        "assert mail('a@b.c', 'Invoice\\nHello').endswith('The team billing answers within 2 days.')",
    ),
    Intent(
        "tickets-raw",
        TICKETS,
        "Nobody reads the field raw of a ticket. Remove it.",
        MAIL + "assert set(Intake().take(sender='a', mail='b\\nc')['ticket']) == {'sender', 'subject', 'body'}",
    ),
)
