// What a change mends, in one line: whole links by name, and where a link is not whole yet, the fields that fit now.
import type { PartlyMended } from "../../clients/typescript/graphbus";
import { Names, T } from "./kit";

export function Mended({ mends, parts }: { mends: string[]; parts: PartlyMended[] }) {
  if (!parts.length) return <Names names={mends} none="no link" />;
  return (
    <>
      {mends.length ? <Names names={mends} none="" /> : null}
      {parts.map((one) => <span class="part">{mends.length ? "; " : ""}<strong><T>{one.fields.join(", ")}</T></strong> of <T>{one.link}</T>, where <T>{one.left.join(", ")}</T> {one.left.length === 1 ? "does" : "do"} not fit yet</span>)}
    </>
  );
}
