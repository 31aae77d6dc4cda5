// The router: one view at a time, named in the address, so that a reload comes back to it.
import { call, follow, h, listen, takeToken, toast, token } from "./kit.js";
import * as graph from "./graph.js";
import * as node from "./node.js";
import * as negotiation from "./negotiation.js";
import * as asked from "./asked.js";
import * as runtime from "./runtime.js";

const views = { graph, node, negotiation, asked, runtime };
const main = document.getElementById("main");
let leave = () => {};

function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // a percent sign of its own
  }
}

async function show() {
  if (takeToken()) return location.reload(); // the right address, pasted into a tab that had none or an old one
  const [name, ...rest] = location.hash.replace(/^#\/?/, "").split("/").map(decoded);
  const view = Object.hasOwn(views, name) ? views[name] : graph;
  leave();
  leave = () => {};
  for (const link of document.querySelectorAll("nav a")) {
    if (link.dataset.view === (view === views[name] ? name : "graph")) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  // Each view draws in a place of its own: one that is still loading when the next is opened draws unseen.
  const place = h("div", { class: "view" }, h("p", { class: "soft" }, "Loading …"));
  main.replaceChildren(place);
  let left = () => {};
  try {
    left = (await view.show(place, rest)) || left;
  } catch (error) {
    place.replaceChildren(h("div", { class: "card" }, h("h2", {}, "This cannot be shown"), h("p", {}, error.message)));
    if (place.isConnected) toast(error);
  }
  if (place.isConnected) leave = left;
  else left();
}

async function count() {
  const badge = document.getElementById("asked-count");
  const { questions } = await call("/questions").catch(() => ({ questions: [] }));
  badge.textContent = questions.length;
  badge.hidden = questions.length === 0;
}

window.addEventListener("hashchange", show);
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
  const to = { 1: "graph", 2: "negotiation", 3: "asked", 4: "runtime" }[event.key];
  if (to) location.hash = `#/${to}`;
  if (event.key === "/") {
    const search = document.querySelector("input[type=search]");
    if (search) {
      event.preventDefault();
      search.focus();
    }
  }
});
listen((message) => {
  if (["question", "answered", "gap"].includes(message.kind)) count();
  if (message.kind === "gap" && message.data.missed === null) show(); // another start of the server: nothing on the screen is sure
});
if (!token()) {
  main.replaceChildren(h("div", { class: "card" }, h("h2", {}, "The token is missing"), h("p", {}, "Open the whole address that `graphbus serve` printed; it ends in #token=… (with GRAPHBUS_TOKEN set, put that there).")));
  document.getElementById("state").textContent = "no token";
} else {
  follow();
  count();
  show();
}
