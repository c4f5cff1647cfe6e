"""Descriptions by GraphQL notice what is wrong with a request, and nothing else."""

import json
from typing import Any

import pytest
from graphql import build_schema

from tests.connectors.descriptions.description import AnyJudge
from tests.connectors.descriptions.graphql_schema import GraphQLJudge
from tests.connectors.descriptions.graphql_types import generated_types
from tests.connectors.judging import faults

GRAPHQL = GraphQLJudge(
    "https://notes.example/graphql",
    build_schema(
        "type Query { note(id: ID!, size: Size): Note } type Note { title: String } input Size { width: Int! }"
    ),
)


@pytest.mark.parametrize(
    ("query", "variables", "expected"),
    [
        (
            "query($id: ID!, $size: Size) { note(id: $id, size: $size) { title } }",
            '{"id": "1", "size": {"width": 1}}',
            None,
        ),
        ("{ note(id: 1) { titel } }", "{}", "Cannot query field 'titel' on type 'Note'"),
        ("{ note(id: 1) { title }", "{}", "Syntax Error"),
        ("query($id: ID!) { note(id: $id) { title } }", "{}", "Variable '$id'"),
        ("query($id: ID!) { note(id: $id) { title } }", '{"id": "1", "x": 1}', "the variable $x isn't declared"),
        ("query($s: Size) { note(id: 1, size: $s) { title } }", '{"s": {"height": 1}}', "unknown field 'height'"),
    ],
)
def test_graphql(query: str, variables: str, expected: str | None) -> None:
    """A schema tells unknown fields, and variables that are missing, unknown or of another type."""
    body = f'{{"query": "{query}", "variables": {variables}}}'.encode()
    found = faults(GRAPHQL, "POST", "https://notes.example/graphql", body)

    assert [] == found if expected is None else any(expected in each for each in found)
    assert [] != faults(GRAPHQL, "POST", "https://notes.example/graphq", body)


def test_one_of_several_descriptions_has_to_agree() -> None:
    """A request that no description of an app agrees with is at fault by each of them."""
    other = GraphQLJudge("https://notes.example/other", GRAPHQL.schema)
    judge = AnyJudge((GRAPHQL, other))
    body = b'{"query": "{ note(id: 1) { title } }"}'

    assert [] == faults(judge, "POST", "https://notes.example/other", body)
    assert 2 == len(faults(judge, "POST", "https://notes.example/neither", body))


GENERATED = """
export declare enum Size { /** Small. */ Small = "small", Big = "big" }
/** The queries. */
export type Query = {
  __typename?: "Query";
  /** One: a note. */
  note?: Maybe<Note>;
  notes: Array<Note>;
  found: Found;
};
export type QueryNoteArgs = {
  id: Scalars["ID"]["input"];
  filter?: InputMaybe<Filter>;
};
export type Note = Node & {
  __typename?: "Note";
  id: Scalars["ID"]["output"];
  title: Scalars["String"]["output"];
  size?: Maybe<Size>;
};
export type NoteTitleArgs = {
  sizes?: Array<Size>;
};
type Found = Note | Person;
type Person = {
  name: Scalars["String"]["output"];
};
type Filter = {
  size: Size;
  and?: Array<Filter>;
};
"""


@pytest.mark.parametrize(
    ("query", "variables", "expected"),
    [
        (
            "query($id: ID!, $f: Filter) { note(id: $id, filter: $f) { id title(sizes: [big]) } notes { size } }",
            {"id": "1", "f": {"size": "small", "and": [{"size": "big"}]}},
            None,
        ),
        ("{ found { ... on Note { title } ... on Person { name } } }", {}, None),
        ("{ note { title } }", {}, "ID!"),
        ("{ notes { name } }", {}, "Cannot query field 'name'"),
        ("{ note(id: 1, filter: {size: huge}) { title } }", {}, "huge"),
        ("query($f: Filter) { note(id: 1, filter: $f) { title } }", {"f": {"and": []}}, "'size'"),
    ],
)
def test_schema_of_generated_types(query: str, variables: dict[str, Any], expected: str | None) -> None:
    """A schema is read from types that were generated of it: nullness, lists, arguments, enumerations and unions."""
    judge = GraphQLJudge("https://notes.example/graphql", generated_types({"types.d.ts": GENERATED}))
    body = json.dumps({"query": query, "variables": variables}).encode()
    found = faults(judge, "POST", "https://notes.example/graphql", body)

    assert [] == found if expected is None else any(expected in each for each in found)
