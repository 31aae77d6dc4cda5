"""What billing's CI would hold with Pact: the pact of the shop is played to the running service.

python billing_pact.py PACT.json http://127.0.0.1:PORT
"""

import sys

from pact import Verifier

try:
    Verifier("billing", host="127.0.0.1").add_transport(url=sys.argv[2]).add_source(sys.argv[1]).verify()
except RuntimeError as refused:
    sys.exit(f"the pact is not honored: {refused}")
