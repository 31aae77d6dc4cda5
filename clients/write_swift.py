"""The Swift client: one file, Foundation alone, a Codable struct for every body."""

from __future__ import annotations

import re
from collections.abc import Iterator

from clients.reading import Api, Field, Model, Operation, Type

PLAIN = {
    "string": "String",
    "integer": "Int",
    "number": "Double",
    "boolean": "Bool",
    "json": "JSONValue",
    "object": "[String: JSONValue]",
    "words": "String",
    "union": "JSONValue",
}
WORDS = frozenset(
    [
        "as",
        "break",
        "case",
        "class",
        "default",
        "do",
        "else",
        "enum",
        "extension",
        "false",
        "for",
        "func",
        "if",
        "import",
        "in",
        "init",
        "is",
        "let",
        "nil",
        "operator",
        "private",
        "protocol",
        "public",
        "repeat",
        "return",
        "self",
        "static",
        "struct",
        "super",
        "switch",
        "throw",
        "true",
        "try",
        "var",
        "where",
        "while",
    ]
)
HEAD = """// Generated from the OpenAPI document of {title} {version} by `python -m clients`. Do not edit.

import Foundation

/// A user's own JSON: a payload, a schema, an answer.
public enum JSONValue: Codable, Equatable {{
    case null
    case bool(Bool)
    case integer(Int)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    public init(from decoder: Decoder) throws {{
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {{
            self = .null
        }} else if let value = try? container.decode(Bool.self) {{
            self = .bool(value)
        }} else if let value = try? container.decode(Int.self) {{
            self = .integer(value)
        }} else if let value = try? container.decode(Double.self) {{
            self = .number(value)
        }} else if let value = try? container.decode(String.self) {{
            self = .string(value)
        }} else if let value = try? container.decode([JSONValue].self) {{
            self = .array(value)
        }} else {{
            self = .object(try container.decode([String: JSONValue].self))
        }}
    }}

    public func encode(to encoder: Encoder) throws {{
        var container = encoder.singleValueContainer()
        switch self {{
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }}
    }}
}}

/// The server refused: problem details (RFC 9457).
public struct Refused: Error {{
    public let problem: Problem
}}
"""
CLIENT = """
/// Every call. `address` is where the server is, as `http://127.0.0.1:8420`.
public final class GraphBus {{
    public let address: String
    public let token: String
    private let session: URLSession

    public init(address: String, token: String, session: URLSession = .shared) {{
        self.address = address
        self.token = token
        self.session = session
    }}

    /// Messages as they happen; `asyncapi.json` describes them. Give `after` as STREAM:N to miss nothing.
    public func stream(after: String? = nil) -> URLSessionWebSocketTask {{
        var components = URLComponents(string: address.replacingOccurrences(of: "http", with: "ws", options: .anchored))!
        components.path = "{base}/stream"
        if let after = after {{
            components.queryItems = [URLQueryItem(name: "after", value: after)]
        }}
        var request = URLRequest(url: components.url!)
        request.setValue("Bearer " + token, forHTTPHeaderField: "Authorization")
        return session.webSocketTask(with: request)
    }}

    private func send<Result: Decodable>(
        _ method: String, _ path: String, _ query: [String: String?] = [:], _ body: Data? = nil
    ) async throws -> Result {{
        var components = URLComponents(string: address + "{base}" + path)!
        let said = query.compactMap {{ name, value in value.map {{ URLQueryItem(name: name, value: $0) }} }}
        if !said.isEmpty {{
            components.queryItems = said
        }}
        var request = URLRequest(url: components.url!)
        request.httpMethod = method
        request.httpBody = body
        request.setValue("Bearer " + token, forHTTPHeaderField: "Authorization")
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        let (data, response) = try await session.data(for: request)
        guard let status = (response as? HTTPURLResponse)?.statusCode, status < 400 else {{
            throw Refused(problem: try JSONDecoder().decode(Problem.self, from: data))
        }}
        return try JSONDecoder().decode(Result.self, from: data)
    }}

    private func escaped(_ text: String) -> String {{
        return text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? text
    }}
"""


def write(api: Api) -> str:
    """The whole file."""
    parts = [HEAD.format(title=api.title, version=api.version)]
    for model in api.models:
        parts.extend(_model(model))
    parts.append(CLIENT.format(base=api.base))
    for operation in api.operations:
        parts.extend(_operation(operation))
    parts.append("}")
    return "\n".join(parts) + "\n"


def spelled(kind: Type) -> str:
    """A type as Swift has it."""
    match kind.kind:
        case "list":
            text = f"[{spelled(kind.of[0])}]"
        case "map":
            text = f"[String: {spelled(kind.of[0])}]"
        case "ref":
            text = kind.name
        case plain:
            text = PLAIN[plain]
    return f"{text}?" if kind.nullable else text


def _model(model: Model) -> Iterator[str]:
    yield f"\n/// {model.says or model.name}"
    yield f"public struct {model.name}: Codable, Equatable {{"
    for one in model.fields:
        if one.says:
            yield f"    /// {one.says}"
        yield f"    public var {_name(one.name)}: {_held(one)}"
    if any(_camel(one.name) != one.name for one in model.fields):
        yield "\n    enum CodingKeys: String, CodingKey {"
        for one in model.fields:
            yield f'        case {_name(one.name)} = "{one.name}"'
        yield "    }"
    takes = ", ".join(f"{_name(one.name)}: {_held(one)}{'' if one.required else ' = nil'}" for one in model.fields)
    yield f"\n    public init({takes}) {{"
    for one in model.fields:
        yield f"        self.{_camel(one.name)} = {_name(one.name)}"
    yield "    }\n}"


def _held(one: Field) -> str:
    text = spelled(one.type)
    return text if one.required or text.endswith("?") else f"{text}?"


def _operation(one: Operation) -> Iterator[str]:
    takes = [f"{_name(field.name)}: {spelled(field.type)}" for field in one.in_path]
    if one.body is not None:
        takes.append(f"body: {spelled(one.body)}{'' if one.body_required else '? = nil'}")
    takes += [f"{_name(field.name)}: {_held(field).rstrip('?')}? = nil" for field in one.in_query]
    path = re.sub(r"\{(\w+)\}", lambda m: f"\\(escaped({_name(m[1])}))", one.path)
    query = ", ".join(f'"{field.name}": {_text(field)}' for field in one.in_query)
    given = [f'"{one.method}"', f'"{path}"', f"[{query}]" if query else "[:]"]
    if one.body is not None:
        given.append(
            "try JSONEncoder().encode(body)" if one.body_required else "try body.map { try JSONEncoder().encode($0) }"
        )
    yield f"\n    /// {one.says}"
    yield f"    public func {one.id}({', '.join(takes)}) async throws -> {spelled(one.result)} {{"
    yield f"        return try await send({', '.join(given)})"
    yield "    }"


def _text(field: Field) -> str:
    name = _name(field.name)
    return name if field.type.kind in ("string", "words") else f"{name}.map {{ String($0) }}"


def _camel(name: str) -> str:
    head, *rest = name.split("_")
    return head + "".join(part[:1].upper() + part[1:] for part in rest)


def _name(name: str) -> str:
    text = _camel(name)
    return f"`{text}`" if text in WORDS else text
