// What is shown, as a file: the picture as SVG, a chart, an export. Made here; nothing is asked of the server.
import type { Component } from "../../clients/typescript/graphbus";
import { HEAD, type Placed, PORT, ROW } from "./geometry";
import { plain } from "./json";
import { countMisfits } from "./misfit";
import { pathOf } from "./roads";

/** Give the browser a file to keep. */
export function save(name: string, type: string, text: string) {
  const address = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000); // the browser reads it after the click
}

const escaped = (text: string) => plain(text).replace(/[&<>"]/g, (one) => `&#${one.charCodeAt(0)};`);

/** The colours of the sheet: a file has none of its own. */
function colours(): Record<string, string> {
  const style = getComputedStyle(document.documentElement);
  return Object.fromEntries(["bg", "card", "ink", "soft", "band", "line", "good", "bad", "warn", "wait", "accent"].map((one) => [one, style.getPropertyValue(`--${one}`).trim()]));
}

const STATE: Record<string, string> = { fits: "good", broken: "bad", undecided: "warn", guessed: "soft" };
const EDGE = 24;

/** The whole picture, every card and every link, in the colours that hold. */
export function svgOf({ picture, wires, bounds }: Placed): string {
  const c = colours();
  const [w, h] = [bounds.width + 2 * EDGE, bounds.height + 2 * EDGE];
  const lines = wires.map(({ link, from, to, fits, loose, corners }) => {
    const bend = Math.max(36, Math.abs(to[0] - from[0]) / 2);
    const look = link.state === "guessed" ? "guessed" : fits ? "fits" : link.state;
    const dash = loose ? ' stroke-dasharray="3 6"' : look === "fits" ? "" : ' stroke-dasharray="7 4"';
    const way = corners ? pathOf(corners) : `M${from[0]} ${from[1]}C${from[0] + bend} ${from[1]} ${to[0] - bend} ${to[1]} ${to[0]} ${to[1]}`;
    return `<path d="${way}" stroke="${c[STATE[look] ?? "soft"]}"${dash}><title>${escaped(link.id)}</title></path>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${bounds.x - EDGE} ${bounds.y - EDGE} ${w} ${h}" width="${w}" height="${h}" font-family="Liberation Sans, Arial, sans-serif" font-size="12.5">`,
    `<title>${picture.components.length} components, ${countMisfits(picture.links) || "every link fits"}</title>`,
    `<rect x="${bounds.x - EDGE}" y="${bounds.y - EDGE}" width="${w}" height="${h}" fill="${c.bg}"/>`,
    `<g fill="none" stroke-width="1.6">${lines.join("")}</g>`,
    ...picture.components.map((one) => cardOf(one, c)),
    "</svg>\n",
  ].join("\n");
}

function cardOf(card: Component, c: Record<string, string>): string {
  const rows: string[] = [];
  let y = HEAD;
  const text = (at: number, words: string, more = "") => rows.push(`<text x="10" y="${at}" fill="${c.ink}"${more}>${escaped(words)}</text>`);
  const right = (at: number, words: string) => text(at, words, ` text-anchor="end" transform="translate(${card.width - 20} 0)"`);
  for (const { name, inputs, outputs } of card.methods) {
    text(y + 16, name, ' font-weight="600"');
    inputs.forEach((port, i) => text(y + ROW + PORT * i + 14, `${port.name}${port.required ? "" : "?"}`));
    outputs.forEach((port, i) => right(y + ROW + PORT * i + 14, `${port.name}${port.required ? "" : "?"}`));
    y += ROW + PORT * Math.max(inputs.length, outputs.length);
  }
  for (const { topic, ports } of card.publishes) {
    text(y + 16, `→ ${topic}`);
    ports.forEach((port, i) => right(y + ROW + PORT * i + 14, port.name));
    y += ROW + PORT * ports.length;
  }
  for (const { topic } of card.hears) {
    text(y + 16, `← ${topic}`);
    y += ROW;
  }
  return `<g transform="translate(${card.x} ${card.y})"><rect width="${card.width}" height="${card.height}" rx="8" fill="${c.card}" stroke="${c.soft}"/><path d="M8 0H${card.width - 8}a8 8 0 0 1 8 8V${HEAD}H0V8a8 8 0 0 1 8-8" fill="${c.band}"/><text x="10" y="22" font-weight="700" fill="${c.ink}">${escaped(card.name)}</text>${rows.join("")}</g>`;
}

/** A chart of the page, with the looks that its sheet gives it. */
export function chartOf(svg: SVGElement): string {
  const copy = svg.cloneNode(true) as SVGElement;
  const shown = [svg, ...svg.querySelectorAll("*")];
  [copy, ...copy.querySelectorAll("*")].forEach((one, i) => {
    const style = getComputedStyle(shown[i]!);
    for (const name of ["fill", "stroke", "stroke-width", "font-size", "font-family"]) one.setAttribute(name, style.getPropertyValue(name));
  });
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  return `${new XMLSerializer().serializeToString(copy)}\n`;
}
