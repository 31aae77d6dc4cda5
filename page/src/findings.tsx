// What `validate` counts beside the links that do not fit: shown on the first screen, and where a build ends.
import { useEffect, useState } from "preact/hooks";
import type { FindingTold } from "../../clients/typescript/graphbus";
import { Says, T } from "./kit";
import { api, useStore } from "./store";

const OF_LINKS = ["GB101", "GB102"]; // these stand with their links

export interface Found {
  others: FindingTold[]; // not of a link
  silenced: (link: string) => boolean; // it does not fit, and `validate` counts it no more: ignored, or in the baseline
}

/** What `validate` counts, as the picture is now. Only the operator may ask. */
export function useFindings(): Found {
  const { picture, me } = useStore();
  const [found, keep] = useState<{ of: unknown; items: FindingTold[] }>({ of: null, items: [] });
  useEffect(() => {
    if (!picture || me?.role === "seat") return;
    let here = true;
    // Of more than one page of them it is not known which links are silenced: then none is called so.
    const take = ({ items, next }: { items: FindingTold[]; next: string | null }) => here && keep({ of: next ? null : picture, items });
    api.listFindings({ limit: 1000 }).then(take, () => undefined); // what cannot be asked now is asked with the next picture
    return () => void (here = false);
  }, [picture, me]);
  const ofLinks = new Set(found.items.filter((one) => OF_LINKS.includes(one.code)).map((one) => one.subject));
  return {
    others: found.items.filter((one) => !OF_LINKS.includes(one.code)),
    silenced: (link) => found.of === picture && found.of !== null && !ofLinks.has(link),
  };
}

/** The links in words, and how many errors there are besides: nothing is called right where `validate` exits with 1. */
export function headOf(links: string, found: FindingTold[]): string {
  const errors = found.filter((one) => one.level === "error").length;
  return errors ? `${links}; ${errors} other ${errors === 1 ? "error was" : "errors were"} found` : links;
}

export function Findings({ of }: { of: FindingTold[] }) {
  const notes = of.filter((one) => one.level === "note");
  const more = of.filter((one) => one.level !== "note");
  const list = (some: FindingTold[]) => (
    <ul class="list" aria-label="Findings">
      {some.map((one) => (
        <li key={one.fingerprint}><small class={one.level === "error" ? "bad" : one.level === "note" ? "soft" : "warn"}><Says>{one.message}</Says></small><small class="soft"><T>{`${one.code}, ${one.file}:${one.line}`}</T></small></li>
      ))}
    </ul>
  );
  return (
    <>
      {more.length ? list(more) : null}
      {notes.length ? <details><summary>{notes.length} {notes.length === 1 ? "note" : "notes"}</summary>{list(notes)}</details> : null}
    </>
  );
}
