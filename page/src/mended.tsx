// What a change mends, as it was tried: whole links by name, and of links that do not fit afterwards either, which of
// their fields do, and which do not.
import type { LeftLink } from "../../clients/typescript/graphbus";
import { Names, T } from "./kit";

export type Kind = "good" | "warn" | "";

/** The rows of that account: what fits afterwards, what does in part, and what does not. One of them at least. */
export function mendedRows(mends: string[], left: LeftLink[] = []): { says: string; look: Kind; what: preact.JSX.Element }[] {
  const parts = left.filter((one) => one.mended.length);
  const stay = left.filter((one) => !one.mended.length);
  return [
    ...(mends.length || !parts.length ? [{ says: "Mends", look: (mends.length ? "good" : "") as Kind, what: <Names names={mends} none="no link" /> }] : []),
    ...parts.map((one) => ({ says: "Mends partly", look: "warn" as Kind, what: <><strong><T>{one.mended.join(", ")}</T></strong> of <T>{one.link}</T>; {counted(one.fields.length)}: <T>{one.reasons.join("; ")}</T></> })),
    ...stay.map((one) => ({ says: "Does not mend", look: "warn" as Kind, what: <><T>{one.link}</T>: <T>{one.reasons.join("; ")}</T></> })),
  ];
}

const counted = (many: number) => `${many} more ${many === 1 ? "field of it does" : "fields of it do"} not fit yet`;
