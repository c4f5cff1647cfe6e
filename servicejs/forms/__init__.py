"""
Function forms without any I/O: JSON Schema and meta become fields, edits become values, values become arguments.

`fields` says what a form has, `values` what was filled in, `sources` and `listings` what source functions list,
`problems` what is wrong, `form` holds them together, and `field_views`, `form_view` and `choices` hand
it to the templates.
"""
