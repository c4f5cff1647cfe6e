"""GraphQL schemas as descriptions: queries are validated against them, and variables against the declared types."""

import json
from collections.abc import Callable, Iterator, Mapping

from attrs import frozen
from graphql import (
    GraphQLError,
    GraphQLSchema,
    OperationDefinitionNode,
    build_client_schema,
    build_schema,
    parse,
    validate,
)
from graphql.execution.values import get_variable_values

from tests.connectors.descriptions.description import Description
from tests.connectors.descriptions.packages import Members
from tests.connectors.descriptions.sent import Sent

ReadSchema = Callable[[Mapping[str, str]], GraphQLSchema]


def schema_language(texts: Mapping[str, str]) -> GraphQLSchema:
    """Read files in GraphQL's schema definition language."""
    return build_schema("\n".join(texts.values()), assume_valid=True)


def introspection(texts: Mapping[str, str]) -> GraphQLSchema:
    """Read the answer to an introspection query, kept in one file."""
    (text,) = texts.values()
    return build_client_schema(json.loads(text)["data"], assume_valid=True)


def graphql_endpoint(url: str, kept: Members, reader: ReadSchema = schema_language) -> Description:
    """Describe one address that takes queries; `reader` makes the schema of the kept members."""
    way = "GraphQL: queries and the types of their variables"
    return Description((kept,), way, lambda: GraphQLJudge(url, reader(kept.texts())))


@frozen
class GraphQLJudge:
    """An address and the schema behind it."""

    url: str
    schema: GraphQLSchema

    def faults(self, request: Sent) -> Iterator[str]:
        """See `Judge`."""
        if (request.method, request.url, request.query) != ("POST", self.url, ()):
            yield f"queries are sent by POST to {self.url}, without a query in the address"
        elif not isinstance(request.body, dict) or not isinstance(request.body.get("query"), str):
            yield "the body has no query"
        else:
            yield from self._query_faults(request.body["query"], request.body.get("variables") or {})

    def _query_faults(self, query: str, variables: dict[str, object]) -> Iterator[str]:
        try:
            document = parse(query)
        except GraphQLError as error:
            yield error.message
            return
        found = [error.message for error in validate(self.schema, document)]
        yield from found
        for operation in document.definitions if not found else ():
            if isinstance(operation, OperationDefinitionNode):
                values = get_variable_values(self.schema, operation.variable_definitions or (), variables)
                yield from [error.message for error in values] if isinstance(values, list) else []
                declared = {each.variable.name.value for each in operation.variable_definitions or ()}
                for name in sorted(set(variables) - declared):
                    yield f"the variable ${name} isn't declared by the query"
