"""Loading connectors: everything that is wrong is told at once, by file, line and key."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from service_server.catalog.check import check
from service_server.catalog.load import SHIPPED, connector_named, load_catalog, load_connector
from service_server.catalog.problems import CatalogError
from tests.service_server.catalog.connector_folder import ConnectorFolder, connector_with, minimal_function, parameter

Change = Callable[[ConnectorFolder], object]


def test_the_least_connector_loads(tmp_path: Path) -> None:
    """A connector with the required keys loads, with its function and the generated passthrough."""
    ConnectorFolder().write(tmp_path)

    catalog = load_catalog([tmp_path])

    assert ("acme-find", "acme-passthrough-request") == catalog.names()
    assert [] == check(tmp_path)


def test_problems_name_file_line_and_key(tmp_path: Path) -> None:
    """Each problem has the file, the line of the key, the key's path, and a suggestion where one is near."""
    folder = ConnectorFolder().write(tmp_path)
    file = folder / "functions" / "make.yaml"
    file.write_text(
        "# a comment\n"
        "type: mutation\n"
        "title: Make\n"
        "description: Make a thing.\n"
        "request:\n"
        "  post: /things\n"
        "  body:\n"
        "    name: ${args.nmae}\n"
        "    size: ${args.size}\n"
        "parameters:\n"
        "  type: object\n"
        "  required: [name, colour]\n"
        "  properties:\n"
        "    name: {type: string, title: Name, description: The name.}\n"
        "    size: {type: string, title: Size, description: The size.}\n"
    )
    bad_form = folder / "functions" / "odd.yaml"
    bad_form.write_text("type: query\ntitle: Odd\ndescripton: Odd.\nrequest: {get: /x}\nparameters: {type: object}\n")

    with pytest.raises(CatalogError) as error:
        load_catalog([tmp_path])

    assert [
        (file, 12, "parameters.required[1]", "'colour' is not in 'properties'"),
        (bad_form, 1, "", "the key 'description' is missing"),
        (bad_form, 3, "descripton", "unknown key 'descripton'; did you mean 'description'?"),
        (bad_form, 5, "parameters", "the key 'properties' is missing"),
    ] == [(found.file, found.line, found.key, found.message) for found in error.value.problems]
    assert f"{bad_form}:3: descripton: unknown key" in str(error.value)

    file.write_text(file.read_text().replace(", colour", ""))
    bad_form.unlink()
    assert [
        (8, "request.body.name", "there is no parameter nmae; did you mean 'name'?"),
        (9, "request.body.size", "write ${args.size?}, because size is not required"),
    ] == [(found.line, found.key, found.message) for found in load_connector(folder)[1]]


def in_connector(**changes: Any) -> Change:
    """Change keys of the connector."""
    return lambda folder: folder.connector.update(changes)


def way(declared: dict[str, Any], **changes: Any) -> Change:
    """Give the connector one way to sign in, with other keys."""
    return in_connector(auth=[{**declared, **changes}])


def variable(**declared: Any) -> Change:
    """Give the connector the variable x."""
    return in_connector(vars={"x": {"title": "X", **declared}})


def in_function(**changes: Any) -> Change:
    """Change keys of the function."""
    return lambda folder: folder.functions["find"].update(changes)


def request(**declared: Any) -> Change:
    """Give the function another request."""
    return in_function(request=declared)


def graphql(query: str, **variables: Any) -> Change:
    """Have the function send a GraphQL operation."""
    return request(post="/graphql", graphql={"query": query, "variables": variables})


def with_parameters(required: tuple[str, ...] = (), **properties: Any) -> Change:
    """Give the function parameters, and a query that sends them all."""
    query = {name: f"${{args.{name}{'' if name in required else '?'}}}" for name in properties}
    schema = {"type": "object", "required": list(required), "properties": properties}
    return in_function(parameters=schema, request={"get": "/things", "query": query})


def with_source(other: dict[str, Any], **source: Any) -> Change:
    """Give the function a parameter whose values another one lists."""

    def change(folder: ConnectorFolder) -> None:
        folder.functions["list-things"] = minimal_function() | other
        declared = {"function": "list-things", "value": "id", "label": "name", **source}
        with_parameters(a=parameter(**{"x-source": declared}), b=parameter())(folder)

    return change


