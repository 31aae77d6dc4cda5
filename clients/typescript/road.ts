// The main road through the generated client: look, try, propose, approve, run, call, take back.
import { GraphBus, Refused } from "./graphbus.js";

declare const process: { argv: string[] };
const [, , address = "", token = ""] = process.argv;
const bus = new GraphBus(address, token);

function must(fine: boolean, what: string): void {
  if (!fine) throw new Error(`the road ends: ${what}`);
}

must((await bus.getPicture()).mismatches === 2, "two links do not fit");
const diff = [{ op: "rename_field", node: "CleanerService", method: "clean", side: "input", field: "items", to: "headlines" }];
must((await bus.tryChange({ diff })).mends.length === 1, "the change mends one");
const proposal = { agent: "CleanerService", diff, summary: "headlines" };
const { id } = await bus.startBuild({ approve: true, rounds: 1, model: "rules", proposal });
const ends = Date.now() + 80_000;
while ((await bus.getBuild(id)).state === "running" && Date.now() < ends) {
  for (const question of (await bus.listQuestions()).items) await bus.answerQuestion(question.id, { approve: true });
  await new Promise((done) => setTimeout(done, 100));
}
must((await bus.getBuild(id)).committed === 1, "it is committed");
must((await bus.getPicture()).mismatches === 1, "one link fits now");
const entry = (await bus.getWhy("CleanerService.clean")).entries.find((one) => one.outcome === "committed");
await bus.startRuntime({ payload_checks: "off" });
const said = await bus.callNode("FormatterService", { method: "first_sentence", payload: { text: "One. Two." } });
must(Boolean(said.result), "a call returns");
must(Boolean((await bus.publishEvent({ topic: "/News/Digest", payload: { digest: "x" } })).event_id), "an event is published");
await bus.stopRuntime();
const told = await new Promise<string>((done, fail) => {
  const socket = bus.stream("0"); // the token goes as a subprotocol, and never in the address
  socket.onmessage = (frame) => (socket.close(), done(String(frame.data)));
  socket.onerror = () => fail(new Error("the stream was refused"));
});
must(told.includes('"hello"'), "the stream begins with hello");
must((await bus.undoProposal(entry!.id, { allow_mismatches: true })).done, "it is taken back");
const refused = await bus.getNode("Nobody").catch((error: unknown) => error);
must(refused instanceof Refused && refused.problem.status === 404, "a refusal is a problem");
