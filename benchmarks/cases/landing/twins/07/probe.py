from banner import banner
assert banner('hey') == 'hey'