BEARER = {"header": {"Authorization": "Bearer ${token.access_token}"}}
OAUTH: dict[str, Any] = {
    "id": "oauth",
    "type": "oauth2_code",
    "title": "Sign in",
    "authorize_url": "https://acme.example/authorize",
    "token_url": "https://acme.example/token",
    "inject": BEARER,
}
KEY: dict[str, Any] = {
    "id": "key",
    "type": "api_key",
    "title": "Key",
    "fields": {"key": {"title": "Key"}},
    "inject": {"query": {"key": "${creds.key}"}},
}
CLIENT = {"id": "c", "type": "oauth2_client_credentials", "title": "C", "token_url": "https://h/t", "inject": BEARER}
BASIC = {"id": "b", "type": "basic", "title": "B"}
SIGNED = {**KEY, "type": "jwt", "algorithm": "HS256", "key": "${creds.key}", "claims": {"iss": "us"}, "inject": BEARER}
LOGIN = {
    "id": "login",
    "type": "token_exchange",
    "title": "Log in",
    "fields": {"name": {"title": "Name", "secret": False}, "password": {"title": "Password"}},
    "login": {"post": "/login", "body": {"name": "${creds.name}", "password": "${creds.password}"}},
    "token": {"access_token": "body.token"},
    "inject": BEARER,
}
ME = {"get": "/me"}
LOOKUP = {"request": {"get": "/first"}, "gives": {"id": "body.id"}}
BY_USER = {"title": "X", "set_by": "user"}
TOKEN_URL = "auth[0].token_url"
LESS_THAN_100 = "4 is less than the minimum of 100 (A status of the answer, or several.)"


def choosing(**changes: Any) -> Change:
    """Have users choose a site after they have signed in."""
    then = {"request": {"get": "/sites"}, "sets": "site", "value": "id", "label": "name", **changes}
    variables = {"site": {"title": "Site", "set_by": "choice"}}
    return in_connector(vars=variables, allow_hosts=["acme.example"], auth=[{**OAUTH, "then": then}])


RECONNECT = {"kind": "reconnect"}

FILE = {"type": "object", "required": ["file"], "properties": {"file": parameter(format="file")}}
OF_P = {
    "parameters": {"type": "object", "properties": {"p": parameter()}},
    "request": {"get": "/x", "query": {"p": "${args.p?}"}},
}
NEEDS_P = {"parameters": {**OF_P["parameters"], "required": ["p"]}, "request": {"get": "/${args.p}"}}
IN_A = "parameters.properties.a"
SOURCE = f"{IN_A}.x-source"

