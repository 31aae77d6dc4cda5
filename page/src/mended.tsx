// What a change mends, as it was tried: whole links by name, and of links that do not fit afterwards either, which of
// their fields do, and which do not.
import type { LeftLink } from "../../clients/typescript/graphbus";
import { Names, T } from "./kit";

const counted = (many: number) => `${many} more ${many === 1 ? "field of it does" : "fields of it do"} not fit yet`;

export function Mended({ mends, left }: { mends: string[]; left: LeftLink[] | undefined }) {
  const parts = (left ?? []).filter((one) => one.mended.length);
  const stay = (left ?? []).filter((one) => !one.mended.length);
  return (
    <>
      {mends.length || !parts.length ? <Names names={mends} none="no link" /> : null}
      {parts.map((one, nth) => <span class="part">{mends.length || nth ? "; " : ""}<strong><T>{one.mended.join(", ")}</T></strong> of <T>{one.link}</T>; {counted(one.fields.length)}: <T>{one.reasons.join("; ")}</T></span>)}
      {stay.map((one) => <span class="part warn">. <T>{one.link}</T> does not fit afterwards either: <T>{one.reasons.join("; ")}</T></span>)}
    </>
  );
}
