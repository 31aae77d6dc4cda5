// A question of meaning and its answers, as a colleague would say them. The keys of the answers stay: logs and scripts
// hold them; only what is shown is said here, from the change that an answer stands for.
import type { DataLink, Picture } from "../../clients/typescript/graphbus";
import { shown } from "./json";
import type { Op } from "./kit";

export interface Candidate {
  name: string;
  says: string;
  diff?: Op[];
}

const KINDS: Record<string, string> = { float: "a fraction", int: "a whole number", str: "a text", bool: "true or false", None: "nothing", list: "a list", dict: "an object" };

const whose = (op: Op) => [op.node, op.method].filter(Boolean).join(".");

/** What a field may be beside what it may be now: in words where there is one for it. */
function added(op: Op, picture: Picture | null): string {
  const method = picture?.components.find((one) => one.name === op.node)?.methods.find((one) => one.name === op.method);
  const port = method?.inputs.find((one) => one.name === op.field);
  const now = (port?.whole ?? port?.type ?? "").split(" | ");
  const more = (op.type ?? "").split(" | ").filter((one) => !now.includes(one));
  return (more.length ? more : [op.type ?? ""]).map((one) => KINDS[one] ?? one).join(" or ");
}

/** The one change that could be meant, as a question. */
export function questionOf({ says, diff }: Candidate, picture: Picture | null): string {
  const op = diff?.[0];
  switch (op?.op) {
    case "retype_field":
      return `May ${op.field} be ${added(op, picture)}, too? No test shows that ${whose(op)} can take it.`;
    case "set_optional":
      return `May ${op.field} be left out? ${whose(op)} has a default for it.`;
    case "rename_field":
      return `Is ${op.field} in ${whose(op)} the same as ${op.to}?`;
    case "map_field":
      return `Is ${op.field} in ${whose(op)} the same as ${String(op.source)}?`;
    case "add_field":
      return `Shall ${op.node} hand on ${op.field}?`;
    default:
      return `Is this meant: ${says}?`;
  }
}

/** An answer as what happens. */
export function answerOf({ name, diff }: Candidate, picture: Picture | null): string {
  const op = diff?.[0];
  switch (op?.op) {
    case "retype_field":
      return `${op.field} may be ${added(op, picture)}, too`;
    case "set_optional":
      return `${op.field} may be left out`;
    case "rename_field":
      return `${op.field} becomes ${op.to}`;
    case "map_field":
      return `${op.field} is given ${String(op.source)}`;
    case "add_field":
      return `${op.node} hands on ${op.field}`;
    default:
      return name;
  }
}

export interface Proof {
  reason: string;
  payload: unknown;
}

/** Each payload once, with all the reasons that it proves. */
export function payloadsOf(proofs: Proof[]): { reasons: string[]; payload: unknown }[] {
  const kept = new Map<string, { reasons: string[]; payload: unknown }>();
  for (const { reason, payload } of proofs) {
    const key = shown(payload);
    const one = kept.get(key) ?? { reasons: [], payload };
    kept.set(key, { ...one, reasons: [...one.reasons, reason] });
  }
  return [...kept.values()];
}

/** Each reason of a link with the payload that proves it; with `field`, those of that field alone, if there are any. */
export function proofsOf(link: DataLink, field?: string): Proof[] {
  const head = (path: string) => path.split(/[.[]/)[0];
  const of = field ? link.proofs.filter((one) => head(one.path) === head(field)) : [];
  return of.length ? of : link.proofs;
}
