"""What people ask afterwards: why this deal, who gave what, what came second, what would change it, how firm it is."""
