// Elements, calls to the server, and what every view needs. Nothing here knows a view.

/** Make an element: h("p", {class: "soft"}, "text", child). Text is never read as HTML. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(3).filter((c) => c !== null && c !== undefined && c !== false));
  return element;
}

const stored = "graphbus-token";
/** Take the token out of the address, where it stands; whether it did. (URLSearchParams would read a plus as a space.) */
export function takeToken() {
  const found = /[#&]token=([^&]*)/.exec(location.hash);
  if (!found) return false;
  let given = found[1];
  try {
    given = decodeURIComponent(given);
  } catch {
    // a percent sign of its own
  }
  sessionStorage.setItem(stored, given.trim());
  history.replaceState(null, "", "#/graph");
  return true;
}
takeToken();
export const token = () => sessionStorage.getItem(stored) || "";

/** JSON that is sent as it was typed: JavaScript's numbers would round large integers. */
class Raw {
  constructor(text) {
    this.text = text;
  }
  toString() {
    return this.text;
  }
}
export const raw = (text) => new Raw(text.trim());

/** As JSON.stringify, with `raw` parts as they are. */
export function write(value) {
  if (value instanceof Raw) return value.text;
  if (Array.isArray(value)) return `[${value.map((v) => (v === undefined ? "null" : write(v))).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  return `{${Object.entries(value).filter(([, v]) => v !== undefined).map(([k, v]) => `${JSON.stringify(k)}:${write(v)}`).join(",")}}`;
}

/** As JSON.parse; integers that JavaScript would round are kept as `raw`, so that they are shown as they came. */
export function read(text) {
  if (!/[0-9]{16}/.test(text)) return JSON.parse(text);
  return JSON.parse(text, (key, value, context) => (typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value) && /^-?[0-9]+$/.test(context?.source ?? "") ? raw(context.source) : value));
}

/** Call the API. A refusal is thrown as an Error whose message is the server's own. */
export async function call(path, { method = "GET", body } = {}) {
  const answer = await fetch(path, {
    method,
    headers: { Authorization: `Bearer ${token()}`, ...(body === undefined ? {} : { "Content-Type": "application/json" }) },
    body: body === undefined ? undefined : write(body),
  });
  const text = await answer.text();
  let data = {};
  try {
    data = read(text);
  } catch {
    // no JSON: the status says it
  }
  if (!answer.ok) {
    const error = data.error || { message: `${answer.status} ${answer.statusText}` };
    throw Object.assign(new Error(error.message), error, { status: answer.status });
  }
  return data;
}

/** Show an error where everybody sees it. */
export function toast(error) {
  const place = document.getElementById("toast");
  place.textContent = error.path ? `${error.message} (at ${error.path})` : error.message || String(error);
  clearTimeout(place.timer);
  place.timer = setTimeout(() => (place.textContent = ""), 8000);
}

/** Run what a button does, once at a time; what fails is shown. */
export function doing(action) {
  let busy = false;
  return async (event) => {
    event?.preventDefault?.();
    if (busy) return;
    busy = true;
    try {
      await action(event);
    } catch (error) {
      toast(error);
    } finally {
      busy = false;
    }
  };
}

/** JSON to be read by people. */
export function json(value, indent = "") {
  if (value === undefined) return "";
  if (value instanceof Raw || value === null || typeof value !== "object") return write(value);
  const inner = `${indent}  `;
  const parts = Array.isArray(value) ? value.map((v) => json(v, inner)) : Object.entries(value).filter(([, v]) => v !== undefined).map(([k, v]) => `${JSON.stringify(k)}: ${json(v, inner)}`);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return parts.length ? `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${indent}${close}` : open + close;
}

/** A unified diff, coloured and still readable without colours. */
export function diff(text) {
  const lines = text.split("\n").map((line) => {
    const kind = line.startsWith("+") && !line.startsWith("+++") ? "a" : line.startsWith("-") && !line.startsWith("---") ? "d" : "";
    return h("span", { class: kind }, line || " ");
  });
  return h("pre", { class: "diff", tabindex: "0", "aria-label": "Diff" }, ...lines);
}

const listeners = new Set();
/** Be told of every message of the stream. Returns how to stop. */
export function listen(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const place = "graphbus-after"; // STREAM:NUMBER of the last message seen
let stream = (sessionStorage.getItem(place) || "").split(":")[0];
const state = () => document.getElementById("state");

/** Follow the server's stream; come back where we were after a break. */
export function follow() {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const after = sessionStorage.getItem(place) || "0";
  const socket = new WebSocket(`${scheme}://${location.host}/events/stream?batch=1&after=${after}&token=${encodeURIComponent(token())}`);
  socket.onopen = () => (state().textContent = "live");
  socket.onmessage = (frame) => {
    let last = null;
    for (const message of read(frame.data)) {
      if (message.kind === "hello" || message.kind === "gap") stream = message.data.stream || stream;
      last = message.seq;
      for (const listener of [...listeners]) {
        try {
          listener(message);
        } catch (error) {
          console.error(error); // one view's fault must not stop the stream for all
        }
      }
    }
    if (last !== null) sessionStorage.setItem(place, `${stream}:${last}`);
  };
  socket.onclose = async () => {
    const refused = await call("/health").then(() => false, (error) => error.status === 401 || error.status === 403);
    state().textContent = refused ? "refused: open the address that was printed at the start" : "connection lost, trying again";
    setTimeout(follow, refused ? 5000 : 1000);
  };
}
