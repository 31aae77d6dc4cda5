from thumbs import thumb
assert thumb('abcdef', 'wide')
