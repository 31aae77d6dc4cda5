// The form of a turn in a decision, and of what comes before it: each way by what it comes to, and no two that mean the same.
import type { Question } from "../../../clients/typescript/graphbus";
import { type Marks, marksOf } from "../marks";
import type { About } from "./consent-form";

interface Way {
  title: string;
  description?: string;
  properties: Record<string, About>;
}

const PUT = { title: "Put it to the table", description: "Everybody is asked at once whether they agree to this." };
const QUIETLY = { title: "Propose it without a vote", description: "It lies on the table, and nobody is asked yet." };

/** The ways of a turn: a vote on terms of one's own is another thing than one on what lies there. */
export function waysOf({ answer_schema }: Question): { oneOf: Way[] } {
  const schema = answer_schema as unknown as { oneOf: Way[] };
  const named = schema.oneOf.map((way) => (way.properties.move?.const === "check" && way.properties.terms ? { ...way, ...PUT } : way.properties.move?.const === "propose" ? { ...way, ...QUIETLY } : way));
  const isVote = (way: Way) => way.properties.move?.const === "check";
  return { ...schema, oneOf: [...named.filter(isVote), ...named.filter((way) => !isVote(way))] };
}

/** What is open from the beginning: a way to put something there, where nothing lies there that a vote could be on. */
export function firstWay(ways: Way[]): { first?: string } {
  const open = ways.find((way) => way.title === PUT.title) ?? (ways.some((way) => way.properties.move?.const === "check") ? undefined : ways[0]);
  return open ? { first: open.title } : {};
}

/** The marks of a turn: after an objection, what was proposed is what the next proposal begins with. */
export function presetOf(question: Question): Marks {
  const marks = marksOf(question.id);
  const about = question.about as About;
  const isBlocked = Object.keys(about.proposal?.objections ?? {}).length > 0;
  const terms = (isBlocked ? about.proposal.terms : {}) as About | string[];
  const given: Record<string, string | number> = Array.isArray(terms)
    ? { "/terms": terms.join("\n") }
    : Object.fromEntries(Object.entries(terms).map(([issue, option]) => [`/terms/${issue}`, (about.issues?.[issue]?.options ?? []).map(String).indexOf(String(option))]));
  return { ...marks, read: (path) => marks.read(path) ?? given[path] };
}

/** Whoever speaks first may say with the position what they propose: one step less, and the others are asked the sooner. */
export function positionOf({ about: all, answer_schema }: Question): About {
  const schema = answer_schema as About, about = all as About;
  const issues = Object.entries((about.issues ?? {}) as Record<string, About>);
  if (Object.keys(about.advocates ?? {})[0] !== about.you || !issues.length) return schema;
  const choices = issues.map(([name, one]) => [name, { title: one.title || name, oneOf: one.options.map((option: unknown) => ({ const: String(option), title: String(option), ...(one.meanings?.[String(option)] ? { description: one.meanings[String(option)] } : {}) })) }]);
  const terms = { type: "object", title: "What I propose, if I know it now", description: "Everybody is asked whether they agree once all have said what matters to them.", properties: Object.fromEntries(choices), required: [] };
  return { ...schema, properties: { ...schema.properties, terms } };
}
