"""
The format of a connector's files, written once: a class for each object in them, a field for each key.

From these classes come the values that the files are read to (`read`), the JSON Schemas that check them here and in
editors (`json_schema`), and the reference of the documentation. What crosses keys is checked elsewhere.

What a call needs as it is in the file runs as it is: the classes of requests, ways of paging and ways to sign in stand
in modules of their own beside this package, with what they do.
"""
