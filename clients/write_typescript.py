"""The TypeScript client: one file, `fetch` alone, `unknown` only where a user's own JSON stands."""

from __future__ import annotations

import json
from collections.abc import Iterator

from clients.reading import Api, Field, Operation, Type

PLAIN = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "json": "Json",
    "object": "JsonObject",
}
HEAD = """// Generated from the OpenAPI document of {title} {version} by `python -m clients`. Do not edit.

/** A user's own JSON: a payload, a schema, an answer. Nothing else here is of an unknown type. */
export type Json = unknown;
export type JsonObject = {{ [name: string]: Json }};

/** The server refused: problem details (RFC 9457). */
export class Refused extends Error {{
  constructor(readonly problem: Problem) {{
    super(problem.detail);
  }}
}}
"""
CLIENT = """
export type Query = {{ [name: string]: string | number | null | undefined }};

/** Every call. `address` is where the server is, as `http://127.0.0.1:8420`. */
export class GraphBus {{
  private tags = new Map<string, [string, unknown]>();

  constructor(
    readonly address: string,
    readonly token: string,
    readonly parse: (text: string) => unknown = JSON.parse,
  ) {{}}

  /** What is read is asked for with the tag of what we have: what did not change is not sent again. */
  private async send(method: string, path: string, query: Query = {{}}, body?: unknown): Promise<unknown> {{
    const said = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
    const url = path + (said.length ? "?" + new URLSearchParams(said.map(([k, v]) => [k, String(v)])) : "");
    const headers: Record<string, string> = {{ Authorization: `Bearer ${{this.token}}` }};
    const known = method === "GET" ? this.tags.get(url) : undefined;
    if (known) headers["If-None-Match"] = known[0];
    if (body !== undefined) headers["Content-Type"] = "application/json";
    const text = body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body);
    const answer = await fetch(this.address + "{base}" + url, {{ method, headers, body: text ?? null, cache: "no-store" }});
    if (answer.status === 304 && known) return known[1];
    const told = this.parse(await answer.text());
    if (!answer.ok) throw new Refused(told as Problem);
    const tag = answer.headers.get("etag");
    if (method === "GET" && tag) {{
      if (this.tags.size > 200) this.tags.clear();
      this.tags.set(url, [tag, told]);
    }}
    return told;
  }}

  /** Messages as they happen, each frame an array of them; `asyncapi.json` describes them. Give `after` as STREAM:N to
   * miss nothing. The token goes as a subprotocol: a browser sends no header here, and no address may hold it. */
  stream(after?: string): WebSocket {{
    const query = new URLSearchParams({{ batch: "1", ...(after === undefined ? {{}} : {{ after }}) }});
    const bytes = String.fromCharCode(...new TextEncoder().encode(this.token));
    const token = btoa(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
    const address = (this.address || globalThis.location.origin).replace(/^http/, "ws");
    return new WebSocket(`${{address}}{base}/stream?${{query}}`, ["graphbus.v1", `graphbus.bearer.${{token}}`]);
  }}
"""


def write(api: Api) -> str:
    """The whole file."""
    parts = [HEAD.format(title=api.title, version=api.version)]
    for model in api.models:
        parts.append(f"\n/** {model.says} */" if model.says else "")
        parts.append(f"export interface {model.name} {{")
        for one in model.fields:
            if one.says:
                parts.append(f"  /** {one.says} */")
            parts.append(f"  {_key(one.name)}{'' if one.required else '?'}: {spelled(one.type)};")
        parts.append("}")
    parts.append(CLIENT.format(base=api.base))
    for operation in api.operations:
        parts.extend(_operation(operation))
    parts.append("}")
    return "\n".join(parts).replace("\n\n\n", "\n\n") + "\n"


def spelled(kind: Type) -> str:
    """A type as TypeScript has it."""
    match kind.kind:
        case "list":
            inner = spelled(kind.of[0])
            text = f"({inner})[]" if " " in inner else f"{inner}[]"
        case "map":
            text = f"{{ [name: string]: {spelled(kind.of[0])} }}"
        case "ref":
            text = kind.name
        case "words":
            text = " | ".join(json.dumps(word) for word in kind.words)
        case "union":
            text = " | ".join(spelled(one) for one in kind.of)
        case plain:
            text = PLAIN[plain]
    return f"{text} | null" if kind.nullable and text != "Json" else text


def _operation(one: Operation) -> Iterator[str]:
    takes = [f"{field.name}: {spelled(field.type)}" for field in one.in_path]
    if one.body is not None:
        takes.append(f"body{'' if one.body_required else '?'}: {spelled(one.body)} | string")
    if one.in_query:
        takes.append(f"query: {{ {'; '.join(_query(field) for field in one.in_query)} }} = {{}}")
    path = one.path
    for field in one.in_path:
        path = path.replace(f"{{{field.name}}}", f"${{encodeURIComponent({field.name})}}")
    given = [json.dumps(one.method), f"`{path}`"]
    if one.in_query or one.body is not None:
        given.append("query" if one.in_query else "{}")
    if one.body is not None:
        given.append("body" if one.body_required else "body ?? {}")
    yield f"\n  /** {one.says} */"
    yield f"  async {one.id}({', '.join(takes)}): Promise<{spelled(one.result)}> {{"
    yield f"    return (await this.send({', '.join(given)})) as {spelled(one.result)};"
    yield "  }"


def _query(field: Field) -> str:
    return f"{field.name}?: {spelled(field.type)}"


def _key(name: str) -> str:
    return name if name.isidentifier() else json.dumps(name)
