// What somebody waits for a person to say: approve a commit, answer as an agent, settle an escalation.
import { call, diff, doing, h, json, listen } from "./kit.js";
import { form } from "./form.js";

export async function show(main) {
  const draw = async () => {
    const { questions } = await call("/questions");
    main.replaceChildren(h("h2", {}, questions.length ? `${questions.length} open question${questions.length > 1 ? "s" : ""}` : "Nobody is waiting for you"), ...questions.map((q) => card(q, draw)));
  };
  await draw();
  return listen((message) => ["question", "answered"].includes(message.kind) && draw().catch(() => {}));
}

function card(question, done) {
  const answer = async (body) => {
    await call(`/questions/${encodeURIComponent(question.id)}/answer`, { method: "POST", body });
    await done();
  };
  const about = question.about || {};
  const proposal = about.proposal;
  const text = h("div", {}, proposal ? h("p", {}, h("strong", {}, proposal.proposer), `: ${proposal.summary || proposal.rationale || ""}`) : null,
    about.unified_diff ? diff(about.unified_diff) : proposal ? h("pre", { tabindex: "0" }, json(proposal.diff)) : null,
    about.instructions ? h("p", {}, about.instructions) : null,
    proposal ? null : h("details", {}, h("summary", {}, "All that was asked"), h("pre", { tabindex: "0" }, json(about))));
  if (question.kind === "approve") {
    const reason = h("input", { placeholder: "why, if not", "aria-label": "Reason" });
    return h("article", { class: "card" }, h("h3", { style: "margin-top:0" }, "May this be committed?"), text,
      h("div", { class: "row" }, h("button", { class: "main", onclick: doing(() => answer({ approve: true, reason: reason.value })) }, "Approve"), h("button", { class: "no", onclick: doing(() => answer({ approve: false, reason: reason.value })) }, "Refuse"), reason));
  }
  const input = form(question.answer_schema || {});
  return h("article", { class: "card" }, h("h3", { style: "margin-top:0" }, `${question.to} is asked: ${question.kind}`), text,
    h("form", { onsubmit: doing(() => answer(input.value())) }, input.element, h("button", { class: "main" }, "Answer")));
}
