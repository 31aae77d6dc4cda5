// One seat's page: the open question, a form for its answer, and how it ended. The key is the part after # of the link:
// a browser sends that nowhere by itself. Everything shown is text, never markup.
const key = decodeURIComponent(location.hash.slice(1));
const main = document.getElementById("main");
const state = document.getElementById("state");
let shown = "";
const given = new Set(); // what was answered: a look that began before the answer still shows the question

function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "onclick") node.addEventListener("click", value);
    else if (value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children);
  return node;
}

async function call(path, body) {
  const response = await fetch(path, {
    method: body ? "POST" : "GET",
    headers: { Authorization: `Bearer ${key}`, ...(body ? { "Content-Type": "application/json" } : {}) },
    body: body ? JSON.stringify(body) : undefined,
  });
  const told = await response.json();
  if (!response.ok) throw new Error(told.error.message);
  return told;
}

function choices(question) {
  return Object.entries(question.answers || {});
}

// For each kind of question: the fields, and the answer that they come to.
function form(question) {
  if (question.kind === "red_lines") {
    const text = el("textarea", { rows: 4, "aria-label": "One sentence a line" });
    return [[el("p", {}, "One sentence a line. Leave it empty if there is nothing."), text],
      () => ({ lines: text.value.split("\n").map((l) => l.trim()).filter(Boolean) })];
  }
  if (question.kind === "minimum") {
    const share = el("input", { type: "number", min: 0, max: 100, value: 0, "aria-label": "0 to 100" });
    return [[share], () => ({ share: Number(share.value) })];
  }
  if (question.kind === "consent") {
    const rows = Object.entries(question.terms || {}).map(([k, v]) => el("li", {}, `${k}: ${v}`));
    const crossed = (question.red_lines_crossed || []).map((l) => el("p", {}, `This crosses your own red line: ${l}.`));
    const reason = el("input", { "aria-label": "Why not", placeholder: "Why not" });
    const yes = el("input", { type: "radio", name: "vote", value: "consent", id: "yes" });
    const no = el("input", { type: "radio", name: "vote", value: "object", id: "no" });
    const fields = [el("p", {}, "The mediator proposes:"), el("ul", {}, ...rows), ...crossed,
      el("p", {}, yes, el("label", { for: "yes" }, " I consent")),
      el("p", {}, no, el("label", { for: "no" }, " I object: "), reason)];
    return [fields, () => (yes.checked ? { answer: "consent" }
      : { answer: no.checked ? "object" : "", reason: reason.value })];
  }
  if (question.form.includes("grades")) {
    const inputs = choices(question).map(([n, text]) => {
      const grade = el("input", { type: "number", min: 0, max: 10, id: `grade-${n}` });
      return [grade, el("p", {}, grade, el("label", { for: `grade-${n}` }, ` ${text}`))];
    });
    return [inputs.map(([, row]) => row), () => ({
      grades: inputs.map(([grade]) => (grade.value === "" ? null : Number(grade.value))) })];
  }
  const radios = choices(question).map(([n, text]) => {
    const radio = el("input", { type: "radio", name: "choice", value: n, id: `choice-${n}` });
    return [radio, el("p", {}, radio, el("label", { for: `choice-${n}` }, ` ${text}`))];
  });
  return [radios.map(([, row]) => row), () => ({
    choice: Number((radios.map(([r]) => r).find((r) => r.checked) || { value: 0 }).value) })];
}

function draw(told) {
  const question = told.questions[0];
  document.title = question ? `A question for ${told.seat}` : told.seat;
  state.textContent = `You are ${told.seat}.`;
  if (question) {
    const [fields, answer] = form(question);
    const why = el("p", { role: "alert" }, question.refused.length ? `That could not be taken: ${question.refused.at(-1)}` : "");
    const send = el("button", { type: "button", onclick: async () => {
      send.disabled = true;
      try {
        await call("/seats/answer", { question: question.id, answer: answer() });
        given.add(question.id);
        shown = "";
        main.replaceChildren(el("p", {}, "Thank you. Waiting for the others …"));
      } catch (error) {
        why.textContent = error.message;
        send.disabled = false;
      }
    } }, "Answer");
    const text = el("h2", {}, question.text && question.kind !== "consent" ? question.text : "Do you agree to this deal?");
    main.replaceChildren(el("section", { "data-question": question.id },
      el("p", {}, question.topic || ""), text, ...fields, why, send));
    return;
  }
  if (told.decision) {
    const rows = Object.entries(told.decision.terms || {}).map(([k, v]) => el("li", {}, `${k}: ${v}`));
    main.replaceChildren(el("section", { "data-decision": told.decision.status },
      el("h2", {}, told.decision.status === "DONE" ? "Decided" : "No decision"),
      el("p", {}, told.decision.reason), el("ul", {}, ...rows)));
    return;
  }
  main.replaceChildren(el("p", {}, "Nothing to answer now. Waiting for the others; this page goes on by itself."));
}

async function look() {
  try {
    const told = await call("/seats/me");
    told.questions = told.questions.filter((q) => !given.has(q.id));
    const now = JSON.stringify([told.questions[0], told.decision]);
    if (now !== shown) {
      shown = now;
      draw(told);
    }
  } catch (error) {
    state.textContent = error.message;
  }
  setTimeout(look, 700);
}

look();
