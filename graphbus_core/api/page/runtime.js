// The running program: start, stop, publish, events as they happen, figures, and what could not be delivered.
import { call, doing, h, listen, raw, write } from "./kit.js";

const KEPT = 500;

export async function show(main) {
  const stats = h("div", { class: "scroll" });
  const feed = h("ul", { class: "feed", "aria-label": "Events", tabindex: "0" });
  const dead = h("div", {});
  const filter = h("input", { type: "search", placeholder: "Filter events", "aria-label": "Filter events" });
  const pause = h("button", { "aria-pressed": "false" }, "Pause");
  const button = h("button", { class: "main" });
  const topic = h("input", { placeholder: "/Topic/Name", "aria-label": "Topic", required: true });
  const payload = h("textarea", { rows: "3", "aria-label": "Payload (JSON)", spellcheck: "false", value: "{}" });
  const seen = new Set();
  let running = false;
  const refresh = async () => {
    const now = await call("/runtime");
    running = now.is_running;
    button.textContent = running ? "Stop" : "Start";
    const bus = now.message_bus || {};
    stats.replaceChildren(h("table", {}, h("tbody", {}, ...Object.entries({ state: running ? "running" : "stopped", nodes: now.nodes_count, ...bus }).filter(([, v]) => typeof v !== "object").map(([k, v]) => h("tr", {}, h("th", { scope: "row" }, k.replaceAll("_", " ")), h("td", {}, String(v)))))));
    const { dead_letters: letters } = await call("/dead-letters");
    dead.replaceChildren(letters.length ? h("div", { class: "scroll" }, h("table", {}, h("tbody", {}, ...letters.slice(0, 50).map((l) => h("tr", {}, h("td", {}, l.topic), h("td", {}, l.subscriber), h("td", { class: "bad" }, `${l.reason}: ${l.error_type && l.error_type !== l.reason ? `${l.error_type}: ` : ""}${l.error}`), h("td", {}, h("button", { onclick: doing(() => call(`/dead-letters/${encodeURIComponent(l.id)}/retry`, { method: "POST" }).then(refresh)) }, "Retry"))))))) : h("p", { class: "soft" }, "none"));
  };
  button.addEventListener("click", doing(async () => {
    await call(`/runtime/${running ? "stop" : "start"}`, { method: "POST", body: {} });
    await refresh();
  }));
  pause.addEventListener("click", () => {
    const paused = pause.getAttribute("aria-pressed") !== "true";
    pause.setAttribute("aria-pressed", String(paused));
    pause.textContent = paused ? "Go on" : "Pause";
  });
  const publish = async () => {
    let body;
    try {
      JSON.parse(payload.value || "{}");
      body = raw(payload.value || "{}");
    } catch (error) {
      throw new Error(`The payload is not JSON: ${error.message}`);
    }
    await call("/publish", { method: "POST", body: { topic: topic.value, payload: body } });
    await refresh();
  };
  const add = (message) => {
    if (pause.getAttribute("aria-pressed") === "true") return;
    const d = message.data;
    if (d.event_id && seen.has(d.event_id)) return;
    if (d.event_id) seen.add(d.event_id);
    const text = message.kind === "message" ? `${d.src} → ${d.dst}.${d.method} ${write(d.payload)}` : `${d.topic} from ${d.src} ${write(d.payload)}`;
    const item = h("li", {}, h("span", { class: "soft" }, message.at ? new Date(message.at * 1000).toLocaleTimeString() : "earlier", "  "), text);
    item.hidden = !text.toLowerCase().includes(filter.value.toLowerCase());
    feed.prepend(item);
    while (feed.childElementCount > KEPT) feed.lastElementChild.remove();
  };
  filter.addEventListener("input", () => {
    for (const item of feed.children) item.hidden = !item.textContent.toLowerCase().includes(filter.value.toLowerCase());
  });
  main.replaceChildren(
    h("div", { class: "row" }, h("h2", { style: "margin:0" }, "Runtime"), button),
    h("div", { class: "split" },
      h("div", { class: "card" }, h("div", { class: "row" }, h("h3", { style: "margin:0" }, "Events"), filter, pause), feed),
      h("div", {}, h("form", { class: "card", onsubmit: doing(publish) }, h("h3", { style: "margin-top:0" }, "Publish"), h("label", {}, h("span", {}, "Topic"), topic), h("label", {}, h("span", {}, "Payload"), payload), h("button", {}, "Publish")),
        h("div", { class: "card", style: "margin-top:14px" }, h("h3", { style: "margin-top:0" }, "Figures"), stats), h("div", { class: "card", style: "margin-top:14px" }, h("h3", { style: "margin-top:0" }, "Dead letters"), dead))));
  // Listen first, then ask for what was before: nothing falls between the two, and nothing is shown twice.
  let due = null;
  const stop = listen((message) => {
    if (message.kind === "event" || message.kind === "message") add(message);
    if (!due && ["event", "message", "runtime"].includes(message.kind)) due = setTimeout(() => ((due = null), refresh().catch(() => {})), 400);
  });
  await refresh();
  const { events } = await call("/runtime/history?limit=100").catch(() => ({ events: [] }));
  for (const e of events.reverse()) add({ kind: "event", at: e.timestamp, data: e });
  return () => {
    stop();
    clearTimeout(due);
  };
}
