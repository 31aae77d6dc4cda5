// JSON as it was typed and as it came: JavaScript's numbers would round large integers.

/** A number that is kept as its text. */
export class Raw {
  constructor(readonly text: string) {}
  toString() {
    return this.text;
  }
}

export const raw = (text: string) => new Raw(text.trim());

/** As JSON.stringify, with `Raw` parts as they are. */
export function write(value: unknown): string {
  if (value instanceof Raw) return value.text;
  if (Array.isArray(value)) return `[${value.map((one) => (one === undefined ? "null" : write(one))).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value) ?? "null";
  const parts = Object.entries(value).filter(([, one]) => one !== undefined);
  return `{${parts.map(([key, one]) => `${JSON.stringify(key)}:${write(one)}`).join(",")}}`;
}

/** As JSON.parse; integers that JavaScript would round are kept as `Raw`. */
export function read(text: string): unknown {
  if (!/[0-9]{16}/.test(text)) return JSON.parse(text);
  const revive = (_: string, value: unknown, context?: { source?: string }) => {
    const rounded = typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value);
    return rounded && /^-?[0-9]+$/.test(context?.source ?? "") ? raw(context!.source!) : value;
  };
  return JSON.parse(text, revive as (key: string, value: unknown) => unknown);
}

/** JSON to be read by people. */
export function shown(value: unknown, indent = ""): string {
  if (value === undefined) return "";
  if (value instanceof Raw || value === null || typeof value !== "object") return write(value);
  const inner = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((one) => shown(one, inner))
    : Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${shown(one, inner)}`);
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  return parts.length ? `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${indent}${close}` : open + close;
}

/** The field of a payload that is not taken, with what it holds: `minutes: 0.5`, `no edition`. `path` is as a finding has it, `a.b[].c`. */
export function tellingField(payload: unknown, path: string): string {
  const name = path || "payload";
  let at = payload;
  for (const part of path.split(/[.[]/).filter(Boolean)) {
    if (part === "]" && Array.isArray(at)) at = at[0];
    else if (at !== null && typeof at === "object" && Object.hasOwn(at, part)) at = (at as Record<string, unknown>)[part];
    else return `no ${name}`;
  }
  return `${name}: ${shown(at).replace(/\s+/g, " ")}`;
}

// Controls that turn the direction of the text around them: shown as what they are, so that nothing reads backwards.
const CONTROLS = /[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/g;
const INVISIBLE = /[\u200b-\u200d\u2060\ufeff\u00ad\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;

/** A text of somebody else's, with what would reverse or hide parts of it written out. */
export function plain(text: unknown): string {
  const said = typeof text === "string" ? text : text === null || text === undefined ? "" : String(text);
  const out = (found: string) => `⟦U+${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}⟧`;
  return said.replace(CONTROLS, out).replace(INVISIBLE, out);
}
