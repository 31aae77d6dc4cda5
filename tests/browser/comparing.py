"""Pictures that are kept and compared: small PNG files, and the share of points in which two pictures differ."""

from __future__ import annotations

import base64
import struct
import zlib

from playwright.sync_api import Page

READ = """
  const read = async (text) => {
    const image = new Image();
    image.src = `data:image/png;base64,${text}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, image.width, image.height);
  };"""
DIFFERS = f"""async ([one, other]) => {{{READ}
  const [a, b] = [await read(one), await read(other)];
  if (a.width !== b.width || a.height !== b.height) return 1;
  let count = 0;
  for (let i = 0; i < a.data.length; i += 4)
    if ([0, 1, 2].some((part) => Math.abs(a.data[i + part] - b.data[i + part]) > 48)) count++;
  return count / (a.data.length / 4);
}}"""
PALETTE = f"""async (text) => {{{READ}
  const {{ width, height, data }} = await read(text);
  const known = new Map(), points = new Uint8Array(width * height);
  for (let i = 0; i < data.length; i += 4) {{
    const colour = [0, 1, 2].map((part) => Math.round(data[i + part] / 17) * 17);
    const key = colour.join();
    if (!known.has(key)) known.set(key, known.size);
    points[i / 4] = known.get(key);
  }}
  let out = "";
  for (const one of points) out += String.fromCharCode(one);
  return [width, height, [...known.keys()].map((one) => one.split(",").map(Number)), btoa(out)];
}}"""


def differing(page: Page, one: bytes, other: bytes) -> float:
    """The share of the points that are others; 1 where the sizes differ."""
    found: float = page.evaluate(DIFFERS, [base64.b64encode(each).decode() for each in (one, other)])
    return found


def small(page: Page, picture: bytes) -> bytes:
    """The picture with 16 levels a colour and a palette: a third of its size, and less than the tolerance away."""
    width, height, palette, points = page.evaluate(PALETTE, base64.b64encode(picture).decode())
    assert len(palette) <= 256, "too many colours for a palette: store it whole"
    rows = base64.b64decode(points)
    lines = b"".join(b"\0" + rows[y * width : (y + 1) * width] for y in range(height))
    colours = bytes(part for colour in palette for part in colour)

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    head = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    parts = (
        chunk(b"IHDR", head),
        chunk(b"PLTE", colours),
        chunk(b"IDAT", zlib.compress(lines, 9)),
        chunk(b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)
