from idle import idle
from sessions import Session

assert idle([Session("ann")]) == []