PROBLEMS: list[tuple[Change, str, str]] = [
    (way(CLIENT, token_url="/t"), "auth[0].token_url", "must be an absolute"),
    (way(CLIENT, token_url="https://acme.example:70000/"), "auth[0].token_url", "port is out of range"),
    (way(CLIENT, fields={"client_id": {"title": "I"}}), "auth[0].fields", "'client_secret'"),
    (way(CLIENT, client_auth="none"), "auth[0].client_auth", "must be one of basic, body"),
    (way(CLIENT, token_parameters={"scope": "x"}), "auth[0].token_parameters.scope", "service"),
    (way(BASIC, inject=BEARER), "auth[0].inject", "unknown"),
    (way(BASIC, username="${creds.user}"), "auth[0].username", "did you mean 'username'?"),
    (way(SIGNED, claims={"exp": 1}), "auth[0].claims.exp", "set by the service itself"),
    (way(SIGNED, algorithm="none"), "auth[0].algorithm", "must be one of"),
    (way(SIGNED, algorithm="RS256", key_encoding="hex"), "auth[0].key_encoding", "takes a key in PEM"),
    (way(SIGNED, key="${token.key}"), "auth[0].key", "'token' can't be used here"),
    (way(LOGIN, token={}), "auth[0].token", "'access_token' is missing"),
    (way(LOGIN, token={"access_token": "token"}), "auth[0].token.access_token", "must match"),
    (way(LOGIN, token={"access_token": {"from": "body.t", "unit": "s"}}), "auth[0].token.access_token", "must be text"),
    (way(LOGIN, refresh={"request": LOGIN["login"]}), "auth[0].refresh.request.body.password", "creds.password"),
    (way(LOGIN, refresh={"request": {"post": "/renew"}}), "auth[0].token", "needs 'refresh_token'"),
    (way(LOGIN, logout={"get": "/o", "body": {}}), "auth[0].logout.body", "has no body"),
    (way(KEY, injct={}), "auth[0].injct", "did you mean 'inject'?"),
    (way(KEY, inject={"query": {"k": "${creds.kee}"}}), "auth[0].inject.query.k", "creds.kee; did"),
    (way(KEY, inject={"query": {"k": "${token.k}"}}), "auth[0].inject.query.k", "'token' can't"),
    (way(OAUTH, token_url="/token"), "auth[0].token_url", "must be an absolute"),
    (way(OAUTH, token_url="https://a.example/${vars.sit"), "auth[0].token_url", "without its closing brace"),
    (way(OAUTH, authorize_url="https://[sign-in/"), "auth[0].authorize_url", "not an absolute http(s) URL"),
    (way(OAUTH, pkce="plain"), "auth[0].pkce", "must be one of S256, none"),
    (way(OAUTH, refresh={"leeway": "60"}), "auth[0].refresh.leeway", "must match"),
    (way(OAUTH, authorize_parameters={"state": "x"}), "auth[0].authorize_parameters.state", "by the service itself"),
    (choosing(output="sites[].{id: id}"), "auth[0].then.label", "what 'output' lists has no 'name'; it has id"),
    (choosing(request={"get": "https://acme.example/my sites"}), "auth[0].then.request.get", "no query, fragment or"),
    (in_connector(auth=[]), "auth", ""),
    (in_connector(auth=[{"id": "a", "type": "bacic"}]), "auth[0].type", "did you mean 'basic'?"),
    (in_connector(auth=[KEY, KEY]), "auth[1].id", "there twice"),
    (in_connector(name="other"), "name", "must be the folder's name"),
    (in_connector(titel="x"), "titel", "did you mean 'title'?"),
    (in_connector(title=""), "title", ""),
    (in_connector(base_url="api.acme.example"), "base_url", "not an absolute http(s) URL"),
    (in_connector(base_url="https://[api/"), "base_url", "not an absolute http(s) URL"),
    (in_connector(base_url="https://${vars.host}"), "base_url", "there is no vars.host"),
    (in_connector(base_url="https://${args.host}"), "base_url", "'args' can't be used here"),
    (in_connector(base_url="https://${host}"), "base_url", "unknown root 'host'"),
    (in_connector(docs_url="https://[docs/"), "docs_url", "not an absolute http(s) URL"),
    (in_connector(allow_hosts=["*"]), "allow_hosts[0]", ""),
    (variable(), "vars.x", "needs either 'set_by' or 'from'"),
    (variable(set_by="nobody"), "vars.x.set_by", "must be one of"),
    (variable(set_by="user", pattern="("), "vars.x.pattern", "regular expression"),
    (
        in_connector(vars={"x": {"title": "X", "from": "token.x"}}, base_url="${vars.x}"),
        "base_url",
        "'allow_hosts' must",
    ),
    (in_connector(vars={"x": BY_USER}, base_url="https://${vars.x}.h.example"), "vars.x", "decides where requests go"),
    (in_connector(vars={"x": BY_USER}, auth=[{**OAUTH, "token_url": "${vars.x}/t"}]), TOKEN_URL, "the client's secret"),
    (in_connector(test=ME, headers={"X-Site": "${nope.site}"}), "headers.X-Site", "unknown root 'nope'"),
    (in_connector(test={"get": "https://me.acme.example/"}), "test.get", "list its host in 'allow_hosts'"),
    (in_connector(test={"get": "http://me.acme.example/"}), "test.get", ""),
    (in_connector(test={"get": "/me/${args.x}"}), "test.get", "'args' can't be used here"),
    (in_connector(test={"gett": "/me"}), "test.gett", "unknown key"),
    (in_connector(test={"head": "/me"}), "test", "'test_answer' must be any"),
    (in_connector(test={**ME, "query": {"a": {"value": "x", "jion": ","}}}), "test.query.a.jion", "mean 'join'?"),
    (in_connector(test={**ME, "query": {"a": None}}), "test.query.a", "text or a number or true or false or an"),
    (in_connector(test_answer="any"), "test_answer", "and there is none"),
    (in_connector(account={"name": "${test.name}"}), "account.name", "'test' can't be used here"),
    (in_connector(test=ME, account={"name": "${test}"}), "account.name", "'test' is an object, which names nobody"),
    (in_connector(test=ME, account={"name": "${test.0.name}"}), "account.name", "JSON object by 'test_answer'"),
    (
        in_connector(test=ME, test_answer="list", account={"name": ["x", "${test.a}"]}),
        "account.name[1]",
        "JSON list by",
    ),
    (in_connector(test=ME, test_answer="any", account={"name": "${test.name}"}), "account.name", "nothing can be read"),
    (in_connector(errors=[{"when": {"status": [401, 4]}, **RECONNECT}]), "errors[0].when.status[1]", LESS_THAN_100),
    (in_connector(errors=[{"when": {"status": 700}, **RECONNECT}]), "errors[0].when.status", ""),
    (in_connector(errors=[{"when": {"status": "4xx"}, **RECONNECT}]), "errors[0].when.status", "a whole number or a"),
    (in_connector(errors=[{"when": {}, **RECONNECT}]), "errors[0].when", ""),
    (in_connector(errors=[{"when": {"body": {"a..b": "x"}}, **RECONNECT}]), "errors[0].when.body", "must match"),
    (in_connector(retry={"methods": ["POST"]}), "retry.methods[0]", "must be one of"),
    (in_connector(pagination={"p": {"type": "cursor", "sned": "x"}}), "pagination.p.sned", "did you mean 'send'?"),
    (in_connector(passthrough={"methods": ["TRACE"]}), "passthrough.methods[0]", "must be one of"),
    (in_connector(budget={"per": "account", "requests": 40}), "budget", "'window' is missing"),
    (in_connector(budget={"per": "user", "requests": 4, "window": "2s"}), "budget.per", "must be one of account"),
    (in_connector(budget={"per": "account", "requests": 0, "window": "2s"}), "budget.requests", ""),
    (in_connector(budget={"per": "account", "requests": 4, "window": "2"}), "budget.window", "must match"),
    (in_connector(budget={"per": "account", "requests": 4, "window": "0s"}), "budget.window", "longer than nothing"),
    (in_function(type="passthrough"), "type", "must be one of query, mutation"),
    (in_function(description=""), "description", ""),
    (in_function(auth=["kay"]), "auth[0]", "no way of signing in with the id 'kay'"),
    (in_function(auth=["open"]), "auth", "names all ways of signing in, which is so without it; leave"),
    (in_function(destructive=True), "destructive", "a query destroys nothing"),
    (in_function(type="mutation", output="data"), "output", "only queries"),
    (in_function(output="data["), "output", "is not JMESPath"),
    (in_function(output={"format": "file", "when": "as_file"}), "output.when", "no parameter 'as_file'"),
    (in_function(paginate=5), "paginate", "must be text"),
    (in_function(paginate={"type": "cursor", "send": "query.c"}), "paginate", "'next' is missing"),
    (in_function(paginate={"type": "page", "send": "query.p", "sise": 5}), "paginate.sise", "did you mean 'size'?"),
    (in_function(paginate="pages"), "paginate", "no pagination 'pages'"),
    (in_function(scopes=["things:read"]), "scopes", "no 'auth' of the type oauth2_code"),
    (in_function(scopes=[]), "scopes", ""),
    (in_function(scopes=["two words"]), "scopes[0]", ""),
    (in_function(scopes=[["one"]]), "scopes[0]", ""),
    (in_function(examples=[{"prompt": "x", "arguments": {"b": 1}}]), "examples[0].arguments", "'b' was unexpected"),
    (in_function(lookup=LOOKUP, request={"get": "/", "query": {"q": "${nope.x}"}}), "request.query.q", "root 'nope'"),
    (request(post="/", multipart={"f": {"file": "${nope.x}"}}), "request.multipart.f.file", "unknown root 'nope'"),
    (request(get="things"), "request.get", "Below the base URL"),
    (request(get="https://me.acme.example/x"), "request.get", "list its host in 'allow_hosts'"),
    (request(get="/x", post="/y"), "request", "exactly one of get"),
    (request(query={}), "request", "exactly one of get"),
    (request(get="/x/../y"), "request.get", "'..'"),
    (request(get="/x?y=1"), "request.get", "query"),
    (request(get="/${args.id}"), "request.get", "no parameter id"),
    (request(get="/x", query={"a": "${args.b"}), "request.query.a", "closing brace"),
    (request(get="/x", headers={"Authorization": "x"}), "request.headers.Authorization", "'auth'"),
    (request(get="/x", headers={"X": "${creds.key}"}), "request.headers.X", "'creds' can't"),
    (request(get="/x", body={}), "request.body", "a GET request has no body"),
    (request(get="/x", multipart={"a": 1}), "request.multipart", "a GET request has no body"),
    (request(post="/x", body={}, form={}), "request.form", "one body"),
    (request(post="/x", form={}, raw={"content": "", "type": "a/b"}), "request.raw", "one body"),
    (request(post="/x", body={}, form_lists="indexes"), "request.form_lists", "there is none"),
    (request(post="/x", raw={"content": "", "type": "text"}), "request.raw.type", "must match"),
    (request(post="/x", raw={"content": ""}), "request.raw", "needs the 'type'"),
    (request(post="/x", multipart={"a": {"file": ""}}), "request.multipart.a", "needs the 'type'"),
    (in_function(request={"get": "/${args.file}"}, parameters=FILE), "request.get", "a file can be sent in"),
    (in_function(request={"post": "/", "form": {"a": "${args.file}"}}, parameters=FILE), "request.form.a", "a file"),
    (request(put="/x", graphql={"query": "{x}"}), "request.put", "is sent with post"),
    (request(post="/x", body={}, graphql={"query": "{x}"}), "request.graphql", "one body"),
    (request(post="/x", graphql={"variables": {}}), "request.graphql", "'query' is missing"),
    (graphql("query($id: ID) {x}", idd=1), "request.graphql.variables.idd", "mean 'id'?"),
    (graphql('{x(y: "$id") # $id\n}', id=1), "request.graphql.variables.id", "has no $id"),
    (graphql("query($id: ID) {x}", id="${args.i}"), "request.graphql.variables.id", "parameter i"),
    (with_parameters(a={"type": "string", "title": "A"}), IN_A, "'description' is missing"),
    (in_function(parameters=OF_P["parameters"]), "parameters.properties.p", "nor narrows choices; use ${args.p} there"),
    (with_parameters(a=parameter("integer")), f"{IN_A}.type", "must be one of string, number"),
    (with_parameters(a=parameter("string", oneOf=[])), f"{IN_A}.oneOf", "unknown key 'oneOf'"),
    (with_parameters(a=parameter("array")), IN_A, "needs 'items'"),
    (with_parameters(a=parameter("string", minimum=1)), f"{IN_A}.minimum", "means nothing"),
    (
        with_parameters(a=parameter("number", **{"enum": [1], "x-labels": {"2": "T"}})),
        f"{IN_A}.x-labels.2",
        "in 'enum'",
    ),
    (with_parameters(a=parameter("string", pattern="(")), f"{IN_A}.pattern", "regular expression"),
    (with_parameters(a=parameter("string", default=5)), f"{IN_A}.default", "string"),
    (with_parameters(a=parameter("number", enum=["x"])), f"{IN_A}.enum", "number"),
    (with_parameters(("b",), a=parameter()), "parameters.required[0]", "not in 'properties'"),
    (with_parameters(**{"a-b": parameter()}), "parameters.properties", "must match"),
    (with_source({"type": "mutation", "request": {"post": "/x"}}), f"{SOURCE}.function", "only queries can be sources"),
    (with_source({}, function="list-thing"), f"{SOURCE}.function", "did you mean"),
    (with_source({"output": "items[?id].{id: id, title: name}"}), f"{SOURCE}.label", "no 'name'; it has id, title"),
    (with_source({}, args={"x": "1"}), f"{SOURCE}.args.x", "has no parameter 'x'"),
    (with_source({}, search="q"), f"{SOURCE}.search", "has no parameter 'q'"),
    (with_source(NEEDS_P), SOURCE, "requires the argument 'p'"),
    (with_source(OF_P, args={"p": "${args.c}"}), f"{SOURCE}.args.p", "there is no field c"),
    (with_source(OF_P, args={"p": "${args.a}"}), IN_A, "depends on itself"),
]


