"""What every transport must do: `suite.py`. One file a transport beside it."""
