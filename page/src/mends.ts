// The changes that could mend a link, field by field: rename, pass through, make optional, widen.
import type { Component, DataLink, Picture, Port } from "../../clients/typescript/graphbus";
import { isMisfit } from "./misfit";
import { type Op, opText } from "./kit";

export interface Mend {
  agent: string; // whose proposal it would be
  diff: Op[];
  key: string;
}

export function rename(link: DataLink, field: string, to: string): Mend {
  const { node, method } = link.target;
  return { agent: node, diff: [{ op: "rename_field", node, method: method!, side: "input", field, to }], key: `rename ${field} ${to}` };
}

/** What is offered for each field that does not fit. Whether it holds is tried when it is picked. */
export function mends(link: DataLink, picture: Picture): { field: string; options: Mend[] }[] {
  if (!isMisfit(link) || !link.target.method) return [];
  const card = (name: string): Component | undefined => picture.components.find((one) => one.name === name);
  const sent = card(link.source.node)?.methods.find((one) => one.name === link.source.method);
  const taken = card(link.target.node)?.methods.find((one) => one.name === link.target.method);
  const used = new Set(link.fields.map((one) => one.source));
  return link.fields
    .filter((one) => !one.fits)
    .map(({ source: from, target: field, lacks, alike }) => {
      const type = whole(taken?.inputs.find((one) => one.name === field)) ;
      const wider = whole(sent?.outputs.find((one) => one.name === from));
      const isMissing = from === null;
      const other = wider && wider !== type ? widen(link, field, wider) : null;
      // What is of another type does not fit because it may be left out; what may also be missing takes both changes.
      const isType = lacks.includes("type");
      const options = [
        ...(isMissing ? alike.filter((name) => !used.has(name)).map((name) => rename(link, field, name)) : []),
        ...(isMissing && type ? pass(link, field, type, Boolean(sent?.inputs.some((one) => one.name === field))) : []),
        ...(isType && other ? [lacks.includes("optional") ? { ...other, diff: [...other.diff, ...optional(link, field).diff] } : other] : []),
        ...(isType ? [] : [optional(link, field)]),
      ];
      return { field, options };
    });
}

/** A type as it is written into a source: the picture cuts long ones for the eye. */
const whole = (port: Port | undefined) => port?.whole ?? (port?.type.includes("…") ? undefined : port?.type);

const at = (link: DataLink, field: string) => ({ node: link.target.node, method: link.target.method!, side: "input", field });

const widen = (link: DataLink, field: string, type: string): Mend => ({ agent: link.target.node, key: `widen ${field}`, diff: [{ op: "retype_field", ...at(link, field), type }] });

const optional = (link: DataLink, field: string): Mend => ({ agent: link.target.node, key: `optional ${field}`, diff: [{ op: "set_optional", ...at(link, field), optional: true }] });

/** The producer takes the field in and hands it on, where it does not have it yet. */
function pass({ source }: DataLink, field: string, type: string, has: boolean): Mend[] {
  if (!source.method) return [];
  const via = { node: source.node, method: source.method, field };
  const hands: Op = { op: "add_field", ...via, side: "output", type, optional: false, default: field };
  return [{ agent: source.node, key: `pass ${field}`, diff: has ? [hands] : [hands, { op: "add_field", ...via, side: "input", type, optional: false }] }];
}

/** A mend in words. A pass-through is named as that: the producer hands on what it takes in. */
export function says({ key, diff }: Mend): string {
  const [first] = diff;
  return key.startsWith("pass ") ? `pass ${first!.field} through ${first!.node}.${first!.method}` : diff.map(opText).join(", and ");
}