@pytest.mark.parametrize(("change", "key", "message"), PROBLEMS, ids=[f"{key}: {said}" for _, key, said in PROBLEMS])
def test_what_is_wrong_is_found(change: Change, key: str, message: str, tmp_path: Path) -> None:
    """Every mistake is one problem at its key, in words that help."""
    folder = ConnectorFolder()
    change(folder)

    connector, problems = load_connector(folder.write(tmp_path))

    assert connector is None
    assert [key] == [problem.key for problem in problems if message in problem.message], problems


@pytest.mark.parametrize("stem", ["Find", "find_all", "find--all", "passthrough-request", "f" * 60])
def test_function_names(stem: str, tmp_path: Path) -> None:
    """Files are named by lower-case words with hyphens, not like the generated function, and not too long."""
    folder = ConnectorFolder(functions={stem: minimal_function()}).write(tmp_path)

    connector, problems = load_connector(folder)

    assert connector is None
    assert [folder / "functions" / f"{stem}.yaml"] == [problem.file for problem in problems]


HOST = "https://${vars.site}.acme.example"


@pytest.mark.parametrize(
    ("pattern", "url", "keys"),
    [
        ("[a-z0-9][a-z0-9-]*", f"{HOST}/oauth/token", set()),
        ("[a-z.]+", f"{HOST}/token", {TOKEN_URL}),
        ("[a-z/]+", f"{HOST}/token", {TOKEN_URL}),  # a slash would end the host
        ("[+-z]+", f"{HOST}/token", {TOKEN_URL}),  # so would what lies between + and z
        (".*", f"{HOST}/token", {TOKEN_URL}),
        ("[a-z]+", "https://acme.${vars.site}/token", {TOKEN_URL}),
        ("[a-z]+", "https://${vars.site}.example/token", {TOKEN_URL}),
        ("[a-z]+", "http://${vars.site}.acme.example/token", {TOKEN_URL}),
        ("[a-z]+", f"{HOST}@evil.example/token", {TOKEN_URL}),
        ("[a-z]+", HOST + "/${vars.site}", {TOKEN_URL}),
    ],
)
def test_users_never_decide_where_the_client_secret_goes(
    pattern: str, url: str, keys: set[str], tmp_path: Path
) -> None:
    """A user's variable may be one label in front of the app's domain; what could be more is no part of addresses."""
    site = {**BY_USER, "pattern": pattern}
    problems = connector_with(vars={"site": site}, auth=[{**OAUTH, "token_url": url}]).problems(tmp_path)

    assert keys == {problem.key for problem in problems}


