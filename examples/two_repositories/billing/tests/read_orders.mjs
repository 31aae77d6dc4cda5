// Reads each recorded order with the compiled code: node tests/read_orders.mjs

import { readFileSync } from "node:fs";
import { readOrder } from "../dist/order.js";

const lines = readFileSync(new URL("../recorded/orders.jsonl", import.meta.url), "utf8").trim().split("\n");
for (const line of lines) readOrder(JSON.parse(line));
console.log(`${lines.length} orders read`);
