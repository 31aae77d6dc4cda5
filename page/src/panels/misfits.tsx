// What is wrong, said before a project is built or started; whoever reads it may go on all the same.
import type { ComponentChildren } from "preact";
import { T, Says } from "../kit";
import { countMisfits, misfitsOf } from "../misfit";
import { to, useStore } from "../store";

const FEW = 3;

/** Which links do not fit, and what comes of it where one goes on; nothing where all fit. */
export function Misfits({ children }: { children: ComponentChildren }) {
  const { picture } = useStore();
  const wrong = misfitsOf(picture);
  if (!wrong.length) return null;
  return (
    <div class="warn" role="status" aria-label="What does not fit">
      <p>{countMisfits(wrong)}. {children}</p>
      <ul class="list">
        {wrong.slice(0, FEW).map((one) => <li><a href={to("link", one.id)}><T>{one.id}</T></a> <small><Says>{one.reasons[0]}</Says></small></li>)}
      </ul>
      {wrong.length > FEW ? <p><a href="#/">All {wrong.length} of them</a></p> : null}
    </div>
  );
}
