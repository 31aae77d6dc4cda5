// What a change mends, in one line: whole links by name, and where none is whole yet, the fields that it is about.
import type { Picture } from "../../clients/typescript/graphbus";
import { Names, type Op, T } from "./kit";
import { useStore } from "./store";

interface Part {
  link: string;
  fields: string[];
  left: number; // fields of that link that would not fit afterwards
}

/** The fields that do not fit today and that a change is about, link by link; links that it mends whole are left out. */
export function partsOf(picture: Picture | null, diff: Op[], whole: string[]): Part[] {
  const parts: Part[] = [];
  for (const link of picture?.links ?? []) {
    if ((link.state !== "broken" && link.state !== "undecided") || whole.includes(link.id)) continue;
    const wrong = link.fields.filter((one) => !one.fits).map((one) => one.target);
    const isAbout = (field: string) =>
      diff.some((op) => [op.field, op.to].includes(field) && ((op.side === "input" && op.node === link.target.node && op.method === link.target.method) || (op.side !== "input" && op.node === link.source.node && op.method === link.source.method)));
    const fields = wrong.filter(isAbout);
    if (fields.length) parts.push({ link: link.id, fields, left: wrong.length - fields.length });
  }
  return parts;
}

export function Mended({ mends, diff }: { mends: string[]; diff: Op[] | undefined }) {
  const { picture } = useStore();
  const parts = partsOf(picture, diff ?? [], mends);
  if (!parts.length) return <Names names={mends} none="no link" />;
  return (
    <>
      {mends.length ? <Names names={mends} none="" /> : null}
      {parts.map((one) => <span class="part">{mends.length ? "; " : ""}<strong><T>{one.fields.join(", ")}</T></strong> of <T>{one.link}</T>{one.left ? `, where ${one.left} more ${one.left === 1 ? "field does" : "fields do"} not fit yet` : ", which may still not fit as a whole"}</span>)}
    </>
  );
}
