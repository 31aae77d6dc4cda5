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

/** Call the API. A refusal is thrown as an Error whose message is the server's own. */
export async function call(path, { method = "GET", body } = {}) {
  const answer = await fetch(path, {
    method,
    headers: { Authorization: `Bearer ${token()}`, ...(body === undefined ? {} : { "Content-Type": "application/json" }) },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const data = await answer.json().catch(() => ({}));
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

/** Run what a button does; what fails is shown. */
export const doing = (action) => async (event) => {
  event?.preventDefault?.();
  try {
    await action(event);
  } catch (error) {
    toast(error);
  }
};

export const json = (value) => JSON.stringify(value, null, 2);

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
    for (const message of JSON.parse(frame.data)) {
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
