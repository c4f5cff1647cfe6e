"""Every shipped function as a tool of every vendor, against the types of the vendor's published SDK."""

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import botocore.session
import jsonschema
import pytest
from anthropic.types import ToolParam
from botocore.validate import ParamValidator
from google.genai.types import JSONSchema, Schema
from google.genai.types import Tool as GeminiTool
from openai.types.chat import ChatCompletionFunctionToolParam
from openai.types.responses import FunctionToolParam
from pydantic import ConfigDict, TypeAdapter

from service_client import Function
from service_client.testing import FakeService
from service_client.tools import ANTHROPIC, BEDROCK, GEMINI, OPENAI, OPENAI_CHAT, Tools

STRICT = ConfigDict(extra="forbid")
NAME = re.compile(r"[a-zA-Z_][a-zA-Z0-9_-]{0,62}")  # fits all: Bedrock's is in its model, the others' in their texts
PARAMETER = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]{0,63}")


@pytest.fixture(scope="module")
def tools(shipped: list[Function]) -> Tools:
    """All shipped functions, and one with all that a schema can have."""
    return Tools(FakeService().client(), shipped)


@pytest.fixture(scope="module")
def some(shipped: list[Function]) -> Iterator[Tools]:
    """As many functions as OpenAI takes at a time, until each had its turn."""
    return (Tools(FakeService().client(), shipped[first : first + 128]) for first in range(0, len(shipped), 128))


def objects(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A schema and all within it."""
    yield schema
    for inner in schema.get("properties", {}).values():
        yield from objects(inner)
    if "items" in schema:
        yield from objects(schema["items"])


def check_schema(schema: dict[str, Any]) -> None:
    """Raise unless it is of the draft 2020-12; several vendors get the same."""
    check_schema_text(json.dumps(schema, sort_keys=True))


@cache
def check_schema_text(text: str) -> None:
    """Raise unless it is."""
    jsonschema.Draft202012Validator.check_schema(json.loads(text))


def test_names_fit_every_vendor(tools: Tools) -> None:
    """Those of tools, and those of parameters at any depth."""
    for tool in tools:
        assert NAME.fullmatch(tool.name)
        assert tool.name == tool.function.name
        assert 1 <= len(tool.description) <= 1024
        assert all(
            PARAMETER.fullmatch(name) for each in objects(dict(tool.parameters)) for name in each.get("properties", {})
        )


def test_openai(some: Iterator[Tools]) -> None:
    """Both APIs; the schemas are JSON Schema, lists say of what."""
    responses = TypeAdapter(list[FunctionToolParam], config=None)
    count = 0
    for tools in some:
        count += len(definitions := tools.definitions(OPENAI))
        assert definitions == responses.validate_python(definitions)
        for each in definitions:
            assert set(each) <= FunctionToolParam.__annotations__.keys()
            check_schema(each["parameters"])
            assert {"type", "properties", "required"} >= each["parameters"].keys()
            assert all("items" in inner for inner in objects(each["parameters"]) if inner["type"] == "array")
        chat = tools.definitions(OPENAI_CHAT)
        assert chat == TypeAdapter(list[ChatCompletionFunctionToolParam]).validate_python(chat)
    assert count > 700


def test_anthropic(tools: Tools) -> None:
    """Its input schemas are of the draft 2020-12."""
    definitions = tools.definitions(ANTHROPIC)
    TypeAdapter(list[ToolParam]).validate_python(definitions)
    for each in definitions:
        assert {"name", "description", "input_schema"} == each.keys()
        assert "object" == each["input_schema"]["type"]
        check_schema(each["input_schema"])


def test_gemini(tools: Tools) -> None:
    """The SDK takes no key that it doesn't know, and makes an own schema of each that says an object's fields."""
    definitions = tools.definitions(GEMINI)
    declarations = GeminiTool.model_validate(definitions[0]).function_declarations
    assert len(list(tools)) == len(declarations)
    for each in declarations:
        if each.parameters_json_schema is None:
            continue
        read = JSONSchema.model_validate(each.parameters_json_schema)
        Schema.from_json_schema(json_schema=read, raise_error_on_unsupported_field=False)
        for inner in objects(each.parameters_json_schema):
            # What Google lists for parametersJsonSchema.
            assert inner.keys() <= {
                "type",
                "format",
                "description",
                "enum",
                "items",
                "minimum",
                "maximum",
                "properties",
                "additionalProperties",
                "required",
            }
            assert inner["type"] != "object" or inner.get("properties") or inner["additionalProperties"] is True
            assert "" not in inner.get("enum", ())
            assert all(PARAMETER.fullmatch(name) for name in inner.get("properties", {}))


def test_bedrock(tools: Tools) -> None:
    """The model of Converse that botocore validates requests by, and the limits in it that it leaves to the server."""
    model = botocore.session.get_session().get_service_model("bedrock-runtime")
    shape = model.operation_model("Converse").input_shape
    definitions = tools.definitions(BEDROCK)
    report = ParamValidator().validate({"modelId": "m", "toolConfig": {"tools": definitions}}, shape)
    assert not report.has_errors(), report.generate_report()

    name = model.shape_for("ToolName")
    assert (64, "[a-zA-Z0-9_-]+") == (name.metadata["max"], model._service_description["shapes"]["ToolName"]["pattern"])
    for each in definitions:
        assert {"type", "properties", "required"} >= each["toolSpec"]["inputSchema"]["json"].keys()
