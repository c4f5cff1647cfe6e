// Writes types of TypeScript as JSON Schemas, as the compiler understands them.
//
//     node types_as_schemas.mjs <folder with tsconfig.json> <file>
//
// The file exports one interface `Calls`; of each of its members the type is written. The answer goes to standard
// output: `{"schemas": {<member>: <schema>}, "optional": [<member>], "problems": […], "$defs": {…}}`; optional are members
// that may be undefined, problems are what the compiler found. Where a type may be anything, its schema says `untyped`.

import { API, SymbolFlags, TypeFlags } from "typescript/unstable/sync";

const [folder, file] = process.argv.slice(2);
const api = new API({ cwd: folder });
const project = api.updateSnapshot({ openProjects: [`${folder}/tsconfig.json`] }).getProject(`${folder}/tsconfig.json`);
const { checker, program } = project;
const definitions = {};
const names = new Map(); // of types that are being written, or are written

const MAYBE_NOTHING = TypeFlags.Undefined | TypeFlags.Void | TypeFlags.Any | TypeFlags.Unknown;

/** Whether a value may be left out. */
function isOptional(symbol, type) {
  const parts = type.isUnionType() ? type.getTypes() : [type];
  return Boolean(symbol.flags & SymbolFlags.Optional) || parts.some((part) => part.flags & MAYBE_NOTHING);
}

function union(types) {
  const values = [];
  const others = [];
  let both = 0;
  for (const type of types) {
    if (type.flags & (TypeFlags.Undefined | TypeFlags.Void | TypeFlags.Never)) continue;
    if (type.flags & TypeFlags.BooleanLiteral) both += 1;
    else if (type.flags & (TypeFlags.StringLiteral | TypeFlags.NumberLiteral)) values.push(type.value);
    else others.push(type);
  }
  if (others.length === 1 && !both && !values.length) return schema(others[0]);
  // As the compiler has it, an object may hold keys of several members of a union, if it fits one of them.
  const written = others.map((other) => open(schema(other)));
  if (both) written.push({ type: "boolean" });
  if (values.length) written.push({ enum: values });
  return written.length ? { anyOf: written, unevaluatedProperties: false } : false;
}

function open(written) {
  const { unevaluatedProperties, ...others } = written;
  return others;
}

function object(type) {
  if (checker.isArrayType(type)) return { type: "array", items: schema(checker.getTypeArguments(type)[0]) };
  if (checker.isTupleType(type)) return { type: "array", items: union(checker.getTypeArguments(type)) };
  // A function is nothing that is sent.
  if (checker.getSignaturesOfType(type, 0).length) return false;
  const properties = {};
  const required = [];
  const symbols = checker.getPropertiesOfType(type);
  const types = symbols.length ? checker.getTypeOfSymbol(symbols) : [];
  symbols.forEach((symbol, index) => {
    properties[symbol.name] = schema(types[index]);
    if (!isOptional(symbol, types[index])) required.push(symbol.name);
  });
  const index = checker.getIndexInfosOfType(type);
  const written = { type: "object", properties, required };
  if (index.length) written.additionalProperties = union(index.map((each) => each.valueType));
  else if (!symbols.length) written.additionalProperties = ANYTHING;
  return written;
}

const ANYTHING = { untyped: true };

// Dates are sent as texts, and what a file is sent as differs.
const MADE_BY_OTHERS = new Set(["Date", "Blob", "File", "Buffer", "Uint8Array", "ReadableStream", "FormData"]);

/** Write one type; an object that has a name, or holds itself, is written once. */
function schema(type) {
  const { flags } = type;
  if (flags & (TypeFlags.Any | TypeFlags.Unknown | TypeFlags.TypeParameter)) return ANYTHING;
  if (flags & TypeFlags.Null) return { type: "null" };
  if (flags & (TypeFlags.Undefined | TypeFlags.Void | TypeFlags.Never)) return false;
  if (type.isUnionType()) return union(type.getTypes());
  if (flags & (TypeFlags.StringLiteral | TypeFlags.NumberLiteral | TypeFlags.BooleanLiteral)) return union([type]);
  if (flags & (TypeFlags.String | TypeFlags.TemplateLiteral | TypeFlags.StringMapping)) return { type: "string" };
  if (flags & (TypeFlags.Number | TypeFlags.BigInt)) return { type: "number" };
  if (flags & TypeFlags.Boolean) return { type: "boolean" };
  if (!(flags & (TypeFlags.Object | TypeFlags.Intersection))) return ANYTHING;
  const symbol = type.getSymbol();
  if (symbol && MADE_BY_OTHERS.has(symbol.name)) return symbol.name === "Date" ? { type: "string" } : {};
  // A text with a mark on it, which only the compiler sees.
  if (type.isIntersectionType() && type.getTypes().some((part) => part.flags & TypeFlags.String)) return { type: "string" };
  if (!names.has(type.id)) {
    names.set(type.id, `T${names.size}`);
    definitions[names.get(type.id)] = object(type);
  }
  return { $ref: `#/$defs/${names.get(type.id)}`, unevaluatedProperties: false };
}

const source = program.getSourceFile(file);
const calls = checker.getExportsOfModule(checker.getSymbolAtLocation(source)).find((each) => each.name === "Calls");
const members = checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(calls));
const schemas = {};
const optional = [];
checker.getTypeOfSymbol(members).forEach((type, index) => {
  schemas[members[index].name] = schema(type);
  if (isOptional(members[index], type)) optional.push(members[index].name);
});
const problems = program.getSemanticDiagnostics(file).map((each) => each.text);
api.close();
process.stdout.write(JSON.stringify({ schemas, optional, problems, $defs: definitions }));