def test_a_faulty_source_is_told_once(tmp_path: Path) -> None:
    """A function that names a faulty one as its source has no problem of its own."""
    folder = ConnectorFolder()
    with_source({"title": ""})(folder)

    assert ["title"] == [problem.key for problem in folder.problems(tmp_path)]


def test_only_the_first_page_may_be_asked_for_by_its_number(tmp_path: Path) -> None:
    """What paging sends is its own; but a number asks for the first page, which later ones replace."""
    folder = connector_with(pagination={"pages": {"type": "page", "send": "query.page"}})
    find = folder.functions["find"]
    find.update(request={"get": "/things", "query": {"page": 1}}, paginate="pages")
    function = folder.loaded(tmp_path / "number").functions["acme-find"]
    first = function.request.build("https://h", {"args": {}})
    find["request"]["query"]["page"] = "${args.page?}"
    find["parameters"]["properties"]["page"] = parameter("number")

    assert ["is sent by the paging itself"] == [each.message for each in folder.problems(tmp_path / "parameter")]
    assert function.pagination is not None
    assert ["https://h/things?page=1", "https://h/things?page=2"] == [
        function.pagination.apply(first, position).url for position in (None, 2)
    ]


def test_one_name_once(tmp_path: Path) -> None:
    """Two connectors of one name, in two directories, are refused: neither silently wins."""
    ConnectorFolder().write(tmp_path / "a")
    ConnectorFolder().write(tmp_path / "b")

    said = f"another connector named 'acme', in {tmp_path / 'a' / 'acme'}; rename this folder"
    with pytest.raises(CatalogError, match=re.escape(said)):
        load_catalog([tmp_path / "a", tmp_path / "b"])
    with pytest.raises(CatalogError, match=re.escape(said)):
        connector_named([tmp_path / "a", tmp_path / "b"], "acme")


