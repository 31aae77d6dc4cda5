// Billing as a service: POST an order, get an invoice (200), or what is wrong with it (422).

import { createServer } from "node:http";
import { computeTotal, readOrder } from "./order.js";

const server = createServer((request, response) => {
  let text = "";
  request.on("data", (chunk) => (text += chunk));
  request.on("end", () => {
    let status = 200;
    let answer: object;
    try {
      const order = readOrder(JSON.parse(text));
      answer = { order: order.id, total_cents: computeTotal(order), currency: order.currency };
    } catch (error) {
      status = 422;
      answer = { error: error instanceof Error ? error.message : String(error) };
    }
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(answer));
  });
});

server.listen(Number(process.env.PORT ?? 0), "127.0.0.1", () => {
  const address = server.address();
  console.log(`http://127.0.0.1:${typeof address === "object" && address ? address.port : ""}/orders`);
});
