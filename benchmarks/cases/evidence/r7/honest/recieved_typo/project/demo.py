from archive import Archive
from mailbox import Mailbox

print(len(Mailbox().next()), Archive().keep(86400))
