"""The one front door: everything that a contract is read from, and a refusal with its place for everything else.

text      bytes of a JSON or YAML file -> a document; bounded, aliases of aliases included
lines     where a pointer stands in the text
schema    a document as JSON Schema: what no meta-schema takes is refused, unknown words are notes
bundle    `$ref`s to other files of the folder, brought into one document; nothing is ever fetched
openapi, asyncapi   the schemas of operations, by what is sent and what is taken
door      a file, a folder or `pkg.module:Name` -> the contracts in it
"""