def test_the_names_of_the_shipped_connectors_are_taken(tmp_path: Path) -> None:
    """A folder named like an app that comes with the service is told of by the check, alone and among others."""
    changed = connector_with(name="github").write(tmp_path, "github")
    ConnectorFolder().write(tmp_path)
    said = "there is another connector named 'github', among those that come with the service; rename this folder"

    assert [True] == [problem.message.startswith(said) for problem in check(changed)]
    assert [changed / "connector.yaml"] == [problem.file for problem in check(tmp_path)]
    assert [] == check(SHIPPED / "github")
    with pytest.raises(CatalogError, match=said):
        connector_named([SHIPPED, tmp_path], "github")


def test_directories_that_hold_nothing(tmp_path: Path) -> None:
    """A directory that isn't there, a folder without its connector.yaml, an empty one and a list are told of."""
    (tmp_path / "half" / "functions").mkdir(parents=True)

    with pytest.raises(CatalogError, match="is not a directory"):
        load_catalog([tmp_path / "nowhere"])
    with pytest.raises(CatalogError, match=r"has no connector\.yaml"):
        load_catalog([tmp_path])
    (problem,) = check(tmp_path / "half" / "functions")
    assert "holds no connector: no folder with a connector.yaml" == problem.message
    folder = ConnectorFolder().write(tmp_path)
    (folder / "connector.yaml").write_text("- just\n- a list\n")
    connector, (problem,) = load_connector(folder)
    assert (None, 1, True) == (connector, problem.line, "must be an object" in problem.message)


