"""
The parameters of paths and queries, with their limits.

What is given as a limit of its own is checked by the framework. What stands in `schema_extra` is only described here:
the handler refuses it in its own words, or there is nothing of such a name.
"""

from typing import Annotated, Literal, TypeAlias

from litestar.params import HeaderParameter, PathParameter, QueryParameter

LARGEST_ID = 2**53 - 1
LONGEST_CURSOR = 2000
LONGEST_PROMPT_CHARACTERS = 4000
LONGEST_KEY_CHARACTERS = 255
APP_NAME_PATTERN = "^[a-z][a-z0-9_]{0,63}$"
FUNCTION_NAME_PATTERN = "^[a-z][a-z0-9_]*-[a-z0-9-]+$"
LONGEST_FUNCTION_NAME = 64
APP_NAME = {"type": "string", "pattern": APP_NAME_PATTERN}
FUNCTION_NAME = {"type": "string", "pattern": FUNCTION_NAME_PATTERN, "maxLength": LONGEST_FUNCTION_NAME}

AppName: TypeAlias = Annotated[str, PathParameter(schema_extra={"pattern": APP_NAME_PATTERN})]
FunctionName: TypeAlias = Annotated[
    str, PathParameter(schema_extra={"pattern": FUNCTION_NAME_PATTERN, "max_length": LONGEST_FUNCTION_NAME})
]
SessionId: TypeAlias = Annotated[str, PathParameter(schema_extra={"pattern": "^[A-Za-z0-9_-]{1,64}$"})]
AccountId: TypeAlias = Annotated[int, PathParameter(ge=1, le=LARGEST_ID)]
GivenAccountId: TypeAlias = Annotated[int | None, QueryParameter(ge=1, le=LARGEST_ID)]
GivenApps: TypeAlias = Annotated[
    str | None,
    QueryParameter(
        max_length=4000,
        schema_extra={"pattern": "^[a-z][a-z0-9_]*(,[a-z][a-z0-9_]*)*$"},
    ),
]
GivenInclude: TypeAlias = Literal["outcome"] | None
GivenCursor: TypeAlias = Annotated[str | None, QueryParameter(max_length=LONGEST_CURSOR)]
GivenPrompt: TypeAlias = Annotated[
    str | None, QueryParameter(schema_extra={"min_length": 1, "max_length": LONGEST_PROMPT_CHARACTERS})
]
GivenKey: TypeAlias = Annotated[
    str | None,
    HeaderParameter(
        name="Idempotency-Key",
        schema_extra={"min_length": 1, "max_length": LONGEST_KEY_CHARACTERS, "pattern": "^[ -~]*$"},
    ),
]
