// What billing takes: an order out of the JSON that the shop sends, or an error that says what is wrong.

export interface Line {
  sku: string;
  quantity: number;
  price_cents: number;
}

export interface Order {
  id: number;
  status: "placed" | "paid" | "cancelled";
  currency: "EUR" | "USD";
  email: string | null;
  lines: Line[];
}

type Fields = { [name: string]: unknown };

function readObject(value: unknown, place: string): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new Error(`${place} is no object`);
  }
  return value as Fields;
}

function readText(value: unknown, place: string): string {
  if (typeof value !== "string") throw new Error(`${place} is no text`);
  return value;
}

function readInteger(value: unknown, place: string, least: number): number {
  if (typeof value !== "number" || !Number.isInteger(value)) throw new Error(`${place} is no integer`);
  if (value < least) throw new Error(`${place} is below ${least}`);
  return value;
}

function readChoice<T extends string>(value: unknown, place: string, choices: readonly T[]): T {
  if (!choices.includes(value as T)) throw new Error(`${place} is none of ${choices.join(", ")}`);
  return value as T;
}

function readLine(value: unknown, place: string): Line {
  const fields = readObject(value, place);
  const sku = readText(fields.sku, `${place}.sku`);
  if (sku.length > 20) throw new Error(`${place}.sku is longer than 20`);
  return {
    sku,
    quantity: readInteger(fields.quantity, `${place}.quantity`, 1),
    price_cents: readInteger(fields.price_cents, `${place}.price_cents`, 0),
  };
}

export function readOrder(value: unknown): Order {
  const fields = readObject(value, "order");
  const customer = readObject(fields.customer, "customer");
  if (!Array.isArray(fields.lines) || fields.lines.length === 0) throw new Error("lines is empty or no list");
  return {
    id: readInteger(fields.id, "id", 1),
    status: readChoice(fields.status, "status", ["placed", "paid", "cancelled"]),
    currency: readChoice(fields.currency, "currency", ["EUR", "USD"]),
    email: customer.email === undefined ? null : readText(customer.email, "customer.email"),
    lines: fields.lines.map((line, index) => readLine(line, `lines[${index}]`)),
  };
}

export function computeTotal(order: Order): number {
  return order.lines.reduce((total, line) => total + line.quantity * line.price_cents, 0);
}