def svg(inside: str, more: str = "") -> str:
    """Return an icon with something in it."""
    return f'<svg xmlns="http://www.w3.org/2000/svg"{more}>{inside}</svg>'


@pytest.mark.parametrize(
    ("icon", "message"),
    [
        (None, "is missing"),
        ("<svg", "is not SVG"),
        ("<html/>", "root must be an svg"),
        (svg("<script>alert(1)</script>"), "element script"),
        (svg('<style>@import "x"</style>'), "element style"),
        (svg("<foreignObject/>"), "element foreignObject"),
        (svg('<image href="https://x/y.png"/>'), "element image"),
        (svg("", ' onload="alert(1)"'), "attribute onload"),
        (svg('<use href="https://x/y.svg#a"/>'), "outside itself"),
        (svg('<use x:href="//x"/>', ' xmlns:x="http://www.w3.org/1999/xlink"'), "outside"),
        (svg("<path fill=\"url( 'https://x/y' )\"/>"), "outside itself"),
        (svg('<path style="fill:url(//x)"/>'), "outside itself"),
        ('<!DOCTYPE svg [<!ENTITY a "b">]>' + svg(""), "DOCTYPE"),
        (svg("<title>" + "x" * 70_000 + "</title>"), "larger than"),
    ],
)
def test_icons_that_are_refused(icon: str | None, message: str, tmp_path: Path) -> None:
    """An icon is a small SVG of shapes: no scripts, nothing loaded from elsewhere, no entities."""
    (problem,) = ConnectorFolder(icon=icon).problems(tmp_path)

    assert ("icon.svg", True) == (problem.file.name, message in problem.message)


def test_icons_may_refer_to_themselves(tmp_path: Path) -> None:
    """Gradients and re-used shapes are fine; the digest is that of the content."""
    icon = svg('<defs><linearGradient id="g"/></defs><path id="p" fill="url(#g)"/><use href="#p"/>')
    found = ConnectorFolder(icon=icon).loaded(tmp_path).icon

    assert (icon.encode(), "image/svg+xml", 64) == (found.content, found.media_type, len(found.digest))


def test_a_folder_may_be_named_by_a_dot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever stands in a connector's folder checks "."."""
    monkeypatch.chdir(ConnectorFolder().write(tmp_path))

    assert [] == load_connector(Path())[1]
